"""Figures of rated matches for monitors; see accounts/gauges.py."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Min

from accounts.gauges import Gauge
from accounts.services.heartbeat import site_now
from ratematch.models import Case, Engagement, FreeRoom, Match, Picture
from ratematch.models.matches import RUNNING_STATES
from ratematch.rules.lifecycle import State

CLOCKS = (Match, FreeRoom)


def gauges(now: datetime) -> Iterator[Gauge]:
    """The queue, matches by state, clocks that nobody applies, cases and their age."""
    waiting = Engagement.objects.waiting()
    yield Gauge("queue_length", "Players in the queue.", waiting.count())
    first = waiting.values_list("joined_at", flat=True).first()
    yield Gauge("queue_longest_wait_seconds", "How long the first in the queue has waited.", _age(first, now))
    open_states = [*RUNNING_STATES, State.REVIEW.value]
    counts = Match.objects.filter(state__in=open_states).order_by().values_list("state").annotate(count=Count("pk"))
    found = dict(counts)
    for state in open_states:
        yield Gauge("matches", "Matches that haven't ended, by state.", found.get(state, 0), {"state": state})
    late = site_now(now)
    overdue = sum(table.objects.filter(deadline_at__lte=late).count() for table in CLOCKS)
    yield Gauge("overdue_deadlines", "Clocks that have run out and aren't applied yet.", overdue)
    yield Gauge("oldest_overdue_seconds", "For how long the oldest of them.", _age(oldest_deadline(), late))
    cases = Case.objects.filter(closed_at=None).order_by("kind").values_list("kind")
    for kind, count, oldest in cases.annotate(count=Count("pk"), oldest=Min("opened_at")):
        yield Gauge("cases_open", "What waits for a moderator, by kind.", count, {"kind": kind})
        yield Gauge("case_oldest_seconds", "For how long the oldest of a kind has.", _age(oldest, now), {"kind": kind})
    unchecked = Picture.objects.filter(status=Picture.NEW).count()
    yield Gauge("pictures_unchecked", "Screenshots that wait for their check.", unchecked)


def oldest_deadline() -> datetime | None:
    """The earliest open deadline there is, past or to come."""
    ends = (
        table.objects.filter(deadline_at__isnull=False).aggregate(end=Min("deadline_at"))["end"] for table in CLOCKS
    )
    return min((end for end in ends if end), default=None)


def _age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
