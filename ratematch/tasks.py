"""What runs outside requests. Each task may be lost, late or doubled without harm."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from django.utils import timezone

from accounts.services.heartbeat import beat, site_now
from ratematch.services import deadlines, free, ladder, levels, queue, retention, screening

log = logging.getLogger(__name__)

SWEEP_S = 10.0
"""A sweep ends after so long, so that the next one starts with a fresh clock. Seconds."""


@shared_task(name="ratematch.sweep")
def sweep() -> None:
    """Each second: clocks that ran out, warnings, stale queue entries, lost checks, expired points, rematches."""
    beat("worker", timezone.now())
    now = site_now(timezone.now())
    until = time.monotonic() + SWEEP_S
    steps: list[Callable[[datetime], object]] = [
        lambda at: _repeat(deadlines.expire_one_due, at, until),
        lambda at: _repeat(deadlines.warn_one_due, at, until),
        lambda at: _repeat(levels.expire_one_due, at, until),
        lambda at: _repeat(free.close_one_due, at, until),
        free.close_deserted,
        screening.check_waiting,
        queue.drop_stale,
        queue.pair_waiting,
    ]
    for step in steps:
        try:
            step(now)
        except Exception:  # one step that fails must not keep the others from being done
            log.exception("a step of the sweep failed")


def _repeat(one: Callable[[datetime], bool], now: datetime, until: float) -> None:
    while time.monotonic() < until and one(now):
        pass


@shared_task(name="ratematch.count_ladder")
def count_ladder() -> None:
    """Each minute: the players of each rating, while the ladder is so long that pages can't count them."""
    ladder.count_ladder(timezone.now())


@shared_task(name="ratematch.tidy")
def tidy() -> None:
    """Each hour: screenshots that have been kept long enough, and watches that are over."""
    now = timezone.now()
    retention.drop_old_pictures(now)
    retention.drop_old_watches(now)


@shared_task(name="ratematch.check_picture")
def check_picture(picture_id: int) -> None:
    """Decode one screenshot; see services/screening.py."""
    screening.check_picture(picture_id=picture_id, now=timezone.now())
