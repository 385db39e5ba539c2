"""Very many deadlines that are due at one moment: half end a match without a result, half settle it."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from ratematch.models import Engagement, Match, MatchEvent, Player, RatingChange, Side
from ratematch.rules.lifecycle import State
from ratematch.services import deadlines
from scripts.bench import crowd
from scripts.bench.report import Figure, say

A_SECOND = 150
"""Target, on SQLite."""


def run(quick: bool) -> None:
    """Sweep them as the worker does, and check that each was applied once."""
    count = 200 if quick else 2000
    say(f"clocks: {count:,} due at once")
    now = timezone.now()
    _matches(crowd.players(2 * count, now), now)
    start = time.perf_counter()
    while deadlines.expire_one_due(now):
        pass
    taken = time.perf_counter() - start

    events = list(MatchEvent.objects.filter(verb="clock").values_list("match_id", flat=True))
    assert len(events) == len(set(events)) == count, "each clock has to be applied exactly once"
    assert Match.objects.filter(state=State.VOID).count() == Match.objects.filter(state=State.SETTLED).count()
    assert RatingChange.objects.count() == count  # two for each of the half that was settled
    assert not Engagement.objects.exists()
    rate = count / taken
    text = f"{rate:,.0f} a second ({taken:.1f} s), each applied once"
    met = rate >= A_SECOND if connection.vendor == "sqlite" else None
    Figure("Deadlines", f"{count:,} due at one moment", text, f"≥ {A_SECOND} a second on SQLite", met).print()


def _matches(players: list[Player], now: datetime) -> None:
    """In ROOM where nobody entered, and in REPORTING where one has declared and the other is silent."""
    long_ago = now - timedelta(minutes=20)
    pairs = list(zip(players[::2], players[1::2], strict=True))
    rows = []
    for number in range(len(pairs)):
        row = Match(made_at=long_ago, deadline_at=now, warn_at=None)
        if number % 2:
            row.state, row.room_number, row.playing_at, row.reporter = State.REPORTING, "K7-204", long_ago, 0
        rows.append(row)
    Match.objects.bulk_create(rows, batch_size=5000)
    sides = []
    for row, pair in zip(rows, pairs, strict=True):
        for seat, player in enumerate(pair):
            side = Side(match=row, seat=seat, player=player, rating=player.rating)
            if row.state == State.REPORTING:
                side.pressed_at = now - timedelta(minutes=2)
                if seat == 0:
                    side.claim, side.claimed_at = "win", now - timedelta(minutes=2)
            sides.append(side)
    Side.objects.bulk_create(sides, batch_size=5000)
    Engagement.objects.bulk_create(
        (Engagement(player=side.player, match=side.match, joined_at=long_ago) for side in sides), batch_size=5000
    )
