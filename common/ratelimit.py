"""Counting calls, so that nobody can ask too often: one atomic script in Redis, right for any number of processes."""

import logging
from dataclasses import dataclass
from math import ceil
from typing import cast

import redis

from common.redis import client, complain

log = logging.getLogger(__name__)

# A window opens with the first call and ends `window` later; the check of the TTL heals a key that has none.
COUNT = """
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may go on, and how many more may follow until `reset_s` seconds from now."""

    allowed: bool
    limit: int
    remaining: int
    reset_s: int


def hit(key: str, *, limit: int, window_s: int) -> Verdict:
    """Count one call under `key`; of those within `window_s` seconds, `limit` are allowed.

    While Redis is away every call is allowed: a limit protects the site, so it must not be what takes it down.
    """
    try:
        count, left_ms = cast(list[int], client().eval(COUNT, 1, f"rate:{key}", str(window_s * 1000)))
    except redis.RedisError as error:
        complain(log, "rate limit of %s not counted: %s", key, error)
        return Verdict(allowed=True, limit=limit, remaining=limit, reset_s=window_s)
    return Verdict(count <= limit, limit, max(0, limit - count), ceil(left_ms / 1000))
