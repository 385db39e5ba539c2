"""Matchmaking (rules §2): who of those waiting is given to whom.

`pair` is deterministic: the same entries and the same `now` give the same pairs in whatever order they come in.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

NEAR = 100
"""Points of the condition "within 100 points"; 100 itself is within."""

REMATCH_WAIT_S = 60
"""How long both must have waited before they are given the opponent they have just met, in seconds."""

Moment = datetime | float


@dataclass(frozen=True, slots=True)
class Entry:
    """One player who waits. `limit` is the largest rating difference accepted, None for no limit."""

    id: int
    rating: int
    limit: int | None
    joined_at: Moment
    last_opponent: int | None = None
    blocked: Collection[int] = ()


def suits(a: Entry, b: Entry) -> bool:
    """Whether both conditions hold and neither has blocked the other (§2). Says nothing about rematches."""
    gap = abs(a.rating - b.rating)
    return (
        a.id != b.id
        and (a.limit is None or gap <= a.limit)
        and (b.limit is None or gap <= b.limit)
        and b.id not in a.blocked
        and a.id not in b.blocked
    )


def just_met(a: Entry, b: Entry) -> bool:
    """Whether the last match of either was against the other (§2; void matches count)."""
    return a.last_opponent == b.id or b.last_opponent == a.id


def pair(entries: Collection[Entry], now: Moment, *, rematch_wait_s: float = REMATCH_WAIT_S) -> list[tuple[int, int]]:
    """Pair as many as the rules allow; returns pairs of entry ids, the one who waited longer first.

    Whoever has waited longest chooses first, and is given the smallest rating difference, then the longest wait,
    then the lower id (§2). Those who have just met are looked at only in a second round, when nobody else is left
    for them, and only if both have waited long enough.
    """

    def patient(entry: Entry) -> bool:
        waited = now - entry.joined_at  # type: ignore[operator]  # both are datetimes, or both are seconds
        return (waited.total_seconds() if isinstance(waited, timedelta) else waited) >= rematch_wait_s

    rounds: list[Callable[[Entry, Entry], bool]] = [
        lambda a, b: suits(a, b) and not just_met(a, b),
        lambda a, b: suits(a, b) and patient(a) and patient(b),
    ]
    waiting = {entry.id: entry for entry in sorted(entries, key=_seniority)}
    pairs = []
    for acceptable in rounds:
        pools = _pools(waiting.values())
        for entry in list(waiting.values()):
            if entry.id not in waiting:
                continue
            best = min(
                (found for pool in pools if (found := pool.nearest(entry, acceptable)) is not None),
                key=lambda other: (abs(other.rating - entry.rating), *_seniority(other)),
                default=None,
            )
            if best is not None:
                pairs.append((entry.id, best.id))
                for taken in (entry, best):
                    del waiting[taken.id]
                    for pool in pools:
                        pool.discard(taken)
    return pairs


def _seniority(entry: Entry) -> tuple[Moment, int]:
    return entry.joined_at, entry.id


def _pools(entries: Collection[Entry]) -> list[_Pool]:
    """The entries by condition, since how far a search has to look depends on it. `entries` are in seniority order."""
    pools: dict[int | None, _Pool] = {}
    for entry in entries:
        pools.setdefault(entry.limit, _Pool(entry.limit)).add(entry)
    return list(pools.values())


class _Pool:
    """Entries with one condition, by rating, so that the nearest is found without looking at all."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.ratings: list[int] = []
        self.at: dict[int, dict[int, Entry]] = {}

    def add(self, entry: Entry) -> None:
        if entry.rating not in self.at:
            insort(self.ratings, entry.rating)
            self.at[entry.rating] = {}
        self.at[entry.rating][entry.id] = entry

    def discard(self, entry: Entry) -> None:
        same = self.at.get(entry.rating, {})
        if same.pop(entry.id, None) and not same:
            del self.at[entry.rating]
            del self.ratings[bisect_left(self.ratings, entry.rating)]

    def nearest(self, entry: Entry, acceptable: Callable[[Entry, Entry], bool]) -> Entry | None:
        """The acceptable entry with the smallest difference, and among equals the most senior."""
        limits = [limit for limit in (entry.limit, self.limit) if limit is not None]
        best: Entry | None = None
        for rating in self._outward(entry.rating):
            gap = abs(rating - entry.rating)
            if (limits and gap > min(limits)) or (best and gap > abs(best.rating - entry.rating)):
                break
            found = next((other for other in self.at[rating].values() if acceptable(entry, other)), None)
            if found and (best is None or _seniority(found) < _seniority(best)):
                best = found
        return best

    def _outward(self, rating: int) -> Iterator[int]:
        """The pool's ratings, nearest first."""
        right = bisect_left(self.ratings, rating)
        left = right - 1
        while left >= 0 or right < len(self.ratings):
            if left < 0 or (right < len(self.ratings) and self.ratings[right] - rating < rating - self.ratings[left]):
                yield self.ratings[right]
                right += 1
            else:
                yield self.ratings[left]
                left -= 1
