"""What one seat may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from poker.rules.cards import ALL_BITS, Card, to_bits, to_cards

if TYPE_CHECKING:
    from poker.rules.game import RoundResult


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat sees it before it chooses. Two games that differ only in what is hidden have equal views.

    `score_piles`, `points` and the pairs in `history` are by seat: seat 0's first.
    """

    seat: int
    round: int
    finished: bool
    hand: tuple[Card, ...]
    other_count: int  # cards in the other hand
    other_hand: tuple[Card, ...] | None  # None where it is hidden
    deck_count: int
    score_piles: tuple[tuple[Card, ...], tuple[Card, ...]]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    points: tuple[int, int]
    history: tuple[RoundResult, ...]

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that are in the deck or in the other hand."""
        seen = (*self.hand, *self.score_piles[0], *self.score_piles[1], *self.stock, *self.discards)
        return to_cards(ALL_BITS & ~to_bits(seen))
