"""How the moderators' work goes: what waits, how long it takes, who does how much (rules §5).

Nothing here reads all cases that ever were: the newest `COUNTED` are read by primary key, and those of the window that
are asked for are counted in Python. A site that closes more than that within a window is told so.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median, quantiles
from typing import Any

from django.db.models import Count, Min

from accounts.models import User
from ratematch.models import Case, Penalty, Ruling

COUNTED = 5_000
WINDOWS = (7, 30, 90)
"""Days to choose from."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Cases of one kind that wait: how many, how many of them taken, since when the oldest."""

    kind: str
    name: str
    count: int
    taken: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Times:
    """How long cases took from opening to closing; None of none."""

    name: str
    count: int
    median: timedelta | None
    slowest_twentieth: timedelta | None


@dataclass(slots=True)
class Work:
    """What one moderator did."""

    name: str
    closed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    penalties: int = 0
    replaced: int = 0
    times: list[timedelta] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Cases closed, of all kinds."""
        return sum(self.closed.values())

    @property
    def row(self) -> list[tuple[str, int]]:
        """The name of each kind, in the order of `Case.KINDS`, and how many cases of it were closed."""
        return [(str(name), self.closed[kind]) for kind, name in Case.KINDS]

    @property
    def median(self) -> timedelta | None:
        """The median time from opening to closing."""
        return middle(self.times)


def middle(times: list[timedelta]) -> timedelta | None:
    """The median, or None of none."""
    return timedelta(seconds=median(time.total_seconds() for time in times)) if times else None


def ninety_fifth(times: list[timedelta]) -> timedelta | None:
    """The time that 95 of 100 stay within, or None of none."""
    seconds = sorted(time.total_seconds() for time in times)
    if len(seconds) < 2:
        return times[0] if times else None
    return timedelta(seconds=quantiles(seconds, n=20, method="inclusive")[-1])


def waiting() -> list[Waiting]:
    """What waits now, by kind."""
    rows = Case.objects.filter(closed_at=None).order_by().values("kind")
    none: dict[str, Any] = {"n": 0, "taken": 0, "since": None}
    found: dict[str, dict[str, Any]] = {
        row["kind"]: dict(row) for row in rows.annotate(n=Count("pk"), taken=Count("taken_by"), since=Min("opened_at"))
    }
    return [
        Waiting(kind, str(name), row["n"], row["taken"], row["since"])
        for kind, name in Case.KINDS
        for row in [found.get(kind, none)]
    ]


@dataclass(frozen=True, slots=True)
class Figures:
    """A window's figures. `complete` unless there were more cases in it than are counted."""

    times: list[Times]
    work: list[Work]
    complete: bool


def figures(now: datetime, days: int) -> Figures:
    """Of cases closed by somebody within the last so many days."""
    since = now - timedelta(days=days)
    columns = ("kind", "opened_at", "closed_at", "closed_by")
    newest = list(Case.objects.order_by("-pk").values_list(*columns)[:COUNTED])
    by_kind: dict[str, list[timedelta]] = defaultdict(list)
    work: dict[int, Work] = {}
    for kind, opened_at, closed_at, closed_by in newest:
        if closed_at is None or closed_at < since or closed_by is None:
            continue
        by_kind[kind].append(closed_at - opened_at)
        mine = work.setdefault(closed_by, Work(""))
        mine.closed[kind] += 1
        mine.times.append(closed_at - opened_at)
    _add_rulings_and_penalties(work, since)
    for pk, name in User.objects.filter(pk__in=work).values_list("pk", "display_name"):
        work[pk].name = name
    every = [time for times in by_kind.values() for time in times]
    times = [_times(str(name), by_kind[kind]) for kind, name in Case.KINDS]
    return Figures(
        times=[*times, _times("", every)],
        work=sorted(work.values(), key=lambda row: (-row.total, row.name)),
        complete=len(newest) < COUNTED or newest[-1][1] < since,
    )


def _times(name: str, times: list[timedelta]) -> Times:
    return Times(name, len(times), middle(times), ninety_fifth(times))


def _add_rulings_and_penalties(work: dict[int, Work], since: datetime) -> None:
    """Count penalties that moderators gave, and rulings of theirs that were replaced later."""
    given = Penalty.objects.order_by("-pk").values_list("by", "at")[:COUNTED]
    for by, at in given:
        if by is not None and at >= since:
            work.setdefault(by, Work("")).penalties += 1
    later = Ruling.objects.order_by("-pk").values_list("at", "replaces__moderator")[:COUNTED]
    for at, overturned in later:
        if overturned is not None and at >= since:
            work.setdefault(overturned, Work("")).replaced += 1
