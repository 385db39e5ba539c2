"""Counting in Redis: exact whoever counts at once, and open when Redis is away."""

import threading
import uuid

import pytest
import redis

from common import ratelimit


@pytest.fixture
def key():
    return f"tests:{uuid.uuid4()}"


def test_the_last_that_is_allowed(key):
    verdicts = [ratelimit.hit(key, limit=2, window_s=60) for _ in range(3)]
    assert [(verdict.allowed, verdict.remaining) for verdict in verdicts] == [(True, 1), (True, 0), (False, 0)]
    assert all(0 < verdict.reset_s <= 60 for verdict in verdicts)


def test_a_window_ends(key):
    ratelimit.hit(key, limit=1, window_s=60)
    assert not ratelimit.hit(key, limit=1, window_s=60).allowed
    ratelimit.client().pexpire(f"rate:{key}", 0)
    assert ratelimit.hit(key, limit=1, window_s=60).allowed


def test_exactly_as_many_as_allowed_of_many_at_once(key):
    together, allowed = threading.Barrier(20), []

    def call():
        together.wait()
        allowed.extend(ratelimit.hit(key, limit=50, window_s=60).allowed for _ in range(10))

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(allowed), sum(allowed)) == (200, 50)


def test_without_redis_every_call_is_allowed(key, monkeypatch, caplog):
    nobody_listens = redis.Redis(port=1, socket_connect_timeout=1)
    monkeypatch.setattr(ratelimit, "client", lambda: nobody_listens)
    monkeypatch.setattr("common.redis._said", {})
    caplog.set_level("WARNING", logger="common.ratelimit")
    verdict = ratelimit.hit(key, limit=1, window_s=60)
    assert (verdict.allowed, verdict.remaining) == (True, 1)
    assert "not counted" in caplog.text
