"""`manage.py check_integrity`: prove for all rows what must always hold."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from accounts.integrity import Check, Damage
from config.discovery import modules
from config.snapshot import snapshot

SAY_EVERY_S = 1.0


class Command(BaseCommand):
    """One line for each damage; the exit code is 1 if there was any. Changes nothing; the site may run meanwhile."""

    help = "Prove for all rows what must always hold: one line for each damage, and exit code 1 if there is any."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("apps", nargs="*", metavar="app", help="only these apps; all if none is named")

    def handle(self, *args: Any, **options: Any) -> None:
        now, found = timezone.now(), 0
        checks = list(_checks(options["apps"]))
        with snapshot():
            for number, (name, check) in enumerate(checks, 1):
                with self._progress(f"{number} of {len(checks)}: {name}"):
                    for damage in check(now):
                        found += 1
                        self.stdout.write(f"{damage.table} {damage.id}: {damage.what}")
        if found:
            raise CommandError(f"{found} found that must not be", returncode=1)
        self.stdout.write("Everything holds.")

    @contextmanager
    def _progress(self, text: str) -> Iterator[None]:
        """On a terminal: what runs and for how long, in one line that is gone when it is done."""
        if not self.stderr.isatty():
            yield
            return
        done, began = Event(), time.monotonic()

        def say() -> None:
            while not done.wait(SAY_EVERY_S):
                self._replace_line(f"{text}, {time.monotonic() - began:.0f} s")

        self._replace_line(text)
        teller = Thread(target=say, daemon=True)
        teller.start()
        try:
            yield
        finally:
            done.set()
            teller.join()
            self._replace_line("")

    def _replace_line(self, text: str) -> None:
        self.stderr.write(f"\r\033[K{text}", ending="")
        self.stderr.flush()


def _checks(labels: list[str]) -> Iterator[tuple[str, Check]]:
    """The database's own check, then those of each app."""
    with_checks = dict(modules("integrity"))
    if unknown := set(labels) - set(with_checks):
        raise CommandError(f"no checks are known for {', '.join(sorted(unknown))}")
    if not labels and connection.vendor == "sqlite":
        yield "the database file", _database_file
    for app, module in with_checks.items():
        if not labels or app in labels:
            for name, check in module.CHECKS.items():
                yield f"{app}, {name}", check


def _database_file(now: datetime) -> Iterator[Damage]:
    """SQLite's own word on its file, its constraints and its references. PostgreSQL keeps these itself."""
    with connection.cursor() as cursor:
        for (line,) in cursor.execute("PRAGMA integrity_check").fetchall():
            if line != "ok":
                yield Damage("sqlite", "-", line)
        for table, row, parent, _number in cursor.execute("PRAGMA foreign_key_check").fetchall():
            yield Damage(table, row, f"it refers to a row of {parent} that isn't there")
