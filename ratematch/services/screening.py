"""The check of screenshots: decode, keep a clean copy or say what is wrong, and finish a press that waited for it.

The worker does it as soon as a screenshot comes. If there is none, the sweep, a reader, or the clock makes up for it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from common.errors import Invalid
from ratematch import pictures
from ratematch.conf import durations
from ratematch.models import Match, Picture, Side, private_storage
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import tell
from ratematch.services.transition import advance, locked, publish


def check_picture(*, picture_id: int, now: datetime) -> None:
    """Decode one screenshot and keep a clean copy, or say what is wrong with it. Twice does no harm."""
    picture = Picture.objects.filter(pk=picture_id, status=Picture.NEW).first()
    if picture is None:
        return
    storage, raw = private_storage(), str(picture.file.name)
    result: pictures.Clean | None = None
    refusal = ""
    try:
        with storage.open(raw) as file:
            result = pictures.clean(
                file.read(),
                max_pixels=settings.RATEMATCH["PICTURE_MAX_PIXELS"],
                max_side=settings.RATEMATCH["PICTURE_SIDE_PX"],
            )
    except Invalid as no:
        refusal = no.code
    except FileNotFoundError:  # another check has just finished with it, or a crash lost it before commit
        refusal = "picture_damaged"
    written = _keep(picture, result) if result else ""
    with transaction.atomic(durable=True):
        match = locked(picture.match_id)
        columns = (
            {
                "status": Picture.READY,
                "file": written,
                "width": result.width,
                "height": result.height,
                "sha256": result.sha256,
                "likeness": result.likeness,
            }
            if result
            else {"status": Picture.REFUSED, "refusal": refusal, "file": ""}
        )
        first = bool(Picture.objects.filter(pk=picture_id, status=Picture.NEW).update(**columns))
        if first:
            if refusal:
                tell.send(match, match.seats[picture.seat], "picture_refused", now=now, code=refusal)
            _hand_in_if_ready(match, picture.seat, now)
            publish(match)
    for path in {raw, "" if first else written} - {""}:
        storage.delete(path)


def _keep(picture: Picture, result: pictures.Clean) -> str:
    picture.file.save(f"clean{result.suffix}", ContentFile(result.data), save=False)
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


LOST_AFTER = timedelta(seconds=5)
"""A screenshot that is unchecked for so long has lost its task, or there is no worker."""


def check_one_waiting(now: datetime) -> bool:
    """Check one screenshot whose task was lost; answers whether there was one. The sweep calls it."""
    picture = Picture.objects.filter(status=Picture.NEW, received_at__lte=now - LOST_AFTER).first()
    if picture is None:
        return False
    check_picture(picture_id=picture.pk, now=now)
    return True


def is_lost(unchecked_since: datetime | None, now: datetime) -> bool:
    """Whether a screenshot received at `unchecked_since` should have been checked by now."""
    return unchecked_since is not None and unchecked_since <= now - LOST_AFTER


def check_lost(match_id: int, now: datetime) -> None:
    """The same for all of one match."""
    lost = Picture.objects.filter(match=match_id, status=Picture.NEW, received_at__lte=now - LOST_AFTER)
    for pk in lost.values_list("pk", flat=True):
        check_picture(picture_id=pk, now=now)


def check_before_the_clock(match_id: int, now: datetime) -> None:
    """Check what was handed in before EVIDENCE ran out, if no worker has: it must count (rules §3.6)."""
    due = Picture.objects.filter(
        match=match_id, status=Picture.NEW, match__state=State.EVIDENCE, match__deadline_at__lte=now
    )
    for pk in list(due.values_list("pk", flat=True)):
        check_picture(picture_id=pk, now=now)
