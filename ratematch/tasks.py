"""What runs outside requests. Each task may be lost, late or doubled without harm."""

from __future__ import annotations

import time

from celery import shared_task
from django.utils import timezone

from accounts.services.heartbeat import beat, site_now
from ratematch.services import deadlines, ladder, queue, screening

SWEEP_S = 10.0
"""A sweep ends after so long, so that the next one starts with a fresh clock. Seconds."""


@shared_task(name="ratematch.sweep")
def sweep() -> None:
    """Each second: clocks that ran out, warnings, stale queue entries, lost checks, rematches that may now be."""
    beat("worker", timezone.now())
    now = site_now(timezone.now())
    until = time.monotonic() + SWEEP_S
    for one in (deadlines.expire_one_due, deadlines.warn_one_due, screening.check_one_waiting):
        while time.monotonic() < until and one(now):
            pass
    queue.drop_stale(now)
    queue.pair_waiting(now)


@shared_task(name="ratematch.count_ladder")
def count_ladder() -> None:
    """Each minute: the players of each rating, while the ladder is so long that pages can't count them."""
    ladder.count_ladder(timezone.now())


@shared_task(name="ratematch.check_picture")
def check_picture(picture_id: int) -> None:
    """Decode one screenshot; see services/screening.py."""
    screening.check_picture(picture_id=picture_id, now=timezone.now())
