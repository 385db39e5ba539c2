"""`manage.py demo`: a dozen players with a past, a moderator, and a case that waits."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.services import heartbeat
from ratematch.demo import load, people
from ratematch.models import Match, Player
from ratematch.rules.lifecycle import State

WORKER_LIVES = timedelta(seconds=15)


class Command(BaseCommand):
    help = "Load the demo data, once. Its accounts share a password that everybody knows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes-really", action="store_true", help="also under the production settings")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.SETTINGS_MODULE == "config.settings.production" and not options["yes_really"]:
            raise CommandError("not on a real site: everybody knows the demo's passwords (--yes-really insists)")
        if people.are_there():
            self.stdout.write("The demo data is there already; nothing was changed.")
            return
        now = timezone.now()
        worker = heartbeat.last_beat(heartbeat.WORKER)
        if worker and now - worker < WORKER_LIVES:
            raise CommandError("stop the worker first: it would apply the clocks of past matches while they are made")
        logging.getLogger("common.live").setLevel(logging.ERROR)  # nobody listens yet: no Redis, no harm
        load.load(now)
        self._say_what_there_is()

    def _say_what_there_is(self) -> None:
        case = Match.objects.get(state=State.REVIEW)
        self.stdout.write(
            f"{Player.objects.count()} players, {Match.objects.count()} matches; match {case.pk} waits for a ruling.\n"
            f"Sign in with any of these addresses and the password {people.PASSWORD}\n"
            f"  players        {people.PEOPLE[0].email}, {people.PEOPLE[1].email}, …\n"
            f"  moderator      {people.MODERATOR}@{people.DOMAIN}\n"
            f"  administrator  {people.ADMIN}@{people.DOMAIN}\n"
            "Change the last two passwords before anybody else can reach the site."
        )
