"""`manage.py remove_second_factor EMAIL`: for somebody who has lost the phone, and the recovery codes too."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.services import second_factors


class Command(BaseCommand):
    help = (
        "Take all second factors off an account. Make sure that it is its owner who asks: the password is enough then."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.lower()).first()
        if user is None:
            raise CommandError(f"no account has the address {email}")
        count = second_factors.remove_all(user=user)
        self.stdout.write(
            f"{user}: {count} second factors and sets of recovery codes were removed; all sessions ended."
        )
