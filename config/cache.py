"""The cache that all processes share: what sign-in counts its limits in."""

import logging
from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends import redis as django_redis

from common.redis import complain

log = logging.getLogger(__name__)


class ForgivingClient(django_redis.RedisCacheClient):
    """Redis; while it is away nothing is found, and storing only seems to work.

    Limits protect the site, so they must not be what takes it down. `add` seems to work too: locks are made of it.
    """

    def add(self, *args: Any) -> bool:
        return self._try(True, super().add, *args)

    def get(self, key: Any, default: Any) -> Any:
        return self._try(default, super().get, key, default)

    def set(self, *args: Any) -> None:
        self._try(None, super().set, *args)

    def touch(self, *args: Any) -> bool:
        return self._try(False, super().touch, *args)

    def delete(self, *args: Any) -> bool:
        return self._try(False, super().delete, *args)

    def get_many(self, *args: Any) -> dict[Any, Any]:
        return self._try({}, super().get_many, *args)

    def has_key(self, *args: Any) -> bool:
        return self._try(False, super().has_key, *args)

    def incr(self, key: Any, delta: int) -> int:
        return self._try(delta, super().incr, key, delta)

    def set_many(self, *args: Any) -> None:
        self._try(None, super().set_many, *args)

    def delete_many(self, *args: Any) -> None:
        self._try(None, super().delete_many, *args)

    def clear(self) -> bool:
        """Not that: live updates, counts and tasks are in the same Redis."""
        raise NotImplementedError

    def _try(self, otherwise: Any, call: Callable[..., Any], *args: Any) -> Any:
        try:
            return call(*args)
        except redis.RedisError as error:
            complain(log, "the cache isn't there: %s", error)
            return otherwise


class RedisCache(django_redis.RedisCache):
    """Django's, with a client that doesn't fail."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__([server], params)  # a list, since Django would split a password that has a comma
        self._class = ForgivingClient
