"""The database as one file, as it was at one moment, while others write; and back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import IO

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}


class DatabaseTrouble(Exception):
    """It can't be copied or brought back; its words say why."""


def dump(to: Path) -> None:
    """Write the database to a file, as the open snapshot sees it (config.snapshot). Raises DatabaseTrouble."""
    if connection.vendor == "sqlite":
        copy = sqlite3.connect(to)
        try:
            connection.connection.backup(copy)  # inside our transaction that reads: the same moment
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        finally:
            copy.close()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
    _run("pg_dump", "--format=custom", "--no-owner", "--no-acl", f"--snapshot={snapshot}", f"--file={to}")


def restore(file: IO[bytes], folder: Path) -> None:
    """Replace all that the database holds by a dump. Raises DatabaseTrouble.

    Args:
        folder: where the dump may lie while it is read.
    """
    kept = folder / MEMBERS[connection.vendor]
    with kept.open("wb") as copy:
        shutil.copyfileobj(file, copy)
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        source = sqlite3.connect(kept)
        try:
            source.backup(connection.connection)
        finally:
            source.close()
        connection.close()  # the next one sets its own pragmas again
        return
    _program("pg_restore")  # before anything is dropped
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    connection.close()
    name = str(connection.get_connection_params()["dbname"])
    _run(
        "pg_restore", "--no-owner", "--no-acl", "--single-transaction", "--exit-on-error", f"--dbname={name}", str(kept)
    )


def version() -> str:
    """Of the server or the library."""
    if connection.vendor == "sqlite":
        return sqlite3.sqlite_version
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return str(cursor.fetchone()[0])


def applied() -> list[str]:
    """The migrations that the database has, `app.name`."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def known() -> set[str]:
    """The migrations that this version of the site has; those that it has squashed count."""
    loader = MigrationLoader(None)
    squashed = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    return {f"{app}.{name}" for app, name in [*loader.disk_migrations, *squashed]}


def _run(program: str, *arguments: str) -> None:
    """One of PostgreSQL's programs, on our database. The password goes by the environment: arguments can be seen."""
    params = connection.get_connection_params()
    env = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password", "PGDATABASE": "dbname"}
    env = {name: str(params[field]) for name, field in env.items() if params.get(field)}
    command = [_program(program), *arguments]
    done = subprocess.run(command, env=os.environ | env, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise DatabaseTrouble(f"{program} failed: {said[-1] if said else f'exit code {done.returncode}'}")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise DatabaseTrouble(f"{name} isn't there: install PostgreSQL's client programs, of the server's version")
    return found
