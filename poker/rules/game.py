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
from poker.rules.categories import THREES, Category, Three, three_bits
from poker.rules.errors import BadDeck, BadSeat, CardNotHeld, GameFinished
from poker.rules.view import View

Seat: TypeAlias = Literal[0, 1]

ROUNDS: Final = 9
HAND: Final = 6
FIRST_DRAW: Final = 5
DRAW: Final = 3


class RoundResult(NamedTuple):
    """What a round came to and where every card went. Sets of cards are in the order of `CARDS`."""

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
        self._hands: tuple[list[Card], list[Card]] = (
            [JOKERS[0], *self._deck[:FIRST_DRAW]],
            [JOKERS[1], *self._deck[FIRST_DRAW : 2 * FIRST_DRAW]],
        )
        self._drawn = 2 * FIRST_DRAW
        self._piles: list[Bits] = [0, 0]
        self._stock: Bits = 0
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
        return tuple(self._hands[0]), tuple(self._hands[1])

    @property
    def score_piles(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both score piles."""
        return to_cards(self._piles[0]), to_cards(self._piles[1])

    @property
    def stock(self) -> tuple[Card, ...]:
        """What the next winner takes; after round 9 it counts for nobody."""
        return to_cards(self._stock)

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
        """The three cards, if this seat may play them now.

        Raises GameFinished, BadSeat, NotThreeCards, UnknownCard, SameCardTwice, BothJokers, CardNotHeld.
        """
        _check_seat(seat)
        if self.finished:
            raise GameFinished
        cards = THREES[three_bits(three)].cards
        for card in cards:
            if card not in self._hands[seat]:
                raise CardNotHeld(card)
        return cards

    def play(self, three0: Sequence[Card], three1: Sequence[Card]) -> RoundResult:
        """Show both sets, move the cards, draw for the next round.

        Raises as `check` does, and then nothing has changed.
        """
        threes = self._threes(three0, three1)
        for hand, three in zip(self._hands, threes, strict=True):
            for card in three.cards:
                hand.remove(card)
        result = self._resolve(*threes)
        self._history.append(result)
        for hand in self._hands:
            hand += self._deck[self._drawn : self._drawn + DRAW]  # nothing is left to draw for round 9
            self._drawn += DRAW
        return result

    def view(self, seat: int, *, open_hands: bool = False) -> View:
        """All that this seat may know; with `open_hands` (§4, the lower levels) that is the other hand too.

        Raises BadSeat.
        """
        _check_seat(seat)
        other = self._hands[1 - seat]
        return View(
            seat=seat,
            round=self.round,
            finished=self.finished,
            hand=tuple(self._hands[seat]),
            other_count=len(other),
            other_hand=to_cards(to_bits(other)) if open_hands else None,
            deck_count=max(len(self._deck) - self._drawn, 0),
            score_piles=self.score_piles,
            stock=self.stock,
            discards=self.discards,
            points=self.points(),
            history=self.history,
        )

    def _threes(self, three0: Sequence[Card], three1: Sequence[Card]) -> tuple[Three, Three]:
        return THREES[to_bits(self.check(0, three0))], THREES[to_bits(self.check(1, three1))]

    def _resolve(self, three0: Three, three1: Three) -> RoundResult:
        shown, categories = (three0.cards, three1.cards), (three0.category, three1.category)
        number = len(self._history) + 1
        if three0.strength == three1.strength:
            stocked = to_bits(three0.cards) | to_bits(three1.cards)
            self._stock |= stocked
            return RoundResult(number, shown, categories, None, stocked=to_cards(stocked))
        winner: Seat = 0 if three0.strength > three1.strength else 1
        own, lost = (three0, three1) if winner == 0 else (three1, three0)
        taken, stock_won = taken_by(own, self._piles[1 - winner]), self._stock
        self._piles[1 - winner] ^= taken
        self._piles[winner] |= taken | stock_won | to_bits(lost.cards)
        self._stock = 0
        kept, discarded = (own.cards, ()) if own.keeps else ((), own.cards)
        self._piles[winner] |= to_bits(kept)
        self._discards |= to_bits(discarded)
        return RoundResult(
            number, shown, categories, winner, lost.cards, kept, discarded, to_cards(taken), to_cards(stock_won)
        )


def taken_by(three: Three, pile: Bits) -> Bits:
    """What a win with these three takes out of the loser's score pile as it was before the round (§2)."""
    return highest(pile & three.suit, three.takes)


def _check_seat(seat: int) -> None:
    if seat not in (0, 1):
        raise BadSeat
