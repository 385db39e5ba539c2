"""How many players have which rating, counted now and then for a very long ladder.

To count half a million players for one place takes the database longer than all else on a page. So while the ladder
is long, the worker counts once a minute (services/ladder.py), and pages work places out from what it found. Redis
keeps it: when it is away, or the worker is, pages count for themselves again, which is slow and right.
"""

from __future__ import annotations

import json
import logging
import time
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import cast

import redis
from django.conf import settings

from common.redis import client, complain

log = logging.getLogger(__name__)

KEPT_S = 300
"""Older counts are no longer used. Seconds."""
READ_EVERY_S = 15
"""How long a process uses what it has read. Seconds."""


class Standings:
    """Players by rating, as they were when they were counted."""

    def __init__(self, counts: Mapping[int, int]) -> None:
        """Args: counts: how many players have each rating."""
        self.ratings = sorted(counts, reverse=True)
        self.up_to = list(accumulate(counts[rating] for rating in self.ratings))  # players of this rating or a higher

    @property
    def total(self) -> int:
        """All players."""
        return self.up_to[-1] if self.up_to else 0

    def ahead_of(self, rating: int) -> int:
        """Players of a higher rating."""
        higher = bisect_left(self.ratings, -rating, key=lambda other: -other)
        return self.up_to[higher - 1] if higher else 0

    def seek(self, offset: int) -> tuple[int, int]:
        """Who comes after `offset` players: the rating, and how many of that rating are before."""
        index = min(bisect_right(self.up_to, offset), len(self.ratings) - 1)
        rating = self.ratings[index]
        return rating, offset - self.ahead_of(rating)


def windows() -> tuple[int | None, ...]:
    """The days within which players have to have played, of those ladders that are counted; None: ever."""
    return settings.RATEMATCH["LADDER_DAYS"], 30, None


def keep(days: int | None, counts: Mapping[int, int]) -> None:
    """Keep what was counted for one of `windows`; nothing at all makes pages count for themselves."""
    try:
        if counts:
            client().set(_key(days), json.dumps(list(counts.items())), ex=KEPT_S)
        else:
            client().delete(_key(days))
    except redis.RedisError as error:
        complain(log, "the counted ladder can't be kept: %s", error)
    _read.cache_clear()


def kept(days: int | None) -> Standings | None:
    """What was counted last; None if the ladder is short, isn't one of those counted, or nobody counts."""
    return _read(days, int(time.monotonic() // READ_EVERY_S)) if days in windows() else None


@lru_cache(maxsize=8)
def _read(days: int | None, moment: int) -> Standings | None:
    try:
        text = cast(str | None, client().get(_key(days)))
    except redis.RedisError as error:
        complain(log, "the counted ladder can't be read: %s", error)
        return None
    return Standings(dict(json.loads(text))) if text else None


def _key(days: int | None) -> str:
    return f"ladder:{days or 'ever'}"
