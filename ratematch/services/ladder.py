"""Counting a very long ladder, so that no page has to (standings.py)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q

from ratematch import standings
from ratematch.selectors import ladder


def count_ladder(now: datetime) -> None:
    """Count the players of each rating, on each ladder that pages show; on a short one pages do that better."""
    everybody = ladder(now).order_by()
    long = settings.RATEMATCH["LADDER_LONG"]
    rows: list[tuple[int, ...]] = []
    if everybody[long : long + 1]:
        columns = [Count("pk", filter=_within(days, now)) for days in standings.windows()]
        named = {f"count_{number}": column for number, column in enumerate(columns)}
        rows = list(everybody.values_list("rating").annotate(**named))
    for number, days in enumerate(standings.windows(), 1):
        counts = {row[0]: row[number] for row in rows if row[number]}
        standings.keep(days, counts)


def _within(days: int | None, now: datetime) -> Q:
    return Q() if days is None else Q(last_rated_at__gte=now - timedelta(days=days))
