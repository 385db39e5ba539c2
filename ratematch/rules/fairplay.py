"""Fair play (rules §4): what is punishable, how points make a level, and what a level takes away.

Points and thresholds are secret: they come in as a `Policy`, which only moderators with the right see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class Category(StrEnum):
    """What a report or a penalty is for (§4)."""

    DISCONNECT = "disconnect"
    FALSE_RESULT = "false_result"
    FALSE_EVIDENCE = "false_evidence"
    ABANDONING = "abandoning"
    MATCHING = "matching"
    ABUSE = "abuse"
    CHAT = "chat"
    EARLY_REPORT = "early_report"


class Level(StrEnum):
    """From best to worst; as words they are in that order too, so `max` is the worse of two."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


DEFAULT_POINTS = {
    Category.DISCONNECT: 3,
    Category.FALSE_RESULT: 3,
    Category.FALSE_EVIDENCE: 4,
    Category.ABANDONING: 2,
    Category.MATCHING: 6,
    Category.ABUSE: 2,
    Category.CHAT: 1,
    Category.EARLY_REPORT: 1,
}
"""Points of each category until somebody sets others (§4)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How points become levels (§4's defaults). `leaves` is 0 where leaving isn't counted."""

    points: Mapping[Category, int] = field(default_factory=lambda: dict(DEFAULT_POINTS))
    b_from: int = 3
    c_from: int = 6
    d_from: int = 10
    lasts: timedelta = timedelta(days=30)
    reports: int = 3
    reports_within: timedelta = timedelta(days=14)
    leaves: int = 4
    leaves_within: timedelta = timedelta(days=7)
    leaves_cost: bool = False

    def level(self, points: int) -> Level:
        """The level of so many points."""
        if points >= self.d_from:
            return Level.D
        if points >= self.c_from:
            return Level.C
        return Level.B if points >= self.b_from else Level.A


@dataclass(frozen=True, slots=True)
class Effects:
    """What a level means for the one who has it."""

    streak_shown: bool
    regular_tournaments: bool
    gains_halved: bool
    may_play: bool  # queue, tournaments, free matches


EFFECTS = {
    Level.A: Effects(streak_shown=True, regular_tournaments=True, gains_halved=False, may_play=True),
    Level.B: Effects(streak_shown=False, regular_tournaments=False, gains_halved=False, may_play=True),
    Level.C: Effects(streak_shown=False, regular_tournaments=False, gains_halved=True, may_play=True),
    Level.D: Effects(streak_shown=False, regular_tournaments=False, gains_halved=True, may_play=False),
}
"""§4's table, row by row."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands: points that count now, the level they make, and when the next of them expire."""

    points: int
    level: Level
    until: datetime | None


def standing(penalties: Iterable[tuple[int, datetime]], now: datetime, policy: Policy) -> Standing:
    """Where penalties, each points and the moment from which they count no more, put a player at `now`."""
    counting = [(points, expires_at) for points, expires_at in penalties if expires_at > now]
    points = sum(points for points, _expires_at in counting)
    return Standing(points, policy.level(points), min((expires_at for _points, expires_at in counting), default=None))


@dataclass(frozen=True, slots=True)
class Filed:
    """A report, as the pattern of reports sees it."""

    category: Category
    reporter: int
    at: datetime


def pattern(reports: Iterable[Filed], now: datetime, policy: Policy) -> list[Category]:
    """The categories that enough different opponents have reported within the policy's time (§4).

    Reports that have already cost something are the caller's to leave out.
    """
    reporters: dict[Category, set[int]] = defaultdict(set)
    for report in reports:
        if now - policy.reports_within < report.at <= now:
            reporters[report.category].add(report.reporter)
    return [category for category in Category if len(reporters[category]) >= policy.reports]
