"""Any part of the site may die in the middle of matches: the script that kills them all, on a real site."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def database() -> Iterator[list[str]]:
    """The script's argument for a database of its own: none for SQLite, which it makes itself."""
    server = os.environ.get("TEST_DATABASE_URL", "")
    if not settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        yield []
        return
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS survive WITH (FORCE)")
        connection.execute("CREATE DATABASE survive")
        yield ["--database", server.rpartition("/")[0] + "/survive"]
        connection.execute("DROP DATABASE survive WITH (FORCE)")


@pytest.mark.long
def test_all_matches_come_to_their_right_end_whatever_is_killed(database: list[str]) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "survive.py"), *database]
    seen = subprocess.run(script, check=False, capture_output=True, text=True, timeout=400)  # noqa: S603
    assert seen.returncode == 0, f"{seen.stdout}\n{seen.stderr[-3000:]}"
