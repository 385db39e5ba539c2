"""How a game has ended, or is about to end, as codes and squares: pages and programs put it into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xiangqi.rules.pieces import Piece, Side


class Termination(Enum):
    """What ended a game."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    PERPETUAL_CHECK = "perpetual_check"
    PERPETUAL_CHASE = "perpetual_chase"
    BOTH_CHECK = "both_check"
    BOTH_CHASE = "both_chase"
    CHECK_AGAINST_CHASE = "check_against_chase"
    NO_CAPTURE = "no_capture"
    LENGTH = "length"
    NO_ATTACKERS = "no_attackers"
    REPETITION = "repetition"

    @property
    def rule(self) -> int | None:
        """The row of §1.2's table; None for mate and stalemate (§1.1)."""
        return _ROWS.get(self)


_ROWS = {
    Termination.PERPETUAL_CHECK: 1,
    Termination.PERPETUAL_CHASE: 2,
    Termination.BOTH_CHECK: 3,
    Termination.BOTH_CHASE: 3,
    Termination.CHECK_AGAINST_CHASE: 4,
    Termination.NO_CAPTURE: 5,
    Termination.LENGTH: 6,
    Termination.NO_ATTACKERS: 7,
    Termination.REPETITION: 8,
}


class Offence(Enum):
    """The two things that nobody may do for ever."""

    CHECK = "check"
    CHASE = "chase"


@dataclass(frozen=True, slots=True, order=True)
class Man:
    """A piece and the square where it stands when the game ends."""

    square: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class Run:
    """One side's consecutive turns of one offence.

    Args:
        plies: when, counted from 1 at the position that the board began with.
        by: the pieces that checked, or that chased `victim`, in these turns.
        limit: the turn at which this run is too long: 7, 13 or 19.
    """

    side: Side
    offence: Offence
    plies: tuple[int, ...]
    by: tuple[Man, ...]
    victim: Man | None
    limit: int


@dataclass(frozen=True, slots=True)
class Detail:
    """What an end rests on.

    Args:
        rule: the row of §1.2's table, None for mate and stalemate.
        plies: the plies it is about, counted from 1: of the run or runs, those that count towards a limit, the earlier
            occurrences of the position (0 is the position that the board began with); the last ply for a mate.
        pieces: the pieces it is about: checking, chasing and chased ones; the mated or stalemated king and those who
            check it.
        runs: the offender's run, then the other side's where that matters.
        limit: the number that was reached, None where there is none.
    """

    rule: int | None
    plies: tuple[int, ...]
    pieces: tuple[Man, ...] = ()
    runs: tuple[Run, ...] = ()
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winner` is None for a draw."""

    termination: Termination
    winner: Side | None
    detail: Detail


@dataclass(frozen=True, slots=True)
class LimitWarning:
    """One turn before a limit.

    Args:
        termination: how the game ends if it goes on like this.
        side: whose next check or chase ends it; None where any quiet move or repetition does.
        loser: who loses then, None for a draw.
        detail: what has come together so far.
    """

    termination: Termination
    side: Side | None
    loser: Side | None
    detail: Detail
