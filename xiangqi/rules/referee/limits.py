"""What the counts lead to: the rows of §1.2's table, in the order in which they go before each other."""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.rules.outcome import Termination
from xiangqi.rules.referee.runs import Runs
from xiangqi.rules.referee.tally import Tally

MOST_QUIET = 120
MOST_PLIES = 400
MOST_OCCURRENCES = 5


class Verdict(NamedTuple):
    """How the game ends after a ply."""

    termination: Termination
    mover_loses: bool


def judge(tally: Tally, *, plies: int, attackers_left: bool) -> Verdict | None:
    """The verdict after a ply, None if the game goes on. Mate and stalemate come first; they aren't looked at here.

    Args:
        plies: of the whole game.
        attackers_left: whether either side has a rook, horse, cannon or pawn.
    """
    if offence := judge_run(tally.mover, tally.other):
        return offence
    # Row 7.
    if not attackers_left:
        return Verdict(Termination.NO_ATTACKERS, mover_loses=False)
    # Row 5.
    if tally.quiet >= MOST_QUIET:
        return Verdict(Termination.NO_CAPTURE, mover_loses=False)
    # Row 6.
    if plies >= MOST_PLIES:
        return Verdict(Termination.LENGTH, mover_loses=False)
    # Row 8.
    if len(tally.occurrences) >= MOST_OCCURRENCES and idle_since_last(tally):
        return Verdict(Termination.REPETITION, mover_loses=False)
    return None


def judge_run(mover: Runs, other: Runs) -> Verdict | None:
    """Rows 1 to 4 for a side that has just moved; only its own turn can make its run too long."""
    checks, chase = mover.checks, mover.chase
    if checks and checks.length >= checks.limit:
        # "The other's run of the same kind is at least its own count - 1 turns long": row 3.
        if other.check_length >= checks.length - 1:
            return Verdict(Termination.BOTH_CHECK, mover_loses=False)
        # Row 4.
        if other.chase_length >= checks.length - 1:
            return Verdict(Termination.CHECK_AGAINST_CHASE, mover_loses=True)
        # Row 1.
        return Verdict(Termination.PERPETUAL_CHECK, mover_loses=True)
    if chase and chase.length >= chase.limit:
        # Row 3.
        if other.chase_length >= chase.length - 1:
            return Verdict(Termination.BOTH_CHASE, mover_loses=False)
        # "A chaser isn't charged while every reply in the run is a check": row 4, when the checker gets there.
        if other.check_length >= chase.length - 1:
            return None
        # Row 2.
        return Verdict(Termination.PERPETUAL_CHASE, mover_loses=True)
    return None


def idle_since_last(tally: Tally) -> bool:
    """Row 8: since the position last stood, neither side's moves were all checks, nor all chases of one piece."""
    before, now = tally.occurrences[-2:]
    turns = (now - before) // 2
    return not any(runs.check_length >= turns or runs.chase_length >= turns for runs in (tally.mover, tally.other))


class Threatened(NamedTuple):
    """What the game would come to, one turn before it does."""

    termination: Termination
    mover: bool | None
    """Whether it is a turn of the side that has just moved that would end the game, not one of the side to move; None
    where whose turn it is doesn't matter."""
    loses: bool
    """Whether that side would lose; otherwise it is a draw."""


def foresee(tally: Tally, *, plies: int) -> Threatened | None:
    """What one more turn of each side would come to if they go on as they do, None if nothing."""
    if verdict := judge_run(_one_more(tally.other), tally.mover):
        return Threatened(verdict.termination, False, verdict.mover_loses)
    if verdict := judge_run(_one_more(tally.mover), _one_more(tally.other)):
        return Threatened(verdict.termination, True, verdict.mover_loses)
    if tally.quiet >= MOST_QUIET - 2:
        return Threatened(Termination.NO_CAPTURE, None, False)
    if plies >= MOST_PLIES - 2:
        return Threatened(Termination.LENGTH, None, False)
    if len(tally.occurrences) == MOST_OCCURRENCES - 1 and idle_since_last(tally):
        return Threatened(Termination.REPETITION, None, False)
    return None


def _one_more(runs: Runs) -> Runs:
    """The runs after one more turn by the same pieces against the same."""
    return Runs(
        checks=runs.checks and runs.checks._replace(length=runs.checks.length + 1),
        chases=tuple(run._replace(length=run.length + 1) for run in runs.chases),
    )
