"""What one seat may see of a hand. Whatever isn't in here, that seat doesn't know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from certification.hand.kinds import Kind
from certification.hand.log import Verb

if TYPE_CHECKING:
    from certification.hand.play import Hand


@dataclass(frozen=True, slots=True)
class Option:
    """A move that the seat on turn can make, and the chips that it puts in by it."""

    verb: Verb
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A move as everybody saw it: chips put in, or the number of cards drawn; `round` counts from 0."""

    round: int
    seat: int
    verb: Verb
    amount: int
    drawn: int
    forced: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: chips put in this round and in the whole hand (without the ante), the cards one may see of it."""

    seat: int
    bet: int
    all_bets: int
    folded: bool
    away: bool
    cards: tuple[str, ...]
    hidden: int
    """How many cards it holds that one may not see."""


@dataclass(frozen=True, slots=True)
class View:
    """A hand as `viewer` sees it; None is somebody who only looks on."""

    viewer: int | None
    kind: Kind
    unit: int
    ante: int
    round: int
    board: tuple[str, ...]
    pot: int
    """Chips put in by all, antes and bets of this round too."""
    turn: int | None
    seats: tuple[SeatView, ...]
    """In the order in which they act."""
    legal: tuple[Option, ...]
    """What the viewer can do now; empty unless it is his turn."""
    discarded: tuple[str, ...]
    """What the viewer has discarded."""
    moves: tuple[Move, ...]
    winners: tuple[int, ...]
    """Empty until the hand is over."""

    @property
    def own(self) -> SeatView:
        """The viewer's own seat; only where there is one."""
        return next(seat for seat in self.seats if seat.seat == self.viewer)


def view_of(hand: Hand, viewer: int | None) -> View:
    """What `viewer` may see: his own cards, what was shown, and what everybody did."""
    start, turn = hand.start, hand.turn
    folded = {move.seat for move in hand.moves if move.verb is Verb.FOLD}
    bets_now = dict.fromkeys(start.seats, 0)
    for move in hand.moves:
        if move.round == hand.round:
            bets_now[move.seat] += move.amount
    shown = hand.shown
    seats = []
    for seat in start.seats:
        cards = tuple(hand.hole[seat]) if seat == viewer else shown.get(seat, ())
        hidden = 0 if cards or seat in folded else len(hand.hole[seat])
        seats.append(SeatView(seat, bets_now[seat], hand.bets[seat], seat in folded, seat in hand.away, cards, hidden))
    return View(
        viewer=viewer,
        kind=start.kind,
        unit=start.unit,
        ante=start.ante,
        round=hand.round,
        board=tuple(hand.board),
        pot=sum(hand.bets.values()) + start.ante * len(start.seats),
        turn=turn,
        seats=tuple(seats),
        legal=hand.legal() if turn is not None and turn == viewer else (),
        discarded=() if viewer is None else tuple(hand.discarded[viewer]),
        moves=tuple(hand.moves),
        winners=hand.winners,
    )
