"""What tests of the whole site share."""

import os
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings

NAME = f"own_site_{os.getpid()}"


@pytest.fixture
def own_database() -> Iterator[list[str]]:
    """A script's argument for an empty database of its own: none for SQLite, which it makes itself."""
    if not settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        yield []
        return
    server = os.environ["TEST_DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {NAME}")
        yield ["--database", f"{server.rpartition('/')[0]}/{NAME}"]
        connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
