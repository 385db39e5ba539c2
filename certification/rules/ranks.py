"""Promotion and demotion (rules §1). The thresholds are ours: the game doesn't print its own."""

from __future__ import annotations

from certification.rules.errors import BadExp
from certification.rules.tables import DAN, KYU, RANKS, check_rank, dan_of

KYU_STEP = 200
"""EXP at which a kyu rank is left upwards."""

KYU_START = 0
"""What a new player starts with, at 十級."""

KYU_AFTER_DEMOTION = 100

DAN_STEP = 1_000
"""EXP at which n-th dan is left upwards, for each n."""

FIRST, LAST = RANKS[0], RANKS[-1]


def threshold(rank: str) -> int:
    """The EXP at which `rank` is left upwards; for 十段, at which its EXP stops.

    Raises:
        UnknownRank: there is no such rank.
    """
    return DAN_STEP * dan_of(rank) or KYU_STEP


def check_exp(exp: int, **facts: object) -> None:
    """Raise BadExp, with `facts` such as the player who has it, unless it is a whole number from zero up."""
    if not _is_whole(exp) or exp < 0:
        raise BadExp(field="exp", exp=exp, **facts)


def after(rank: str, exp: int, gained: int) -> tuple[str, int, int]:
    """Rank and EXP after a hand that was worth `gained`, and the step: 1 promoted, -1 demoted, 0 neither.

    One step a hand at most, even where the surplus would do for two; the next hand looks again.

    Raises:
        UnknownRank: there is no such rank.
        BadExp: `exp` or `gained` isn't a whole number, or `exp` is below zero.
    """
    check_rank(rank)
    check_exp(exp)
    if not _is_whole(gained):
        raise BadExp(field="gained", exp=gained)
    total = exp + gained
    if total < 0:
        return _demoted(rank)
    if total >= threshold(rank):
        return _promoted(rank, total)
    return rank, total, 0


def _promoted(rank: str, total: int) -> tuple[str, int, int]:
    if rank == LAST:
        return LAST, threshold(LAST), 0
    new = RANKS[RANKS.index(rank) + 1]
    if new in KYU:
        return new, total - KYU_STEP, 1
    return new, threshold(new) // 2, 1


def _demoted(rank: str) -> tuple[str, int, int]:
    if rank == FIRST:
        return FIRST, KYU_START, 0
    new = RANKS[RANKS.index(rank) - 1]
    return new, threshold(new) // 2 if new in DAN else KYU_AFTER_DEMOTION, -1


def _is_whole(number: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
