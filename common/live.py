"""Live updates: who is told that something changed.

A service publishes an id and a verb ("match 12"), never what it looks like; the page fetches its fragment through
the ordinary view, which decides what this viewer may see. Events lie in one capped Redis stream, so that a browser
that was away for a moment gets what it missed.
"""

import json
import logging
from collections.abc import Iterable

import redis

from common.redis import client, complain

log = logging.getLogger(__name__)

STREAM = "live"
KEPT = 10_000
SITE = "site"


def user_channel(user_id: int) -> str:
    """The channel that only this user's own streams listen to."""
    return f"user:{user_id}"


def publish(channels: Iterable[str], verb: str, **facts: int | str) -> None:
    """Tell everybody who listens to one of `channels`. Call it after commit.

    That the server is away is no reason to fail: what happened is in the database, and pages look again by
    themselves when their stream is back.
    """
    event = {"to": " ".join(channels), "verb": verb, "facts": json.dumps(facts)}
    try:
        client().xadd(STREAM, event, maxlen=KEPT, approximate=True)  # type: ignore[arg-type]
    except redis.RedisError as error:
        complain(log, "live update %s not published: %s", verb, error)
