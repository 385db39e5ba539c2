"""Matchmaking: many who wait are paired at once, by the rules alone and through the database."""

from __future__ import annotations

import time
from statistics import mean

from django.db import connection
from django.db.models import F
from django.utils import timezone

from ratematch.models import Engagement, Side
from ratematch.rules import pairing
from ratematch.selectors import waiting_entries
from ratematch.services import queue
from scripts.bench import crowd
from scripts.bench.report import Figure, percentile, say


def run(quick: bool) -> None:
    """Pair 1,000, and then 10,000 more who don't meet those left over."""
    people = crowd.players(1_200 if quick else 11_000, timezone.now())
    _pair(people[:1000])
    _pair(people[1000:])


def _pair(people: list) -> None:
    say(f"pairs: {len(people):,} waiting")
    now = timezone.now()
    Engagement.objects.waiting().delete()
    crowd.wait([(player, (Engagement.NEAR, Engagement.ANY)[n % 2]) for n, player in enumerate(people)], now)
    entries = waiting_entries(now)
    assert len(entries) == len(people)

    if connection.vendor == "sqlite":  # once is enough for what has no database in it
        start = time.process_time()
        pairs = pairing.pair(entries, now)
        taken = time.process_time() - start
        rating = {entry.id: entry.rating for entry in entries}
        gaps = [abs(rating[one] - rating[two]) for one, two in pairs]
        _print(f"{len(people):,} waiting, by the rules alone", len(pairs), taken, gaps)

    before = Side.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    start = time.perf_counter()
    made = queue.pair_waiting(now)
    taken = time.perf_counter() - start
    sides = Side.objects.filter(pk__gt=before, seat=0, match__sides__seat=1)
    gaps = [abs(gap) for gap in sides.values_list(F("rating") - F("match__sides__rating"), flat=True)]
    assert len(gaps) == made
    _print(f"{len(people):,} waiting, matches made in the database", made, taken, gaps)


def _print(what: str, pairs: int, seconds: float, gaps: list) -> None:
    text = f"{seconds:.2f} s, {pairs:,} pairs ({pairs / seconds:,.0f} a second); "
    text += f"rating difference {mean(gaps):.1f} on average, 95 % within {percentile(gaps, 0.95):.0f}"
    Figure("Matchmaking", what, text).print()
