"""What three cards make (rules §2), what the joker makes of two (§3), and what a win with them does."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from poker.rules.cards import BIT, DECK, JOKER_BITS, JOKERS, RANKS, SUIT_BITS, SUITS, Bits, Card, to_bits, to_cards
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
    bits: Bits
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
    return three_of(cards).category


def beats(a: Iterable[Card], b: Iterable[Card]) -> bool | None:
    """True if the three cards `a` win against `b`, False if they lose, None for a tie (§1, §3).

    Raises NotThreeCards, UnknownCard, SameCardTwice, BothJokers.
    """
    ours, theirs = three_of(a).strength, three_of(b).strength
    return None if ours == theirs else ours > theirs


def three_of(cards: Iterable[Card]) -> Three:
    """What the rules know of these three different cards. Raises as `category` does."""
    try:
        a, b, c = cards = tuple(cards)
    except TypeError:
        raise NotThreeCards(0) from None
    except ValueError:
        raise NotThreeCards(len(tuple(cards))) from None
    try:
        return THREES[BIT[a] | BIT[b] | BIT[c]]
    except (KeyError, TypeError):
        to_bits(cards)  # says which card isn't one
        raise


class _Threes(dict[Bits, Three]):
    """Each of the 24,752 possible threes, worked out when it is first asked for."""

    def __missing__(self, bits: Bits) -> Three:
        if bits.bit_count() != 3:
            raise SameCardTwice
        if bits & JOKER_BITS == JOKER_BITS:
            raise BothJokers
        three = self[bits] = _three(bits)
        return three


THREES: Final = _Threes()


def _three(bits: Bits) -> Three:
    cards = to_cards(bits)
    if bits & JOKER_BITS:
        made = _with_joker([card for card in cards if card not in JOKERS])
        # §3: in a tie of categories the side without a joker wins; a win with one has no effect beyond winning.
        return Three(cards, bits, made, 2 * made, keeps=False, takes=0, suit=0)
    made = _natural(cards)
    takes = TAKES.get(made, 0)
    suit = SUIT_BITS[_taken_suit(made, cards)] if takes else 0
    return Three(cards, bits, made, 2 * made + 1, made in KEEPS, takes, suit)


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
