"""The loop that sends what is due. Many endpoints at once, since most of the time is waiting for strangers' servers;
but in one process at a time, so that slow ones can't keep the workers from applying clocks."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import redis
from django.db import connections
from django.utils import timezone

from accounts.services.webhooks import outbox, sending
from common.redis import client, complain

log = logging.getLogger(__name__)

AT_ONCE = 16
SWEEP_S = 20.0
"""A sweep begins no new request after so long, so that the next one starts afresh."""
LOCK, LOCK_S = "webhooks:sending", 60

UNLOCK = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"


def send_due() -> None:
    """Send all that is due, unless another process is at it."""
    with _alone() as alone:
        senders = min(AT_ONCE, outbox.due_count(timezone.now())) if alone else 0
        if senders:
            until = time.monotonic() + SWEEP_S
            with ThreadPoolExecutor(senders, thread_name_prefix="webhook") as pool:
                for _sender in range(senders):
                    pool.submit(_send_until, until)


def deliver(claimed: outbox.Claimed) -> None:
    """Send what was claimed, and note what came of it. No transaction is open while it is under way."""
    delivery, endpoint, at = claimed.delivery, claimed.delivery.endpoint, timezone.now()
    secrets = [endpoint.secret]
    if endpoint.old_secret and endpoint.old_secret_until and endpoint.old_secret_until > at:
        secrets.append(endpoint.old_secret)
    body = delivery.body.encode()
    result = sending.send(endpoint.url, secrets=secrets, message_id=delivery.message_id, body=body, at=at)
    outbox.finish(claimed, result, timezone.now())


def _send_until(until: float) -> None:
    try:
        while time.monotonic() < until and (claimed := outbox.claim_one(timezone.now())):
            connections.close_all()  # who waits for a stranger's server holds no connection of the pool
            deliver(claimed)
    except Exception:
        log.exception("a sender of webhooks failed; what it had claimed is free again in a minute")
    finally:
        connections.close_all()


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether this process is the one that sends now. Without Redis nobody is: there are no tasks then either."""
    token = uuid.uuid4().hex
    try:
        alone = bool(client().set(LOCK, token, nx=True, ex=LOCK_S))
    except redis.RedisError as error:
        complain(log, "webhooks aren't sent now: %s", error)
        alone = False
    try:
        yield alone
    finally:
        if alone:
            try:
                client().eval(UNLOCK, 1, LOCK, token)
            except redis.RedisError as error:  # it runs out by itself
                complain(log, "webhooks aren't sent now: %s", error)
