"""`manage.py vapid_key`: a new key for VAPID_PRIVATE_KEY."""

from typing import Any

from django.core.management.base import BaseCommand

from config.env import new_vapid_key


class Command(BaseCommand):
    help = "Print a new private key for browser push. A new key makes all browsers subscribe anew: keep it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(new_vapid_key())
