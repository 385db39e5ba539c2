"""Who is whose opponent in certification matches (rules §3).

`resolve` is deterministic: the same seats and locks give the same answer in whatever order they come in. Opponents
needn't be mutual; locks are. Whether a table has certification at all isn't asked here: `settlement` knows.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from certification.rules.errors import BadLock, BadSeat, NotSeated, SeatedTwice, SeatTaken

REACH = 2
"""How many dan apart opponents may be [set by the game]."""

HIGHEST = 10

Player = Hashable
Lock = frozenset[Player]


class Seat(NamedTuple):
    """Somebody at the table. `dan` is 0 for kyu ranks; players with the same `tick` sat down together."""

    player: Player
    dan: int
    tick: int
    seat: int


class Way(StrEnum):
    """Where a player was looked for: the partner of a lock, among those seated before, or after."""

    LOCK = "lock"
    BACK = "back"
    FORWARD = "forward"


class Finding(StrEnum):
    """What came of looking at a player."""

    TAKEN = "taken"
    OUT_OF_RANGE = "out_of_range"
    LOCKED = "locked"


class Step(NamedTuple):
    """One player looked at: `apart` is the difference in dan between the two."""

    player: Player
    way: Way
    finding: Finding
    apart: int


@dataclass(frozen=True, slots=True)
class Resolution:
    """The opponents of all dan players at a table, the locks in force, and how each opponent was found."""

    opponent_of: Mapping[Player, Player | None]
    locks: frozenset[Lock]
    _steps: Mapping[Player, tuple[Step, ...]]

    def explain(self, player: Player) -> list[Step]:
        """Who was looked at for `player`, in that order. Ends with who was taken; empty for a kyu player.

        Raises:
            NotSeated: there is no such player at the table.
        """
        if player not in self._steps:
            raise NotSeated(player=player)
        return list(self._steps[player])


def resolve(
    seats: Iterable[tuple[Player, int, int, int]],
    locks: Iterable[Collection[Player]] | None = None,
    *,
    new_tick: int | None = None,
) -> Resolution:
    """Find everybody's opponent.

    Args:
        seats: (player, dan, tick, seat number) of all who sit at the table.
        locks: pairs locked so far; those that have ended are dropped here. None when no history is known: then locks
            follow from the ticks of those seated.
        new_tick: the tick of those who have just sat down, if anybody has. With `locks` given, only they can be
            locked anew.

    Raises:
        BadSeat, SeatedTwice, SeatTaken: the seats contradict themselves.
        BadLock: a lock isn't of two different players, or a player has two.
    """
    everybody = _checked(seats)
    # §3.1: sitting down first, then higher dan, then lower seat
    order = sorted((seat for seat in everybody if seat.dan), key=lambda seat: (seat.tick, -seat.dan, seat.seat))
    at = {seat.player: seat for seat in order}
    if locks is None:
        in_force = _new_locks(order, min((seat.tick for seat in order), default=None))
    else:
        kept = {pair for pair in _pairs(locks) if _lasts(pair, at, new_tick)}
        in_force = frozenset(kept | _new_locks(order, new_tick))
    partner = {one: other for pair in in_force for one in pair for other in pair - {one}}
    searches = {seat.player: _search(order, place, partner) for place, seat in enumerate(order)}
    opponent_of = {player: _found(steps) for player, steps in searches.items()}
    return Resolution(opponent_of, in_force, {seat.player: searches.get(seat.player, ()) for seat in everybody})


def _search(order: list[Seat], place: int, partner: Mapping[Player, Player]) -> tuple[Step, ...]:
    """Look for the opponent of the player at `place` in the order of sitting down."""
    own = order[place]
    if own.player in partner:  # §3.3
        other = next(seat for seat in order if seat.player == partner[own.player])
        return (Step(other.player, Way.LOCK, Finding.TAKEN, abs(own.dan - other.dan)),)
    steps = []
    ways = [(Way.BACK, order[:place][::-1]), (Way.FORWARD, order[place + 1 :])]  # §3.4, then §3.5
    for way, others in ways:
        for other in others:
            finding = Finding.TAKEN
            if not _in_reach(own, other):
                finding = Finding.OUT_OF_RANGE
            elif other.player in partner:
                finding = Finding.LOCKED
            steps.append(Step(other.player, way, finding, abs(own.dan - other.dan)))
            if finding is Finding.TAKEN:
                return tuple(steps)
    return tuple(steps)  # §3.6


def _found(steps: tuple[Step, ...]) -> Player | None:
    """A search ends with the first who fits, so only its last step can have found one."""
    return steps[-1].player if steps and steps[-1].finding is Finding.TAKEN else None


def _in_reach(one: Seat, other: Seat) -> bool:
    return abs(one.dan - other.dan) <= REACH


def _new_locks(order: list[Seat], tick: int | None) -> frozenset[Lock]:
    """The lock that arises among those who sat down at `tick`: two, eligible, the first dan players here (§3.2)."""
    together = [seat for seat in order if seat.tick == tick]
    if len(together) == 2 and order[0].tick == tick and _in_reach(*together):
        return frozenset({frozenset(seat.player for seat in together)})
    return frozenset()


def _lasts(pair: Lock, at: Mapping[Player, Seat], new_tick: int | None) -> bool:
    """Whether a lock is still in force: both here, both dan, within reach (§3.2).

    If only one of the two has just sat down, he left and came back, which ended it.
    """
    if not all(player in at for player in pair):
        return False
    one, other = (at[player] for player in pair)
    return _in_reach(one, other) and (one.tick == new_tick) == (other.tick == new_tick)


def _pairs(locks: Iterable[Collection[Player]]) -> set[Lock]:
    try:
        pairs = {frozenset(lock) for lock in locks}
    except TypeError:
        raise BadLock(field="locks", player=None) from None
    for lock in pairs:
        if len(lock) != 2:
            raise BadLock(field="locks", player=next(iter(lock), None))
    locked: set[Player] = set()
    for lock in pairs:
        for player in lock:
            if player in locked:
                raise BadLock(field="locks", player=player)
            locked.add(player)
    return pairs


def _checked(seats: Iterable[tuple[Player, int, int, int]]) -> list[Seat]:
    """The seats as `Seat`s, in the order of their numbers."""
    everybody = []
    for entry in seats:
        try:
            seat = Seat(*entry)
        except TypeError:
            raise BadSeat(field="seats", player=None, seat=None) from None
        whole = all(isinstance(number, int) for number in seat[1:])
        if not whole or not 0 <= seat.dan <= HIGHEST or not isinstance(seat.player, Hashable):
            raise BadSeat(field="seats", player=seat.player, seat=seat.seat)
        everybody.append(seat)
    players: set[Player] = set()
    for seat in everybody:
        if seat.player in players:
            raise SeatedTwice(field="seats", player=seat.player, seat=seat.seat)
        players.add(seat.player)
    everybody.sort(key=lambda seat: seat.seat)
    for one, other in pairwise(everybody):
        if one.seat == other.seat:
            raise SeatTaken(field="seats", player=one.player, other=other.player, seat=one.seat)
    return everybody
