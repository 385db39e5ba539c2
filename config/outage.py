"""Our own outages are not charged to players (docs/architecture.md).

Every web process says every few seconds that pages can be reached. When that was said last too long ago, all open
deadlines move by the time between, once, before the first page is served again. The same holds when the machine slept
or the database was away: then the processes live on, and the next beat finds out.
"""

import logging
import os
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.services import heartbeat
from common.live import SITE, publish

log = logging.getLogger(__name__)

SHIFTS = ["ratematch.services.deadlines.shift_open"]
"""One step a game: `shift_open(gap: timedelta)` moves all its open deadlines."""


def beat(now: datetime) -> timedelta:
    """Command: say that pages can be reached, and make up for an outage that has just ended.

    Answers by how much open deadlines were moved; 0 when there was no outage or another process has done it.
    """
    with transaction.atomic(durable=True):
        gap = heartbeat.revive(now)
        if gap:
            for shift in SHIFTS:
                import_string(shift)(gap)
    if gap:
        log.info("no page could be reached for %.0f s: all open deadlines were moved by it", gap.total_seconds())
        publish([SITE], "resync")
    return gap


def keep_beating() -> None:
    """Beat now, and from now on in the background. BANZUKE_BEAT=0 turns it off: for tests, and for stream servers."""
    if os.environ.get("BANZUKE_BEAT") == "0":
        return
    _beat_safely()
    threading.Thread(target=_beat_for_ever, name="heartbeat", daemon=True).start()


def _beat_for_ever() -> None:
    pause = threading.Event()
    while not pause.wait(settings.HEARTBEAT_EVERY_S):
        _beat_safely()


def _beat_safely() -> None:
    """One beat that doesn't fail: a database that is away now is asked again in a few seconds."""
    try:
        beat(timezone.now())
    except Exception:
        log.exception("the web heartbeat can't be written")
    finally:
        connections.close_all()
