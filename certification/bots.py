"""Players for empty seats at 初級 tables (rules §5): one tight, one loose.

A bot is a function of its seat's `View` and of nothing else, so it can't know more than a player on that seat. It
rates its cards from 0 to 5 and compares that with what its style asks for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple

from pokerkit import Label, StandardHighHand

from certification.hand import Kind, Option, Verb, View

ORDER = "23456789TJQKA"
NOTHING, DRAWING, FAIR, GOOD, STRONG, GREAT = range(6)
"""How good cards are: DRAWING is a low pair or one card short of a straight or flush, FAIR a high pair, GOOD two
pair, STRONG three of a kind, GREAT whatever beats that."""

TEN = ORDER.index("T")


class Style(StrEnum):
    """The two ways to play."""

    TIGHT = "tight"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class Habits:
    """The rating from which a style bets, raises and calls.

    `bargain` is what it calls with when the pot holds at least BARGAIN times the price. With the chance `whim` it takes
    its cards for one better than they are.
    """

    bet: int
    raises: int
    call: int
    bargain: int
    whim: float


HABITS = {
    Style.TIGHT: Habits(bet=FAIR, raises=GOOD, call=FAIR, bargain=DRAWING, whim=0),
    Style.LOOSE: Habits(bet=DRAWING, raises=FAIR, call=DRAWING, bargain=NOTHING, whim=0.3),
}
BARGAIN = 5

COMPLETE = (Label.STRAIGHT, Label.FLUSH, Label.FULL_HOUSE, Label.FOUR_OF_A_KIND, Label.STRAIGHT_FLUSH)
"""Hands of which every card counts, and four of a kind: nothing is drawn to them."""


class Choice(NamedTuple):
    """What `Hand.act` takes beside the seat."""

    verb: Verb
    cards: tuple[str, ...] = ()


def choose(style: Style, view: View, random: Random) -> Choice:
    """The move of a bot whose turn it is in `view`."""
    options = {option.verb: option for option in view.legal}
    if Verb.DRAW in options:
        return Choice(Verb.DRAW, _discards(view.own.cards))
    habits = HABITS[style]
    rating = _rating(view)
    if rating > NOTHING and sum(not seat.folded for seat in view.seats) == 2:
        rating += 1  # against one other, less is enough
    rating += random.random() < habits.whim
    if Verb.BET in options and rating >= habits.bet:
        return Choice(Verb.BET)
    if Verb.RAISE in options and rating >= habits.raises + _raises(view):
        return Choice(Verb.RAISE)
    if Verb.CALL in options:
        return Choice(Verb.CALL if _calls(habits, rating, options[Verb.CALL], view) else Verb.FOLD)
    return Choice(Verb.CHECK)


def _calls(habits: Habits, rating: int, call: Option, view: View) -> bool:
    if rating >= habits.call + (_raises(view) > 1):
        return True
    return rating >= habits.bargain and view.pot >= BARGAIN * call.amount


def _raises(view: View) -> int:
    """How often there was a raise in this round."""
    return sum(move.verb is Verb.RAISE and move.round == view.round for move in view.moves)


def _rating(view: View) -> int:
    own, board = view.own.cards, view.board
    if view.kind is Kind.HOLDEM and not board:
        return _rating_of_two(own)
    best = StandardHighHand.from_game("".join(own), "".join(board))
    if len(board) == 5 and best == StandardHighHand.from_game("".join(board)):
        return NOTHING  # everybody has at least that
    if best.entry.label in COMPLETE:
        return GREAT
    counts = Counter(card[0] for card in own + board)
    grouped = sorted({ORDER.index(card[0]) for card in own if counts[card[0]] > 1})
    if any(counts[card[0]] > 2 for card in own):
        return STRONG
    if len(grouped) > 1:
        return GOOD
    lowest_good = max((ORDER.index(card[0]) for card in board), default=TEN + 1)
    if grouped and grouped[0] >= lowest_good:
        return FAIR
    more_to_come = view.round == 0 or len(board) in (3, 4)
    return DRAWING if grouped or (more_to_come and _one_short(own + board)) else NOTHING


def _rating_of_two(own: tuple[str, ...]) -> int:
    """Two cards before the flop. A pair is worth more there than later, and two high cards about as much as one."""
    low, high = sorted(ORDER.index(card[0]) for card in own)
    suited = own[0][1] == own[1][1]
    if low == high:
        return GOOD if low >= TEN else FAIR if low >= ORDER.index("7") else DRAWING
    if low >= TEN:
        return FAIR
    return DRAWING if high >= TEN and suited else NOTHING


def _one_short(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Four cards of one suit, or four in a row open at both ends; empty if there are none such."""
    for suit in "cdhs":
        if len(of_suit := tuple(card for card in cards if card[1] == suit)) == 4:
            return of_suit
    by_rank = {ORDER.index(card[0]): card for card in cards}
    for low in range(len(ORDER) - 4):  # 2345 is open to the ace; JQKA is open at one end only
        if all(low + step in by_rank for step in range(4)):
            return tuple(by_rank[low + step] for step in range(4))
    return ()


def _discards(hand: tuple[str, ...]) -> tuple[str, ...]:
    """Keep what is complete, pairs and more of a kind, four to a straight or flush, or else the two highest cards."""
    if StandardHighHand.from_game("".join(hand)).entry.label in COMPLETE:
        return ()
    counts = Counter(card[0] for card in hand)
    kept = tuple(card for card in hand if counts[card[0]] > 1) or _one_short(hand)
    kept = kept or tuple(sorted(hand, key=lambda card: ORDER.index(card[0]))[-2:])
    return tuple(card for card in hand if card not in kept)
