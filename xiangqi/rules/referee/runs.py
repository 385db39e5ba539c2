"""Counting turns (§1.2, "how the counts run"). Everything here is a value: a turn makes new ones from the last.

Pieces are followed by the squares where they stand, so a run is about the same physical pieces throughout.
"""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.rules.referee.chase import Chases
from xiangqi.rules.squares import Move


class CheckRun(NamedTuple):
    """Consecutive checks: how many turns so far, and where the different pieces stand that gave them."""

    length: int
    by: frozenset[int]

    @property
    def limit(self) -> int:
        """§1.2 row 1: "the limit of a run is that of the number of its pieces so far"."""
        return {1: 7, 2: 13}.get(len(self.by), 19)


class ChaseRun(NamedTuple):
    """Consecutive chases of one piece: how many turns, where the piece stands, and those that chased it."""

    length: int
    victim: int
    by: frozenset[int]

    @property
    def limit(self) -> int:
        """§1.2 row 2."""
        return 7


class Runs(NamedTuple):
    """What one side has going. At most one of the two: "a turn that gives check ends a run of chases"."""

    checks: CheckRun | None = None
    chases: tuple[ChaseRun, ...] = ()

    @property
    def check_length(self) -> int:
        """Turns of check, 0 if the last turn was none."""
        return self.checks.length if self.checks else 0

    @property
    def chase(self) -> ChaseRun | None:
        """The longest run of chases of one piece."""
        return max(self.chases, default=None)

    @property
    def chase_length(self) -> int:
        """Turns of chase of the piece that has been chased longest, 0 if the last turn was none."""
        return self.chase.length if self.chase else 0


NO_RUNS = Runs()


def after_own_turn(runs: Runs, move: Move, checkers: frozenset[int], chased: Chases) -> Runs:
    """A side's runs after its own move that captured nothing."""
    if checkers:
        length, by = runs.checks or (0, frozenset())
        return Runs(checks=CheckRun(length + 1, _follow(by, move) | checkers))
    # "An own move that isn't a check starts anew"; "an own turn that doesn't chase it starts anew".
    so_far = {run.victim: run for run in runs.chases}
    return Runs(
        chases=tuple(
            ChaseRun(run.length + 1, victim, _follow(run.by, move) | by)
            if (run := so_far.get(victim))
            else ChaseRun(1, victim, by)
            for victim, by in chased.items()
        )
    )


def after_reply(runs: Runs, move: Move) -> Runs:
    """A side's runs after the other side's move that captured nothing: the piece that it chases may have moved."""
    if not any(run.victim == move.source for run in runs.chases):
        return runs
    return runs._replace(
        chases=tuple(run._replace(victim=move.target) if run.victim == move.source else run for run in runs.chases)
    )


def _follow(squares: frozenset[int], move: Move) -> frozenset[int]:
    """The same pieces after one of them may have moved."""
    return squares - {move.source} | {move.target} if move.source in squares else squares
