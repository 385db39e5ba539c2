"""Why a game ended, or is about to: the referee's counts as `outcome.Detail` gives them to readers."""

from __future__ import annotations

from collections.abc import Iterable

from xiangqi.rules.outcome import Detail, Man, Offence, Run, Termination
from xiangqi.rules.pieces import PIECES, Side
from xiangqi.rules.referee.limits import MOST_OCCURRENCES, MOST_PLIES, MOST_QUIET
from xiangqi.rules.referee.runs import ChaseRun, CheckRun, Runs
from xiangqi.rules.referee.tally import Tally

_OFFENCES = {
    Termination.PERPETUAL_CHECK: (Offence.CHECK, None),
    Termination.PERPETUAL_CHASE: (Offence.CHASE, None),
    Termination.BOTH_CHECK: (Offence.CHECK, Offence.CHECK),
    Termination.BOTH_CHASE: (Offence.CHASE, Offence.CHASE),
    Termination.CHECK_AGAINST_CHASE: (Offence.CHECK, Offence.CHASE),
}
"""What the one who reached a limit was doing, and what the other side was, where that decides."""


def men(squares: list[int], on: Iterable[int]) -> tuple[Man, ...]:
    """The pieces on some squares, in the order of squares."""
    return tuple(Man(square, PIECES[squares[square]]) for square in sorted(on))


def detail_of(
    termination: Termination, tally: Tally, squares: list[int], *, last: Side, doer: Side, ply: int, since: int
) -> Detail:
    """The detail of an end by §1.2.

    Args:
        last: who made the last move.
        doer: whose run reaches the limit.
        ply: how many plies have been made.
        since: the ply of the last capture, 0 if there was none.
    """
    if termination in _OFFENCES:
        runs = []
        for side, offence in zip((doer, doer.other), _OFFENCES[termination], strict=True):
            if offence:
                made = tally.mover if side is last else tally.other
                runs.append(_run(made, side, offence, squares, ply if side is last else ply - 1))
        found = {man for run in runs for man in (*run.by, *((run.victim,) if run.victim else ()))}
        plies = tuple(sorted(ply for run in runs for ply in run.plies))
        return Detail(termination.rule, plies, tuple(sorted(found)), tuple(runs), runs[0].limit)
    plies, limit = {
        Termination.NO_CAPTURE: ((min(since + 1, ply), ply), MOST_QUIET),
        Termination.LENGTH: ((min(1, ply), ply), MOST_PLIES),
        Termination.NO_ATTACKERS: ((ply,), None),
        Termination.REPETITION: (tally.occurrences, MOST_OCCURRENCES),
    }[termination]
    return Detail(termination.rule, plies, limit=limit)


def _run(runs: Runs, side: Side, offence: Offence, squares: list[int], last_ply: int) -> Run:
    made: CheckRun | ChaseRun | None = runs.checks if offence is Offence.CHECK else runs.chase
    assert made
    plies = tuple(range(last_ply - 2 * (made.length - 1), last_ply + 1, 2))
    victim = men(squares, [made.victim])[0] if isinstance(made, ChaseRun) else None
    return Run(side, offence, plies, men(squares, made.by), victim, made.limit)
