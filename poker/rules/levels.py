"""What a game against the computer pays (rules §4): points, chips, tiers, ranking points.

A game's `difference` is the player's points less the computer's: above 0 he won. Its size is the game's score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """One row of §4's table of levels."""

    code: str
    factor: int  # a win's points are the score times this; a loss costs the score itself
    chips_to_enter: int
    chips_lost: int  # by a loss; reserved when the game starts
    open_hands: bool  # whether the player sees the computer's hand


LEVELS: Final = {
    level.code: level
    for level in (
        Level("beginner", factor=1, chips_to_enter=0, chips_lost=0, open_hands=True),
        Level("intermediate", factor=2, chips_to_enter=10, chips_lost=3, open_hands=True),
        Level("advanced", factor=3, chips_to_enter=50, chips_lost=10, open_hands=False),
        Level("expert", factor=5, chips_to_enter=200, chips_lost=30, open_hands=False),
    )
}

# From so many total points on, a win's chips are multiplied by so much; below the first row by what it says.
TIERS: Final = ((0, 1), (500, 2), (2_000, 3), (5_000, 4), (10_000, 5))
CHIPS_FOR_A_WIN: Final = 1
SCORE_FOR_ANOTHER_CHIP: Final = 20
RANKED_GAMES: Final = 10
FORFEIT_SCORE: Final = 60
ABANDONED_AFTER_S: Final = 24 * 60 * 60


def points_change(level: Level, difference: int) -> int:
    """The points that a game earns, or costs when it is negative."""
    return difference * level.factor if difference > 0 else difference


def chips_change(level: Level, difference: int, total_points: int) -> int:
    """The chips that a game earns, or costs when it is negative; `total_points` are those before the game."""
    if difference > 0:
        return (CHIPS_FOR_A_WIN + difference // SCORE_FOR_ANOTHER_CHIP) * tier(total_points)
    return -level.chips_lost if difference < 0 else 0


def tier(total_points: int) -> int:
    """What a win's chips are multiplied by at so many total points, which may be below zero."""
    return max((factor for start, factor in TIERS if total_points >= start), default=TIERS[0][1])


def may_enter(level: Level, chips: int) -> bool:
    """Whether so many chips are enough to start a game at this level."""
    return chips >= level.chips_to_enter


def forfeit_difference(own_points: int, computer_points: int) -> int:
    """The difference of a game that is given up or abandoned with these points in the score piles: always a loss."""
    return -max(FORFEIT_SCORE, computer_points - own_points)


def ranking_points(points: Sequence[int]) -> int | None:
    """The best sum over ten consecutive games, from the points of all games in the order in which they were started.

    None with fewer than ten games. To go on from a stored best, take the greater of it and this of the last ten.
    """
    if len(points) < RANKED_GAMES:
        return None
    best = current = sum(points[:RANKED_GAMES])
    for leaving, coming in zip(points, points[RANKED_GAMES:], strict=False):
        current += coming - leaving
        best = max(best, current)
    return best
