"""Where a chart's lines go. The drawing is a template; this is only arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

STEPS = (10, 20, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and the value that it stands for."""

    at: float
    value: int | datetime


@dataclass(frozen=True, slots=True)
class Drawing:
    """A rating chart in its own coordinates, which are rounded as far as a screen can show."""

    width: int
    height: int
    left: float
    right: float
    bottom: float
    levels: list[Tick]
    dates: list[Tick]
    points: list[tuple[float, float]]

    @property
    def polyline(self) -> str:
        """The points as an SVG attribute."""
        return " ".join(f"{x},{y}" for x, y in self.points)

    @property
    def dots(self) -> str:
        """All but the newest value as one SVG path: strokes of no length, which round caps make dots."""
        return "".join(f"M{x} {y}h0" for x, y in self.points[:-1])

    @property
    def last(self) -> tuple[float, float]:
        """Where the newest value is drawn."""
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Chart:
    """Ratings over time, oldest first."""

    values: list[tuple[datetime, int]]

    @property
    def wide(self) -> Drawing:
        """For a wide page."""
        return _draw(self.values, 700, 200, dates=4)

    @property
    def narrow(self) -> Drawing:
        """For a narrow page."""
        return _draw(self.values, 340, 220, dates=3)

    @property
    def first(self) -> tuple[datetime, int]:
        """The oldest value."""
        return self.values[0]

    @property
    def last(self) -> tuple[datetime, int]:
        """The newest value."""
        return self.values[-1]

    @property
    def newest_first(self) -> list[tuple[datetime, int]]:
        """The values for a table."""
        return self.values[::-1]

    @property
    def lowest(self) -> int:
        """The lowest rating shown."""
        return min(rating for _at, rating in self.values)

    @property
    def highest(self) -> int:
        """The highest rating shown."""
        return max(rating for _at, rating in self.values)


def rating_chart(values: Sequence[tuple[datetime, int]]) -> Chart | None:
    """A chart of ratings by time, oldest first; None with fewer than two, since one point shows no course."""
    if len(values) < 2:
        return None
    return Chart(list(values))


def _draw(values: Sequence[tuple[datetime, int]], width: int, height: int, *, dates: int) -> Drawing:
    left, right, top, bottom = 44.0, width - 52.0, 24.0, height - 42.0
    ratings = [rating for _at, rating in values]
    step = next((s for s in STEPS if (max(ratings) - min(ratings)) / s <= 4), STEPS[-1])
    low = min(ratings) // step * step
    high = max(-(-max(ratings) // step) * step, low + step)

    def x(index: int) -> float:
        return round(left + (right - left) * index / (len(values) - 1), 1)

    def y(rating: int) -> float:
        return round(bottom - (bottom - top) * (rating - low) / (high - low), 1)

    shown = sorted({round(i * (len(values) - 1) / (dates - 1)) for i in range(dates)})
    return Drawing(
        width=width,
        height=height,
        left=left,
        right=right,
        bottom=bottom,
        levels=[Tick(y(level), level) for level in range(low, high + 1, step)],
        dates=[Tick(x(index), values[index][0]) for index in shown],
        points=[(x(index), y(rating)) for index, rating in enumerate(ratings)],
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """Results against one group of opponents. Widths are percent of the widest group."""

    key: str
    wins: int
    draws: int
    losses: int

    @property
    def total(self) -> int:
        """All results of the group."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> int | None:
        """Percent of the points taken, None without a result."""
        return round(100 * (self.wins + self.draws / 2) / self.total) if self.total else None


STRENGTHS = (
    ("weaker_far", -100_000, -200),
    ("weaker", -200, -50),
    ("even", -50, 51),
    ("stronger", 51, 201),
    ("stronger_far", 201, 100_000),
)


def by_strength(results: Sequence[tuple[int, str]]) -> list[Bar]:
    """Results grouped by how much stronger the opponent was: (rating difference, "win" | "draw" | "loss") pairs."""
    bars = []
    for key, low, high in STRENGTHS:
        words = [word for gap, word in results if low <= gap < high]
        bars.append(Bar(key, words.count("win"), words.count("draw"), words.count("loss")))
    return bars
