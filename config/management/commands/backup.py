"""`manage.py backup FILE`: a consistent copy of database and media, while the site runs."""

from __future__ import annotations

import platform
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import django
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from config.backup import archive, database, media
from config.snapshot import snapshot

TRIES = 5
"""How often to begin anew when a file that the database names was deleted before it could be read."""


class Command(BaseCommand):
    """The database as it was at one moment, and every file that it names then."""

    help = "Write a consistent copy of database and media to FILE, a tar. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            with archive.writing(file) as writer, tempfile.TemporaryDirectory(dir=file.parent) as folder:
                for kept in media.held():  # most of it: so that little is left to do after the moment
                    _add(writer, kept)
                dump = Path(folder) / database.MEMBERS[connection.vendor]
                applied = _dump_with_its_files(writer, dump)
                with dump.open("rb") as content:
                    writer.add(dump.name, content)
                writer.finish(
                    {
                        "made_at": timezone.now().isoformat(),
                        "database": {"vendor": connection.vendor, "version": database.version()},
                        "django": django.get_version(),
                        "python": platform.python_version(),
                        "migrations": applied,
                    }
                )
        except (OSError, database.DatabaseTrouble) as error:
            raise CommandError(str(error)) from error
        size_mb = file.stat().st_size / 1_000_000
        self.stdout.write(f"{file}: database and {len(writer.members) - 1} files, {size_mb:.1f} MB")


def _dump_with_its_files(writer: archive.Writer, dump: Path) -> list[str]:
    """Dump the database, and add what it names and isn't in the archive yet; answers its migrations."""
    for _try in range(TRIES):
        dump.unlink(missing_ok=True)
        with snapshot():
            applied, named = database.applied(), media.named()
            database.dump(dump)
        missing = [kept for kept in named if media.member(kept) not in writer.members and not _add(writer, kept)]
        if not missing:
            return applied
    raise CommandError(f"{len(missing)} files that the database names aren't there, such as {missing[0][1]}")


def _add(writer: archive.Writer, kept: media.Kept) -> bool:
    """Add a file; answers whether it was there."""
    content = media.read(kept)
    if content is None:
        return False
    with content:
        writer.add(media.member(kept), content)
    return True
