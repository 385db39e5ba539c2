"""Ratings (rules §1). Elo with K = 32, a floor at 1200, and halved gains for the lower fair-play levels."""

from __future__ import annotations

INITIAL = 1200
FLOOR = 1200
K = 32
SCALE = 400


def expected_score(own: int, opponent: int) -> float:
    """The share of the point that a player rated `own` is expected to take from one rated `opponent` (0 to 1)."""
    return float(1 / (1 + 10 ** ((opponent - own) / SCALE)))


def exact_change(own: int, opponent: int, result: float, *, halved: bool = False) -> float:
    """The change before rounding and before the floor; `result` is 1 won, 0.5 drawn, 0 lost.

    Only a gain is halved, and the exact gain is, so that rounding happens once (§1).
    """
    if result not in (0, 0.5, 1):
        raise ValueError(f"a result is 1, 0.5 or 0, not {result!r}")
    change = K * (result - expected_score(own, opponent))
    return change / 2 if halved and change > 0 else change


def rating_change(own: int, opponent: int, result: float, *, halved: bool = False) -> int:
    """The change in whole points, before the floor."""
    return round(exact_change(own, opponent, result, halved=halved))


def apply_change(rating: int, change: int) -> int:
    """The new rating: never below the floor, never capped (§1)."""
    return max(FLOOR, rating + change)
