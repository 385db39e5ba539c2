"""Titles (§4): what a player has reached in rings, or, before any ring, what his rating says.

A title's words are Chinese in every language; they are names, like a dan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, IntEnum

from xiangqi.rules.ratings import Kind

NUMERALS = "零一二三四五六七八九"
HIGHEST_STEP = 9
DEFENCE_POINTS_PER_STEP = 2
RATING_ZERO, RATING_STEP = 1000, 100


class Rank(IntEnum):
    """Which title is shown when a player has several: the highest [ours]."""

    RATING = 0
    GATE = 1
    CHAMPION = 2
    TOP = 3  # the six without names in the seed: the administrator defines and awards them


class GateTitles(Enum):
    """What the gates of a ring give: (last character, name of the first gate, kind of games)."""

    DUO = ("舵", "一舵", Kind.SLOW)  # 星海湖
    JI = ("级", "初级", Kind.SLOW)  # 岳阳楼
    XIAN = ("弦", "一弦", Kind.RAPID)  # the seed writes the first as 1弦, beside 二弦: taken as a slip [ours]

    def __init__(self, character: str, first: str, kind: Kind) -> None:
        self.character = character
        self.first = first
        self.kind = kind


CHAMPION_CHARACTERS = {Kind.SLOW: "段", Kind.RAPID: "星"}
RATING_LETTERS = {Kind.SLOW: "r", Kind.RAPID: "f"}


@dataclass(frozen=True, slots=True, order=True)
class Title:
    """A title; the larger of two is the one that is shown.

    Args:
        rank: which class of titles.
        step: how high in it: the gate, the dan, the star, or n of nr.
        name: as it is printed.
    """

    rank: Rank
    step: int
    name: str = field(compare=False)


def gate_title(titles: GateTitles, gate: int) -> Title:
    """The title of who has beaten gate `gate`, 1 to 9, and none higher.

    Raises:
        ValueError: there is no such gate.
    """
    if not 1 <= gate <= HIGHEST_STEP:
        raise ValueError(f"gates are 1 to {HIGHEST_STEP}, not {gate!r}")
    return Title(Rank.GATE, gate, titles.first if gate == 1 else NUMERALS[gate] + titles.character)


def champion_title(kind: Kind, defence_points: int) -> Title | None:
    """The title of a champion who has held `defence_points` at most; None below two, nine the highest."""
    step = min(defence_points // DEFENCE_POINTS_PER_STEP, HIGHEST_STEP)
    return Title(Rank.CHAMPION, step, NUMERALS[step] + CHAMPION_CHARACTERS[kind]) if step > 0 else None


def rating_title(kind: Kind, rating: Decimal) -> Title:
    """`nr` or `nf`, by the rating of that kind; n is cut, and at least 0 [ours]."""
    step = max(0, int((rating - RATING_ZERO) // RATING_STEP))
    return Title(Rank.RATING, step, f"{step}{RATING_LETTERS[kind]}")


def shown_title(kind: Kind, rating: Decimal, reached: Iterable[Title]) -> Title:
    """The title that is shown: the highest of those `reached`, or else the one of the rating [ours].

    Of two gate titles the higher gate's counts; of two equal ones the first of `reached`.
    """
    return max(reached, default=rating_title(kind, rating))
