"""What is kept for how long: screenshots, 90 days after the last word on their match (rules §9)."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from ratematch.models import Case, Picture, Ruling, Watch, private_storage

log = logging.getLogger(__name__)

BATCH = 500
"""How many screenshots one run takes at most; the next hour takes more."""


def drop_old_pictures(now: datetime) -> int:
    """Delete the files of old screenshots; answers how many. What tells whether another is the same stays."""
    cutoff = now - timedelta(days=settings.RATEMATCH["PICTURES_KEPT_DAYS"])
    ruled = Ruling.objects.filter(match=OuterRef("match"), at__gt=cutoff)
    waiting = Case.objects.filter(match=OuterRef("match"), closed_at=None)
    old = Picture.objects.filter(status=Picture.READY, match__ended_at__lte=cutoff).exclude(
        Exists(ruled) | Exists(waiting)
    )
    return sum(_drop(picture) for picture in old[:BATCH])


def _drop(picture: Picture) -> bool:
    """Delete a file, then say so in its row: the other way round, whoever died between the two would leave a file that
    nobody looks for any more."""
    try:
        private_storage().delete(str(picture.file.name))
    except Exception:  # one that the storage doesn't give up must not keep the others; the next hour tries again
        log.exception("picture %s can't be deleted", picture.pk)
        return False
    fresh = Picture.objects.filter(pk=picture.pk, status=Picture.READY)
    with transaction.atomic(durable=True):
        return bool(fresh.update(status=Picture.GONE, file=""))


def drop_old_watches(now: datetime) -> int:
    """Delete the watches that are over; answers how many."""
    return Watch.objects.filter(until__lte=now).delete()[0]
