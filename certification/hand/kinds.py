"""The two kinds of hand (rules §5) and the cards, as PokerKit needs them told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random, SystemRandom

from pokerkit import Card, Opening, StandardHighHand, Street
from pokerkit import Deck as Decks

SMALL_BET = 4
"""Units of a bet or raise in the earlier rounds [ours; the game's examples bet 80 and 160 where a unit is 20]."""

BIG_BET = 8
"""Units of a bet or raise in the later rounds [ours]."""

BETS_A_ROUND = 4
"""One bet and three raises [ours]."""

CARDS = tuple(repr(card) for card in Decks.STANDARD)
"""The 52 cards, rank then suit: "As" is the ace of spades, "Td" the ten of diamonds."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of betting and what comes before it: cards into hands, cards onto the board, or a draw."""

    hole: int = 0
    board: int = 0
    draw: bool = False
    bet: int = SMALL_BET
    """Units of a bet or raise."""


class Kind(StrEnum):
    """Which game a table plays."""

    DRAW = "five_card_draw"
    HOLDEM = "holdem"


ROUNDS: dict[Kind, tuple[Round, ...]] = {
    Kind.DRAW: (Round(hole=5), Round(draw=True, bet=BIG_BET)),
    Kind.HOLDEM: (Round(hole=2), Round(board=3), Round(board=1, bet=BIG_BET), Round(board=1, bet=BIG_BET)),
}


def most_units(kind: Kind) -> int:
    """The most units that betting can cost one seat in a whole hand."""
    return sum(BETS_A_ROUND * each.bet for each in ROUNDS[kind])


def chips_needed(kind: Kind, *, unit: int, ante: int) -> int:
    """The chips a seat has to have to be dealt in: the ante and the most that the hand can cost (§5)."""
    return ante + most_units(kind) * unit


def streets(kind: Kind, unit: int) -> tuple[Street, ...]:
    """The rounds as PokerKit's streets. No card is burnt: nobody marks these."""
    return tuple(
        Street(
            card_burning_status=False,
            hole_dealing_statuses=(False,) * each.hole,
            board_dealing_count=each.board,
            draw_status=each.draw,
            opening=Opening.POSITION,
            min_completion_betting_or_raising_amount=each.bet * unit,
            max_completion_betting_or_raising_count=BETS_A_ROUND,
        )
        for each in ROUNDS[kind]
    )


HIGH_HAND = StandardHighHand
"""How both kinds rank hands at the showdown."""


def shuffled(random: Random | None = None) -> tuple[str, ...]:
    """A deck in random order, from the system's randomness unless `random` is given."""
    return tuple((random or SystemRandom()).sample(CARDS, len(CARDS)))


def card(code: str) -> Card:
    """PokerKit's card of this code; it has to be one of CARDS."""
    (only,) = Card.parse(code)
    return only
