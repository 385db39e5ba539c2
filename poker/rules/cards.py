"""The 54 cards (rules §1).

A card is a text: rank, then suit (`As`, `Th`, `2c`); `X1` is the joker of seat 0, `X2` that of seat 1. Inside, a set of
cards is an int, `Bits`, with a bit for each card: unions, counts and "the highest of a suit" are one operation each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from poker.rules.errors import UnknownCard

Card: TypeAlias = str
Bits: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "shdc"
JOKERS: Final = ("X1", "X2")

# The 52 in a fixed order: suits as in SUITS, in each from the two up to the ace. Card i has bit 1 << i.
DECK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS: Final[tuple[Card, ...]] = DECK + JOKERS
BIT: Final[dict[Card, Bits]] = {card: 1 << place for place, card in enumerate(CARDS)}

SUIT_BITS: Final[dict[str, Bits]] = {
    suit: ((1 << len(RANKS)) - 1) << place * len(RANKS) for place, suit in enumerate(SUITS)
}
JOKER_BITS: Final[Bits] = BIT["X1"] | BIT["X2"]
DECK_BITS: Final[Bits] = (1 << len(DECK)) - 1
ALL_BITS: Final[Bits] = DECK_BITS | JOKER_BITS

# What a card in a score pile counts at the end, §1.
SUIT_POINTS: Final = {"s": 4, "h": 3, "d": 2, "c": 1}
JOKER_POINTS: Final = 10
ALL_POINTS: Final = sum(SUIT_POINTS.values()) * len(RANKS) + JOKER_POINTS * len(JOKERS)

_POINTS: Final = [(SUIT_BITS[suit], points) for suit, points in SUIT_POINTS.items()] + [(JOKER_BITS, JOKER_POINTS)]


def to_bits(cards: Iterable[Card]) -> Bits:
    """The set of these cards. Raises UnknownCard."""
    bits = 0
    for card in cards:
        try:
            bits |= BIT[card]
        except (KeyError, TypeError):
            raise UnknownCard(card) from None
    return bits


def to_cards(bits: Bits) -> tuple[Card, ...]:
    """The cards of this set, in the order of CARDS."""
    cards = []
    while bits:
        lowest = bits & -bits
        cards.append(CARDS[lowest.bit_length() - 1])
        bits ^= lowest
    return tuple(cards)


def points_of(bits: Bits) -> int:
    """What these cards count in a score pile (§1)."""
    return sum((bits & kind).bit_count() * points for kind, points in _POINTS)


def highest(bits: Bits, count: int) -> Bits:
    """The `count` highest cards of a set that is of one suit; all of it when there are fewer."""
    excess = bits.bit_count() - count
    while excess > 0:
        bits &= bits - 1  # drops the lowest
        excess -= 1
    return bits
