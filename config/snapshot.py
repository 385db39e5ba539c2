"""All reads of a block see the database as it was at one moment, while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that only reads and is rolled back; inside another one, that one.

    Not `atomic`: on SQLite that would take the write lock (docs/decisions/0002) for as long as the block reads.
    """
    if connection.in_atomic_block:
        yield
        return
    begin = "BEGIN DEFERRED"
    if connection.vendor == "postgresql":
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    with connection.cursor() as cursor:
        cursor.execute(begin)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
