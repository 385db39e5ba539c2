"""What the referee knows after each ply. A tally follows from the last one, so a ply costs the same all game long."""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.rules.referee.chase import Chases
from xiangqi.rules.referee.runs import NO_RUNS, Runs, after_own_turn, after_reply
from xiangqi.rules.squares import Move

COUNTED_CHECKS = 10
"""§1.2: of each side's checks without a capture only so many count as effective plies."""


class Tally(NamedTuple):
    """The counts of §1.2 after a ply. "Mover" is the side that made it, "other" the side that is to move."""

    mover: Runs
    other: Runs
    quiet: int
    """Effective plies since the last capture (row 5)."""
    mover_checks: int
    other_checks: int
    """Checks since the last capture."""
    uncounted: bool
    """The ply was a check that isn't an effective ply any more, so its reply isn't one either."""
    occurrences: tuple[int, ...]
    """The plies after which this position stood on the board, this one last."""


def begin(quiet: int) -> Tally:
    """The tally of a position that a board begins with."""
    return Tally(NO_RUNS, NO_RUNS, quiet, 0, 0, False, (0,))


def after_ply(
    last: Tally, move: Move, *, capture: bool, checkers: frozenset[int], chased: Chases, occurrences: tuple[int, ...]
) -> Tally:
    """The tally after a move."""
    # "A capture by either side sets all runs to nought; a capture that itself checks or chases belongs to no run."
    if capture:
        return Tally(NO_RUNS, NO_RUNS, 0, 0, 0, False, occurrences)
    mover = after_own_turn(last.other, move, checkers, chased)
    other = after_reply(last.mover, move)
    checks = last.other_checks + bool(checkers)
    too_many = bool(checkers) and checks > COUNTED_CHECKS
    quiet = last.quiet if too_many or last.uncounted else last.quiet + 1
    return Tally(mover, other, quiet, checks, last.mover_checks, too_many, occurrences)
