"""Ratings (§3): Elo with a handicap for the first move, and factors for strength, speed and risk.

Ratings are `Decimal`, kept to two decimals, so that what is stored is what was computed; scores are floats from 0 to 1.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from enum import Enum, StrEnum
from fractions import Fraction

INITIAL = Decimal("1500.00")
KEPT = Decimal("0.01")
SCALE = 400
FIRST_MOVE = 100
"""What moving first is worth, in rating points."""

K_BANDS = (  # §3: below the bound, K; half-open, so 1999.99 has 25
    (Decimal(1800), 30),
    (Decimal(2000), 25),
    (Decimal(2200), 20),
    (Decimal(2400), 15),
)
K_HIGHEST = 10

SLOW_FROM_S = 20 * 60
BLITZ_TO_S = 5 * 60
COUNTED_MOVES = 40
"""How many increments count as time that a player has [ours]."""

UNRATED_ABOVE = Decimal(2200)


class Kind(StrEnum):
    """The two ratings that a player has."""

    SLOW = "slow"
    RAPID = "rapid"


class Category(Enum):
    """What kind of game the time per side makes it: (name, the rating that it moves, speed factor S)."""

    SLOW = ("slow", Kind.SLOW, Fraction(1))
    RAPID = ("rapid", Kind.RAPID, Fraction(1))
    BLITZ = ("blitz", Kind.RAPID, Fraction(1, 2))

    def __init__(self, label: str, kind: Kind, speed_factor: Fraction) -> None:
        self.label = label
        self.kind = kind
        self.speed_factor = speed_factor


class Venue(Enum):
    """Where a game is played: (name, risk factor R)."""

    FREE = ("free", 1)
    RING = ("ring", 2)
    TOURNAMENT = ("tournament", 1)  # [ours]

    def __init__(self, label: str, risk_factor: int) -> None:
        self.label = label
        self.risk_factor = risk_factor


def category(base_s: int, increment_s: int = 0) -> Category:
    """The category of a game with `base_s` seconds a side and `increment_s` more for each move."""
    time_s = base_s + COUNTED_MOVES * increment_s
    if time_s >= SLOW_FROM_S:
        return Category.SLOW
    return Category.RAPID if time_s > BLITZ_TO_S else Category.BLITZ


def is_rated(own: Decimal, opponent: Decimal, venue: Venue) -> bool:
    """Whether a game counts: outside rings and tournaments not when either side is above 2200.

    Both ratings are those of the game's kind, before it.
    """
    return venue is not Venue.FREE or max(own, opponent) <= UNRATED_ABOVE


def k_factor(own: Decimal) -> int:
    """K by one's own rating. The table in the seed leaves exactly 2400 open; here it has 10 [ours]."""
    return next((k for bound, k in K_BANDS if own < bound), K_HIGHEST)


def expected_score(own: Decimal, opponent: Decimal, *, moves_first: bool) -> float:
    """The share of the point that one is expected to take, 0 to 1; the two players' shares add up to 1."""
    difference = opponent - own + (-FIRST_MOVE if moves_first else FIRST_MOVE)
    return float(1 / (10 ** (float(difference) / SCALE) + 1))


def rating_change(
    own: Decimal, opponent: Decimal, result: float, *, moves_first: bool, category: Category, venue: Venue
) -> Decimal:
    """The change of one's own rating, to two decimals; `result` is 1 won, 0.5 drawn, 0 lost.

    Ratings are those of the game's kind, before it. Ask `is_rated` first: this answers whether or not it counts.

    Raises:
        ValueError: `result` is none of the three.
    """
    if result not in (0, 0.5, 1):
        raise ValueError(f"a result is 1, 0.5 or 0, not {result!r}")
    factor = k_factor(own) * category.speed_factor * venue.risk_factor
    change = float(factor) * (result - expected_score(own, opponent, moves_first=moves_first))
    return Decimal(change).quantize(KEPT, ROUND_HALF_EVEN)


def shown(rating: Decimal) -> int:
    """A rating as pages show it: a whole number, the kept decimals rounded off."""
    return int(rating.quantize(Decimal(1), ROUND_HALF_EVEN))
