"""Pages with a million players behind them: how long the database works for each."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import User
from ratematch.models import Match, Player, RatingChange, Side
from ratematch.rules import elo
from ratematch.services.ladder import count_ladder
from scripts.bench import crowd
from scripts.bench.report import Figure, say
from scripts.bench.web import Request, by_cookie

MS = 20
"""Target."""
SAMPLE, MATCHES_EACH = 1000, 20


def run(quick: bool) -> None:
    """Generate them, then ask as a player in the middle of the ladder."""
    count = 20_000 if quick else 1_000_000
    now = timezone.now()
    say(f"million: {count:,} players into {connection.vendor}")
    crowd.copy_rows(User, {"password": "!", "date_joined": now}, _users(count))
    crowd.copy_rows(Player, {"recent": "wlwdw", "wins": 12, "losses": 9, "draws": 1}, _players(count, now))
    _histories(now)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # what a running PostgreSQL does by itself after so many rows

    start = time.perf_counter()
    count_ladder(now)
    text = f"{time.perf_counter() - start:.2f} s"
    Figure(f"{count:,} players", "counting the ladder, once a minute in the worker", text).print()
    middle = median(crowd.ratings(count))
    me = Player.objects.select_related("user").filter(pk__in=_sample()).order_by("-rating")
    own = min(me, key=lambda player: abs(player.rating - middle))
    cookie = by_cookie(crowd.cookies([own.user])[0])
    for request in (
        Request("ladder, first page", "/matches/ladder/", cookie),
        Request("ladder, page 20", "/matches/ladder/?page=20", cookie),
        Request("a player in the middle", f"/matches/players/{own.pk}/", cookie),
        Request("home of that player", "/", cookie),
    ):
        request.send()
        runs = [request.queries() for _ in range(3 if quick else 7)]
        ms = median(sum(taken for _sql, taken in queries) for queries in runs)
        slowest, taken = max(runs[-1], key=lambda query: query[1])
        say(f"million: {request.what}: {ms:.1f} ms, of these {taken:.1f}: {slowest[:400]}")
        text = f"{ms:.1f} ms in {len(runs[-1])} queries"
        Figure(f"{count:,} players", request.what, text, f"< {MS} ms in the database", ms < MS).print()


def _sample() -> range:
    first = Player.objects.order_by("pk").values_list("pk", flat=True)[0]
    return range(first, first + SAMPLE)


def _users(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {
            "email": f"p{number}@example.org",
            "display_name": f"p{number}",
            "is_active": number < SAMPLE or number % 1000 > 0,
        }


def _players(count: int, now: datetime) -> Iterator[dict[str, Any]]:
    """One in ten never had a rated match; of the others, half had one in the last 90 days, and so had the sample."""
    first = User.objects.order_by("pk").values_list("pk", flat=True)[0]
    dice = random.Random(2)  # noqa: S311
    for number, rating in enumerate(crowd.ratings(count)):
        minutes = dice.randrange(60 if number < SAMPLE else 180 * 1440)
        rated = number < SAMPLE or number % 10 > 0
        yield {
            "user_id": first + number,
            "rating": rating if rated else elo.INITIAL,
            "last_rated_at": now - timedelta(minutes=minutes) if rated else None,
        }


def _histories(now: datetime) -> None:
    """Some players with a chart and a list of matches. Their opponents are each other."""
    sample = list(Player.objects.filter(pk__in=_sample()))
    for number in range(MATCHES_EACH):
        at = now - timedelta(hours=MATCHES_EACH - number)
        pairs = list(zip(sample[::2], sample[1::2], strict=True))
        matches = Match.objects.bulk_create(
            Match(state="settled", outcome="player1", ending="agreed", made_at=at, ended_at=at, playing_at=at)
            for _ in pairs
        )
        seats = [
            (match, seat, player)
            for match, pair in zip(matches, pairs, strict=True)
            for seat, player in enumerate(pair)
        ]
        Side.objects.bulk_create(
            Side(
                match=match, seat=seat, player=player, rating=player.rating, needed=False, result=("win", "loss")[seat]
            )
            for match, seat, player in seats
        )
        RatingChange.objects.bulk_create(
            RatingChange(
                match=match,
                player=player,
                result=Decimal(1 - seat),
                before=player.rating,
                computed=0,
                applied=0,
                after=player.rating,
                at=at,
            )
            for match, seat, player in seats
        )
        random.Random(number).shuffle(sample)  # noqa: S311
