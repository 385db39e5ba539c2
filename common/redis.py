"""The one connection pool to the Redis-protocol server that a process has."""

from functools import cache

import redis
from django.conf import settings


@cache
def client() -> redis.Redis:
    """A synchronous client. Callers decide what it means for them that the server is away."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, health_check_interval=30, decode_responses=True
    )
