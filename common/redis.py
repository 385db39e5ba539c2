"""The one connection pool to the Redis-protocol server that a process has."""

import logging
import time
from functools import cache

import redis
from django.conf import settings

SAY_AGAIN_S = 10.0
"""A server that is away fails every call; one line in so many seconds says enough."""

_said: dict[str, float] = {}


@cache
def client() -> redis.Redis:
    """A synchronous client. Callers decide what it means for them that the server is away."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, health_check_interval=30, decode_responses=True
    )


def complain(log: logging.Logger, message: str, *args: object) -> None:
    """Warn that the server is away, unless the same was said a moment ago."""
    now = time.monotonic()
    if now - _said.get(message, -SAY_AGAIN_S) >= SAY_AGAIN_S:
        _said[message] = now
        log.warning(message, *args)
