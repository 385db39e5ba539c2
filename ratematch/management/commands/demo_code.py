"""`manage.py demo_code EMAIL`: what the authenticator app of a demo moderator would show now."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ratematch.demo import people

PERIOD_S = 30


class Command(BaseCommand):
    help = "Print the present code of a demo moderator's authenticator app. It opens once, within a minute."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=f"such as {people.MODERATOR}@{people.DOMAIN}")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        if settings.SETTINGS_MODULE == "config.settings.production":
            raise CommandError("not on a real site")
        app = Authenticator.objects.filter(user__email=email.lower(), type=Authenticator.Type.TOTP).first()
        if app is None or app.data["secret"] != people.TOTP_SECRET:
            raise CommandError(f"{email} has no authenticator app of the demo")
        self.stdout.write(format_hotp_value(hotp_value(people.TOTP_SECRET, int(time.time()) // PERIOD_S)))
