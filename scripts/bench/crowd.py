"""People to measure with: in bulk, and a few whose matches the services have made."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from accounts.services import presence
from ratematch.models import Engagement, Match, Player
from ratematch.rules import elo
from ratematch.rules.lifecycle import Verb
from ratematch.services import play, queue

ROOM_TO_RESULT = [
    (0, Verb.SET_ROOM, "K7-204"),
    (1, Verb.ENTER, ""),
    (0, Verb.REPORT, ""),
    (1, Verb.REPORT, ""),
    (0, Verb.DECLARE, "win"),
    (1, Verb.DECLARE, "loss"),
]
"""A whole match, move by move: seat, verb, value."""


def ratings(count: int, seed: int = 1) -> Iterable[int]:
    """Ratings around 1500, with a deviation of 200, and none below the floor."""
    dice = random.Random(seed)  # noqa: S311
    return (max(elo.FLOOR, round(dice.gauss(1500, 200))) for _ in range(count))


def players(count: int, now: datetime) -> list[Player]:
    """Players in bulk, each with a rated match somewhere in the last 80 days, and here now."""
    users = User.objects.bulk_create(
        (User(email=f"p{n}@example.org", display_name=f"p{n}", password="!") for n in range(count)),  # noqa: S106
        batch_size=5000,
    )
    made = Player.objects.bulk_create(
        (
            Player(user=user, rating=rating, wins=12, losses=9, draws=1, recent="wlwdw", last_rated_at=rated_at)
            for user, rating, rated_at in zip(
                users, ratings(count), (now - timedelta(minutes=n * 115_000 / count) for n in range(count)), strict=True
            )
        ),
        batch_size=5000,
    )
    presence.Presence.objects.bulk_create(
        (presence.Presence(user=user, seen_at=now, active_at=now) for user in users), batch_size=5000
    )
    return made


def wait(entries: Iterable[tuple[Player, str]], now: datetime) -> None:
    """Put players into the queue in bulk, unpaired, each with a condition; they joined one after the other."""
    Engagement.objects.bulk_create(
        (
            Engagement(
                player=player,
                condition=condition,
                joined_at=now - timedelta(milliseconds=20 * n),
                expires_at=now + timedelta(minutes=20),
            )
            for n, (player, condition) in enumerate(entries)
        ),
        batch_size=5000,
    )


def match(one: Player, two: Player, now: datetime, moves: int) -> Match:
    """A match of these two, by way of the queue and its first `moves` moves."""
    for each in (one, two):
        queue.join_queue(actor=each.user, condition=Engagement.ANY, now=now)
    made = Match.objects.with_sides().get(engagements__player=one)
    users = [side.player.user for side in made.seats]
    for seat, verb, value in ROOM_TO_RESULT[:moves]:
        state = Match.objects.values_list("state", flat=True).get(pk=made.pk)
        play.make_move(match_id=made.pk, actor=users[seat], verb=verb, seen=state, now=now, value=value)
    return made


def cookies(users: Sequence[User]) -> list[str]:
    """A session each, as sign-in makes it; answers what a browser sends that has seen a page before."""
    store = SessionStore()
    expires = timezone.now() + timedelta(days=1)
    rows = [
        Session(
            session_key=get_random_string(32, "abcdefghijklmnopqrstuvwxyz0123456789"),
            session_data=store.encode(
                {
                    SESSION_KEY: str(user.pk),
                    BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
                    HASH_SESSION_KEY: user.get_session_auth_hash(),
                }
            ),
            expire_date=expires,
        )
        for user in users
    ]
    Session.objects.bulk_create(rows, batch_size=5000)
    csrf = f"{settings.CSRF_COOKIE_NAME}={get_random_string(32)}"
    return [f"{settings.SESSION_COOKIE_NAME}={row.session_key}; {csrf}" for row in rows]


def copy_rows(model: Any, fixed: dict[str, Any], rows: Iterable[dict[str, Any]], batch: int = 50_000) -> None:
    """Write very many rows by the database's own fast way.

    Args:
        fixed: what all rows have in common; other columns have their defaults.
        rows: what differs, the same columns in each.
    """
    rows = iter(rows)
    first = next(rows)
    fields = {field.attname: field for field in model._meta.concrete_fields if field.attname != "id"}
    same = {name: field.get_default() for name, field in fields.items() if name not in first} | fixed
    same = {name: fields[name].get_db_prep_save(value, connection) for name, value in same.items()}
    varying = [fields[name] for name in first]
    table = connection.ops.quote_name(model._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(fields[name].column) for name in [*first, *same])
    lines = (
        [*(field.get_db_prep_save(row[field.attname], connection) for field in varying), *same.values()]
        for row in chain([first], rows)
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for line in lines:
                    copy.write_row(line)
            return
        marks = ", ".join(["%s"] * (len(first) + len(same)))
        while some := list(islice(lines, batch)):
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", some)  # noqa: S608
