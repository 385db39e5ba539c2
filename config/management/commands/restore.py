"""`manage.py restore FILE`: bring a backup into an empty site."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from accounts.services import heartbeat
from config.backup import archive, database, media

RUNS_WITHIN = timedelta(seconds=15)
"""A heartbeat that is no older says that the site runs."""


class Command(BaseCommand):
    """Check everything first, then replace database and media, then bring the tables up to date."""

    help = "Bring a backup into an empty site. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="also into a site that has users: they are lost")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        try:
            with archive.reading(file) as backup, tempfile.TemporaryDirectory() as folder:
                _check_fits(backup)
                _check_site(replace)
                with backup.open(database.MEMBERS[connection.vendor]) as dump:
                    database.restore(dump, Path(folder))
                media.delete_all()
                files = _write_files(backup)
        except (OSError, archive.BadArchive, database.DatabaseTrouble) as error:
            raise CommandError(f"{file}: {error}") from error
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(
            f"Database and {files} files of {backup.facts['made_at']} are back. "
            "`manage.py check_integrity` says whether all holds."
        )


def _check_fits(backup: archive.Reader) -> None:
    """Raise CommandError when this site can't take this backup."""
    vendor = backup.facts["database"]["vendor"]
    if vendor != connection.vendor:
        raise CommandError(f"the backup is of {vendor}; this site's database is {connection.vendor} (DATABASE_URL)")
    if newer := set(backup.facts["migrations"]) - database.known():
        raise CommandError(f"the backup was made by another version: this one doesn't know {min(newer)}")


def _check_site(replace: bool) -> None:
    """Raise CommandError while the site runs, or has users that nobody said to replace."""
    users = get_user_model().objects
    try:
        if not connection.introspection.table_names():
            return
        beat_at = heartbeat.last_beat(heartbeat.WEB)
        empty = not users.exists()
    except DatabaseError:  # tables of some other version: no site that could be told apart from a broken one
        beat_at, empty = None, False
    if beat_at and timezone.now() - beat_at < RUNS_WITHIN:
        raise CommandError("the site runs: stop it, and try again in some seconds")
    if not replace and not (empty and next(media.held(), None) is None):
        raise CommandError("this site isn't empty; --replace replaces all that it has")


def _write_files(backup: archive.Reader) -> int:
    count = 0
    for name in backup.members:
        if kept := media.of_member(name):
            with backup.open(name) as content:
                media.write(kept, content)
            count += 1
    return count
