"""A table's whole history as a log, and the same log worked out under any version of the rules (rules §1 to §3).

The log keeps what happened at the table: who sat down and left with which standing, and what went into each hand.
Opponents, EXP, promotions follow from it, so under its own version it gives what was, and under another what would
have been.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from certification.rules import ranks
from certification.rules.errors import BadEvent, NotSeated, SeatedTwice, SeatTaken
from certification.rules.opponents import Lock, Player, Resolution, Seat, resolve
from certification.rules.settlement import Line, settle, unmoved
from certification.rules.tables import DEFAULT_VERSION, check_rank, check_version, dan_of, table_of


class Standing(NamedTuple):
    """A player's rank and the EXP in it."""

    rank: str
    exp: int


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody has sat down on `seat`, with this standing. Bots' standings never move."""

    player: Player
    seat: int
    standing: Standing
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody has got up, with this standing as it was then."""

    player: Player
    standing: Standing


@dataclass(frozen=True, slots=True)
class Played:
    """A hand was played: `antes` and `bets` in chips by player, as in `settlement.settle`."""

    antes: Mapping[Player, int]
    bets: Mapping[Player, int]
    winners: Collection[Player]


Event = Sat | Left | Played


@dataclass(frozen=True, slots=True)
class Log:
    """What happened at one table, in order, and under which version it was played."""

    table: str
    events: tuple[Event, ...]
    version: str = DEFAULT_VERSION


class After(NamedTuple):
    """A player's standing after a hand, and the step: 1 promoted, -1 demoted, 0 neither."""

    rank: str
    exp: int
    moved: int


@dataclass(frozen=True, slots=True)
class Settled:
    """One hand worked out: opponents as they were at the ante, lines, and standings after it by player dealt in."""

    opponents: Resolution
    lines: Mapping[Player, Line]
    after: Mapping[Player, After]


@dataclass(frozen=True, slots=True)
class History:
    """A log worked out: its hands in order, and the last standing of everybody who ever sat there."""

    hands: tuple[Settled, ...]
    standings: Mapping[Player, Standing]


@dataclass(frozen=True, slots=True)
class _Sitter:
    seat: int
    standing: Standing
    bot: bool
    tick: int | None = None
    """The hand that he was first dealt in; None before it."""


def recompute(log: Log, version: str) -> History:
    """Work `log` out under `version`.

    Who comes back with the standing he left with goes on from what the recomputation had made of it. With any other
    standing he has played elsewhere meanwhile, and starts from that [ours].

    Raises:
        BadEvent, SeatedTwice, SeatTaken, NotSeated: the log isn't of one table.
        Impossible: a standing or a hand is impossible, as `ranks` and `settle` say.
    """
    table_of(log.table)
    check_version(version)
    room = _Room(log.table, version)
    for place, event in enumerate(log.events):
        match event:
            case Sat():
                room.sit(event)
            case Left():
                room.leave(event)
            case Played():
                room.play(event)
            case _:
                raise BadEvent(field="events", place=place)
    return History(tuple(room.hands), room.standings)


class _Room:
    """The table while a log is read."""

    def __init__(self, table: str, version: str) -> None:
        self.table = table
        self.version = version
        self.sitters: dict[Player, _Sitter] = {}
        self.locks: frozenset[Lock] = frozenset()
        self.hands: list[Settled] = []
        self.standings: dict[Player, Standing] = {}
        self.recorded: dict[Player, Standing] = {}
        """The standing that the log saw a player leave with."""

    def sit(self, event: Sat) -> None:
        player = event.player
        if player in self.sitters:
            raise SeatedTwice(player=player, seat=event.seat)
        for other, sitter in self.sitters.items():
            if sitter.seat == event.seat:
                raise SeatTaken(player=player, other=other, seat=event.seat)
        standing = Standing(*event.standing)
        check_rank(standing.rank, player=player)
        ranks.check_exp(standing.exp, player=player)
        if self.recorded.get(player) == standing:
            standing = self.standings[player]
        self.standings[player] = standing
        self.sitters[player] = _Sitter(event.seat, standing, event.bot)

    def leave(self, event: Left) -> None:
        self._check_seated([event.player])
        del self.sitters[event.player]
        self.recorded[event.player] = Standing(*event.standing)
        self.locks = frozenset(lock for lock in self.locks if event.player not in lock)  # §3.2

    def play(self, event: Played) -> None:
        self._check_seated(event.antes)
        tick = len(self.hands)
        for player in event.antes:  # §3.1: who is first dealt in the same hand sat down together
            if self.sitters[player].tick is None:
                self.sitters[player] = replace(self.sitters[player], tick=tick)
        seats = [
            Seat(player, dan_of(sitter.standing.rank), sitter.tick, sitter.seat)
            for player, sitter in self.sitters.items()
            if sitter.tick is not None
        ]
        found = resolve(seats, self.locks, new_tick=tick)
        self.locks = found.locks
        lines = settle(
            antes=event.antes,
            bets=event.bets,
            winners=event.winners,
            table=self.table,
            version=self.version,
            ranks={player: self.sitters[player].standing.rank for player in event.antes},
            opponents=found.opponent_of,
        )
        if any(self.sitters[player].bot for player in lines):
            lines = {player: self._with_bots(player, line) for player, line in lines.items()}
        after = {player: self._move(player, line) for player, line in lines.items()}
        self.hands.append(Settled(found, lines, after))

    def _with_bots(self, player: Player, line: Line) -> Line:
        """§5: hands with bots move no dan EXP [ours]."""
        sitter = self.sitters[player]
        return unmoved(line) if sitter.bot or dan_of(sitter.standing.rank) else line

    def _move(self, player: Player, line: Line) -> After:
        sitter = self.sitters[player]
        if sitter.bot:
            return After(*sitter.standing, moved=0)
        after = After(*ranks.after(*sitter.standing, line.exp))
        standing = Standing(after.rank, after.exp)
        self.sitters[player] = replace(sitter, standing=standing)
        self.standings[player] = standing
        return after

    def _check_seated(self, players: Iterable[Player]) -> None:
        for player in players:
            if player not in self.sitters:
                raise NotSeated(player=player)
