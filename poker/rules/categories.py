"""What three cards make (rules §2), what the joker makes of two (§3), and what a win with them does."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from poker.rules.cards import BIT, DECK, JOKER_BITS, RANKS, SUIT_BITS, SUITS, Bits, Card, to_bits, to_cards
from poker.rules.errors import BothJokers, NotThreeCards, SameCardTwice


class Category(IntEnum):
    """The seven categories of §2; the stronger is the greater."""

    NO_PAIR = 0
    ONE_PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    ROYAL_FLUSH = 6

    @property
    def letter(self) -> str:
        """The letter of §2's table: S for the royal flush, then A to F."""
        return "FEDCBAS"[self]


class Three(NamedTuple):
    """Three cards and all that the rules want to know of them."""

    cards: tuple[Card, ...]
    category: Category
    strength: int  # decides a round: the greater wins, equal is a tie
    keeps: bool  # a winner's own three go to his score pile
    takes: int  # so many of the loser's score cards ...
    suit: Bits  # ... of this suit, given as all of its cards; 0 when nothing is taken


ALL_OF_SUIT: Final = len(RANKS)
KEEPS: Final = {Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.STRAIGHT}
TAKES: Final = {
    Category.ROYAL_FLUSH: ALL_OF_SUIT,
    Category.STRAIGHT_FLUSH: 3,
    Category.THREE_OF_A_KIND: ALL_OF_SUIT,
    Category.FLUSH: 1,
}

# Consecutive ranks: A-2-3, 2-3-4 ... Q-K-A. The ace is low in the first and high in the last; K-A-2 is none (§2).
_LADDER: Final = "A" + RANKS
_STRAIGHTS: Final = {frozenset(_LADDER[low : low + 3]) for low in range(len(_LADDER) - 2)}


def category(cards: Iterable[Card]) -> Category:
    """What three cards make, at most one of them a joker.

    Raises NotThreeCards, UnknownCard, SameCardTwice, BothJokers.
    """
    return THREES[three_bits(cards)].category


def beats(a: Iterable[Card], b: Iterable[Card]) -> bool | None:
    """True if the three cards `a` win against `b`, False if they lose, None for a tie (§1, §3).

    Raises NotThreeCards, UnknownCard, SameCardTwice, BothJokers.
    """
    ours, theirs = THREES[three_bits(a)].strength, THREES[three_bits(b)].strength
    return None if ours == theirs else ours > theirs


def three_bits(cards: Iterable[Card]) -> Bits:
    """The set of three different cards, at most one a joker. Raises as `category` does."""
    try:
        cards = tuple(cards)
    except TypeError:
        raise NotThreeCards(0) from None
    if len(cards) != 3:
        raise NotThreeCards(len(cards))
    bits = to_bits(cards)
    if bits.bit_count() != 3:
        raise SameCardTwice
    if bits & JOKER_BITS == JOKER_BITS:
        raise BothJokers
    return bits


class _Threes(dict[Bits, Three]):
    """Each of the 24,752 possible threes, worked out when it is first asked for."""

    def __missing__(self, bits: Bits) -> Three:
        three = self[bits] = _three(to_cards(bits))
        return three


THREES: Final = _Threes()


def _three(cards: tuple[Card, ...]) -> Three:
    three_bits(cards)
    natural = [card for card in cards if not BIT[card] & JOKER_BITS]
    if len(natural) == 2:
        made = _with_joker(natural)
        # §3: in a tie of categories the side without a joker wins; a win with one has no effect beyond winning.
        return Three(cards, made, 2 * made, keeps=False, takes=0, suit=0)
    made = _natural(cards)
    takes = TAKES.get(made, 0)
    return Three(cards, made, 2 * made + 1, made in KEEPS, takes, SUIT_BITS[_taken_suit(made, cards)] if takes else 0)


def _natural(cards: Iterable[Card]) -> Category:
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    consecutive, suited = ranks in _STRAIGHTS, len(suits) == 1
    if consecutive and suited:
        return Category.ROYAL_FLUSH if ranks == set("QKA") else Category.STRAIGHT_FLUSH
    if len(ranks) == 1:
        return Category.THREE_OF_A_KIND
    if consecutive:
        return Category.STRAIGHT
    if suited:
        return Category.FLUSH
    return Category.ONE_PAIR if len(ranks) == 2 else Category.NO_PAIR


def _with_joker(two: list[Card]) -> Category:
    """The strongest category that any card makes with these two, but never a royal flush (§3)."""
    strongest = max(_natural([*two, card]) for card in DECK if card not in two)
    return min(strongest, Category.STRAIGHT_FLUSH)


def _taken_suit(made: Category, cards: tuple[Card, ...]) -> str:
    """The suit that is taken from: that of the cards, but for three of a kind the one that is missing (§2)."""
    suits = {card[1] for card in cards}
    if made is Category.THREE_OF_A_KIND:
        return next(suit for suit in SUITS if suit not in suits)
    return suits.pop()
