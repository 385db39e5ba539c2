"""What is written down of a hand: how it started and every move, which is enough to play it again.

A log knows the whole deck. It is for the server: a player is shown a `View`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from certification.hand.errors import BadDeck, BadKind, BadSeats, BadStakes
from certification.hand.kinds import CARDS, Kind
from certification.rules.tables import SEATS


class Verb(StrEnum):
    """What a seat can do. The last two are no moves in the game: the seat's player has gone, or is here again."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    DRAW = "draw"
    SIT_OUT = "sit_out"
    COME_BACK = "come_back"


@dataclass(frozen=True, slots=True)
class Action:
    """One entry of a log. `cards` are those discarded by a draw; `forced`: the clock or absence made it."""

    seat: int
    verb: Verb
    cards: tuple[str, ...] = ()
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """How a hand starts.

    Args:
        kind: what is played.
        seats: the seats dealt in, in the order in which they act; the first one opens every round.
        unit: chips of a bet unit.
        ante: chips that each puts in before the cards.
        deck: the 52 cards in the order in which they are dealt.

    Raises:
        BadKind, BadSeats, BadStakes, BadDeck: no hand can start like this.
    """

    kind: Kind
    seats: tuple[int, ...]
    unit: int
    ante: int
    deck: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.kind not in list(Kind):
            raise BadKind(field="kind", kind=self.kind)
        for place, seat in enumerate(self.seats):
            if seat in self.seats[:place] or place == SEATS:
                raise BadSeats(field="seats", seat=seat)
        if len(self.seats) < 2:
            raise BadSeats(field="seats", seat=next(iter(self.seats), None))
        for field, amount in (("unit", self.unit), ("ante", self.ante)):
            if not isinstance(amount, int) or amount < 1:
                raise BadStakes(field=field, amount=amount)
        for place, card in enumerate(self.deck):
            if card not in CARDS or card in self.deck[:place]:
                raise BadDeck(field="deck", card=card)
        if len(self.deck) != len(CARDS):
            raise BadDeck(field="deck", card=None)


@dataclass(frozen=True, slots=True)
class HandLog:
    """A hand's start and its moves so far."""

    start: Start
    actions: tuple[Action, ...]

    def as_data(self) -> dict[str, Any]:
        """The log as JSON can hold it."""
        start = self.start
        return {
            "kind": start.kind.value,
            "seats": list(start.seats),
            "unit": start.unit,
            "ante": start.ante,
            "deck": " ".join(start.deck),
            "actions": [[each.seat, each.verb.value, " ".join(each.cards), each.forced] for each in self.actions],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> HandLog:
        """The log that `as_data` gave."""
        start = Start(Kind(data["kind"]), tuple(data["seats"]), data["unit"], data["ante"], tuple(data["deck"].split()))
        actions = (
            Action(seat, Verb(verb), tuple(cards.split()), forced) for seat, verb, cards, forced in data["actions"]
        )
        return cls(start, tuple(actions))
