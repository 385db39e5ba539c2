"""Nine rounds (rules §1 to §3): deal, choose, compare, move the cards, count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from poker.rules.cards import (
    DECK,
    DECK_BITS,
    JOKERS,
    Bits,
    Card,
    highest,
    points_of,
    to_bits,
    to_cards,
)
from poker.rules.categories import Category, Three, three_of
from poker.rules.errors import BadDeck, BadSeat, CardNotHeld, GameFinished
from poker.rules.view import View

Seat: TypeAlias = Literal[0, 1]

ROUNDS: Final = 9
FIRST_DRAW: Final = 5
DRAW: Final = 3
NO_CARDS: Final[tuple[Card, ...]] = ()


class RoundResult(NamedTuple):
    """What a round came to and where every card went. Each three is in the order of `CARDS`."""

    round: int
    shown: tuple[tuple[Card, ...], tuple[Card, ...]]
    categories: tuple[Category, Category]
    winner: Seat | None  # None for a tie
    captured: tuple[Card, ...] = ()  # the loser's three, to the winner's score pile
    kept: tuple[Card, ...] = ()  # the winner's own three, to his score pile ...
    discarded: tuple[Card, ...] = ()  # ... or to the discards
    taken: tuple[Card, ...] = ()  # from the loser's score pile to the winner's
    stock_won: tuple[Card, ...] = ()  # the whole stock, to the winner's score pile
    stocked: tuple[Card, ...] = ()  # in a tie all six, to the stock


class Game:
    """A game in progress. `play` is the only thing that changes it.

    Args:
        deck: the 52 cards in drawing order. Round 1: seat 0 takes the first five, seat 1 the next five; later rounds:
            seat 0 three, then seat 1 three.

    Raises BadDeck, UnknownCard.
    """

    __slots__ = ("_deck", "_discards", "_drawn", "_hands", "_history", "_piles", "_stock")

    def __init__(self, deck: Sequence[Card]) -> None:
        self._deck = tuple(deck)
        if len(self._deck) != len(DECK) or to_bits(self._deck) != DECK_BITS:
            raise BadDeck
        # §1: a joker each, and five cards.
        self._hands: tuple[tuple[Card, ...], tuple[Card, ...]] = (
            (JOKERS[0], *self._deck[:FIRST_DRAW]),
            (JOKERS[1], *self._deck[FIRST_DRAW : 2 * FIRST_DRAW]),
        )
        self._drawn = 2 * FIRST_DRAW
        self._piles: list[Bits] = [0, 0]
        self._stock: list[Three] = []
        self._discards: Bits = 0
        self._history: list[RoundResult] = []

    @property
    def deck(self) -> tuple[Card, ...]:
        """All 52 cards in drawing order, drawn or not."""
        return self._deck

    @property
    def round(self) -> int:
        """The round that is being played, 1 to 9; 9 when the game is finished."""
        return min(len(self._history) + 1, ROUNDS)

    @property
    def finished(self) -> bool:
        """Whether all nine rounds were played."""
        return len(self._history) == ROUNDS

    @property
    def hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both hands, in the order in which the cards came."""
        return self._hands

    @property
    def score_piles(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both score piles."""
        return to_cards(self._piles[0]), to_cards(self._piles[1])

    @property
    def stock(self) -> tuple[Card, ...]:
        """What the next winner takes, in the order in which it came; after round 9 it counts for nobody."""
        return tuple(card for three in self._stock for card in three.cards)

    @property
    def discards(self) -> tuple[Card, ...]:
        """Cards that are out for good."""
        return to_cards(self._discards)

    @property
    def history(self) -> tuple[RoundResult, ...]:
        """The rounds played so far."""
        return tuple(self._history)

    def points(self) -> tuple[int, int]:
        """What both score piles count now."""
        return points_of(self._piles[0]), points_of(self._piles[1])

    def check(self, seat: int, three: Iterable[Card]) -> tuple[Card, ...]:
        """The three cards, in the order of `CARDS`, if this seat may play them now.

        Raises GameFinished, BadSeat, NotThreeCards, UnknownCard, SameCardTwice, BothJokers, CardNotHeld.
        """
        check_seat(seat)
        return self._choice(seat, three)[0].cards

    def play(self, three0: Iterable[Card], three1: Iterable[Card]) -> RoundResult:
        """Show both sets, move the cards, draw for the next round.

        Raises as `check` does, and then nothing has changed.
        """
        choice0, left0 = self._choice(0, three0)
        choice1, left1 = self._choice(1, three1)
        result = self._resolve(choice0, choice1)
        self._history.append(result)
        # For round 9 nothing is left to draw (§1).
        middle, end = self._drawn + DRAW, self._drawn + 2 * DRAW
        self._hands = (*left0, *self._deck[self._drawn : middle]), (*left1, *self._deck[middle:end])
        self._drawn = end
        return result

    def view(self, seat: int, *, open_hands: bool = False) -> View:
        """All that this seat may know; with `open_hands` (§4, the lower levels) that is the other hand too.

        Raises BadSeat.
        """
        check_seat(seat)
        other = self._hands[1 - seat]
        return View(
            seat=seat,
            round=self.round,
            finished=self.finished,
            hand=self._hands[seat],
            other_count=len(other),
            other_hand=to_cards(to_bits(other)) if open_hands else None,
            deck_count=max(len(self._deck) - self._drawn, 0),
            score_piles=self.score_piles,
            stock=self.stock,
            discards=self.discards,
            points=self.points(),
            history=self.history,
        )

    def _choice(self, seat: int, cards: Iterable[Card]) -> tuple[Three, list[Card]]:
        """The three cards and what stays in hand."""
        if len(self._history) == ROUNDS:
            raise GameFinished
        three, left = three_of(cards), list(self._hands[seat])
        for card in three.cards:
            try:
                left.remove(card)
            except ValueError:
                raise CardNotHeld(card) from None
        return three, left

    def _resolve(self, three0: Three, three1: Three) -> RoundResult:
        """Move the cards that were shown (§1, §2)."""
        number = len(self._history) + 1
        shown, categories = (three0.cards, three1.cards), (three0.category, three1.category)
        if three0.strength == three1.strength:
            self._stock += (three0, three1)
            return RoundResult(number, shown, categories, None, stocked=three0.cards + three1.cards)
        winner: Seat
        winner, won, lost = (0, three0, three1) if three0.strength > three1.strength else (1, three1, three0)
        taken, stock_won = taken_by(won, self._piles[1 - winner]), NO_CARDS
        gained = taken | lost.bits
        for three in self._stock:
            gained |= three.bits
            stock_won += three.cards
        self._stock.clear()
        if won.keeps:
            gained |= won.bits
            kept, discarded = won.cards, NO_CARDS
        else:
            self._discards |= won.bits
            kept, discarded = NO_CARDS, won.cards
        self._piles[1 - winner] ^= taken
        self._piles[winner] |= gained
        taken_cards = to_cards(taken) if taken else NO_CARDS
        return RoundResult(number, shown, categories, winner, lost.cards, kept, discarded, taken_cards, stock_won)


def taken_by(three: Three, pile: Bits) -> Bits:
    """What a win with these three takes out of the loser's score pile as it was before the round (§2)."""
    return highest(pile & three.suit, three.takes) if three.suit else 0


def check_seat(seat: int) -> None:
    """Raises BadSeat unless it is 0 or 1."""
    if not isinstance(seat, int) or seat not in (0, 1):
        raise BadSeat
