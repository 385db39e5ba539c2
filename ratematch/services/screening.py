"""The check of screenshots: decode, keep a clean copy or say what is wrong, and finish a press that waited for it.

The worker does it as soon as a screenshot comes. If there is none, the sweep, a reader, or the clock makes up for it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import QuerySet

from common.errors import Invalid
from ratematch import pictures
from ratematch.conf import durations
from ratematch.models import Match, Picture, Side, private_storage
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import tell
from ratematch.services.transition import advance, locked, publish

log = logging.getLogger(__name__)


def check_picture(*, picture_id: int, now: datetime) -> None:
    """Decode one screenshot and keep a clean copy, or say what is wrong with it. Twice does no harm.

    Raises:
        OSError: the storage failed; the screenshot waits for the next check.
    """
    picture = Picture.objects.filter(pk=picture_id, status=Picture.NEW).first()
    if picture is None:
        return
    try:
        with private_storage().open(str(picture.file.name)) as file:
            data = file.read()
        clean = pictures.clean(
            data,
            max_pixels=settings.RATEMATCH["PICTURE_MAX_PIXELS"],
            max_side=settings.RATEMATCH["PICTURE_SIDE_PX"],
        )
    except Invalid as no:
        _finish(picture, None, no.code, now)
    except FileNotFoundError:  # another check has just finished with it, or a crash lost it before commit
        _finish(picture, None, "picture_damaged", now)
    else:
        _finish(picture, clean, "", now)


def _finish(picture: Picture, clean: pictures.Clean | None, refusal: str, now: datetime) -> None:
    """Write what a check found, unless another was faster, and leave one file or none."""
    raw = str(picture.file.name)
    written = _keep(picture, clean) if clean else ""
    with transaction.atomic(durable=True):
        match = locked(picture.match_id)
        columns: dict[str, Any] = {"status": Picture.REFUSED, "refusal": refusal, "file": ""}
        if clean:
            columns = {"status": Picture.READY, "file": written, "width": clean.width, "height": clean.height}
            columns |= {"sha256": clean.sha256, "likeness": clean.likeness}
        first = bool(Picture.objects.filter(pk=picture.pk, status=Picture.NEW).update(**columns))
        if first:
            if refusal:
                tell.send(match, match.seats[picture.seat], "picture_refused", now=now, code=refusal)
            _hand_in_if_ready(match, picture.seat, now)
            publish(match)
    for path in {raw, "" if first else written} - {""}:
        private_storage().delete(path)


def _keep(picture: Picture, clean: pictures.Clean) -> str:
    picture.file.save(f"clean{clean.suffix}", ContentFile(clean.data), save=False)
    return str(picture.file.name)


def _hand_in_if_ready(match: Match, seat: int, now: datetime) -> None:
    """Finish a press of "submit" that was waiting for this check."""
    side = match.seats[seat]
    status = set(match.pictures.filter(seat=seat).values_list("status", flat=True))
    if match.state != State.EVIDENCE or side.answer or not side.handing_in_at or Picture.NEW in status:
        return
    if Picture.READY in status:
        new = lifecycle.play(match.value(), Verb.SUBMIT, seat, now, durations=durations())
        advance(match, new, Verb.SUBMIT, now=now, seat=seat, actor=side.player.user)
    else:
        Side.objects.filter(pk=side.pk).update(handing_in_at=None)


SWEPT = 20
"""How many lost screenshots one sweep checks."""

LOST_AFTER = timedelta(seconds=5)
"""A screenshot that is unchecked for so long has lost its task, or there is no worker."""


def check_waiting(now: datetime) -> None:
    """Check the screenshots whose tasks were lost. The sweep calls it."""
    _check_each(Picture.objects.filter(status=Picture.NEW, received_at__lte=now - LOST_AFTER)[:SWEPT], now)


def is_lost(unchecked_since: datetime | None, now: datetime) -> bool:
    """Whether a screenshot received at `unchecked_since` should have been checked by now."""
    return unchecked_since is not None and unchecked_since <= now - LOST_AFTER


def check_lost(match_id: int, now: datetime) -> None:
    """The same for all of one match."""
    _check_each(Picture.objects.filter(match=match_id, status=Picture.NEW, received_at__lte=now - LOST_AFTER), now)


def check_before_the_clock(match_id: int, now: datetime) -> None:
    """Check what was handed in before EVIDENCE ran out, if no worker has: it must count (rules §3.6)."""
    due = Picture.objects.filter(
        match=match_id, status=Picture.NEW, match__state=State.EVIDENCE, match__deadline_at__lte=now
    )
    for picture in _check_each(due, now):
        _finish(picture, None, "picture_damaged", now)  # the match can't wait for a file that nobody can read


def _check_each(waiting: QuerySet[Picture], now: datetime) -> list[Picture]:
    """Check each; answers those that couldn't be, because their storage failed. One must not hold up the others."""
    failed = []
    for picture in list(waiting):
        try:
            check_picture(picture_id=picture.pk, now=now)
        except OSError:
            log.exception("picture %s can't be read", picture.pk)
            failed.append(picture)
    return failed
