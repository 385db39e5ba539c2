"""Screenshots (rules §3.6): attached from PLAYING on, checked in the background, handed in with one press."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import kombu.exceptions
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from common.errors import Conflict, Invalid, Missing
from ratematch import pictures
from ratematch.conf import durations
from ratematch.models import Match, MatchEvent, Picture, Side, private_storage
from ratematch.policies import can_see_picture
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import tell
from ratematch.services.play import acting, check_seen, played
from ratematch.services.transition import advance, locked, publish

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

REMARK_MAX = 500


def attach_picture(*, match_id: int, actor: User, upload: UploadedFile, now: datetime) -> Picture:
    """Take in one screenshot for the actor's side and have it checked.

    Raises:
        Invalid: the file can be refused at a glance (`field` is "picture").
        Missing, Forbidden, Conflict: as for a move; `too_many_pictures` when there are three.
    """
    head = upload.read(32)
    upload.seek(0)
    pictures.glance(head, upload.size or 0, max_bytes=settings.RATEMATCH["PICTURE_MAX_BYTES"])
    with acting(match_id, actor, now) as (match, seat):
        _check_may_attach(match, seat)
        picture = Picture(match=match, seat=seat, received_at=now)
        picture.file.save("incoming.bin", upload, save=False)
        path = str(picture.file.name)
        try:
            picture.save()
            MatchEvent.objects.create(
                match=match, at=now, seat=seat, actor=actor, verb="attach", state_from=match.state, state_to=match.state
            )
        except Exception:
            private_storage().delete(path)
            raise
        publish(match)
        transaction.on_commit(lambda: _have_checked(picture.pk))
    return picture


def _check_may_attach(match: Match, seat: int) -> None:
    if State(match.state) not in lifecycle.ATTACHING:
        raise Conflict("wrong_state", state=match.state)
    if match.seats[seat].answer:
        raise Conflict("already_answered", state=match.state)
    kept = match.pictures.filter(seat=seat).exclude(status=Picture.REFUSED).count()
    if kept >= settings.RATEMATCH["PICTURES_MAX"]:
        raise Conflict("too_many_pictures", state=match.state, limit=settings.RATEMATCH["PICTURES_MAX"])


def _have_checked(picture_id: int) -> None:
    from ratematch.tasks import check_picture as task

    try:
        task.apply_async(args=[picture_id], retry=False)
    except kombu.exceptions.OperationalError as error:  # the sweep or the next reader checks it
        log.warning("picture %s waits for the sweep: %s", picture_id, error)


def remove_picture(*, match_id: int, actor: User, picture_id: int, now: datetime) -> None:
    """Take back a screenshot that hasn't been handed in."""
    with acting(match_id, actor, now) as (match, seat):
        side = match.seats[seat]
        if side.answer or side.handing_in_at or State(match.state) not in lifecycle.ATTACHING:
            raise Conflict("already_answered", state=match.state)
        picture = Picture.objects.filter(pk=picture_id, match=match, seat=seat).first()
        if picture is None:
            raise Missing("no_such_picture")
        path = picture.file.name
        picture.delete()
        publish(match)
        if path:
            transaction.on_commit(lambda: private_storage().delete(path))


def submit(*, match_id: int, actor: User, seen: str, now: datetime, remark: str = "") -> Match:
    """Hand in the attached screenshots. If one is still being checked, the press counts from now and takes effect then.

    Raises:
        Conflict: nothing attached, answered already, or elsewhere by now.
        Invalid: the remark is too long.
    """
    if len(remark) > REMARK_MAX:
        raise Invalid("remark_too_long", field="remark", limit=REMARK_MAX)
    with acting(match_id, actor, now) as (match, seat):
        check_seen(match, seen)
        new = played(match, Verb.SUBMIT, seat, now)
        status = set(match.pictures.filter(seat=seat).values_list("status", flat=True))
        if not status & {Picture.NEW, Picture.READY}:
            raise Conflict("no_pictures", state=match.state)
        Side.objects.filter(pk=match.seats[seat].pk).update(remark=remark.strip(), handing_in_at=now)
        if Picture.NEW in status:
            publish(match)
        else:
            advance(match, new, Verb.SUBMIT, now=now, seat=seat, actor=actor)
    return match


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


def picture_for(*, picture_id: int, viewer: User) -> Picture:
    """A checked screenshot, if the viewer may see it.

    Raises:
        Missing: there is none, it isn't checked, or it isn't for this viewer (who can't tell which).
    """
    picture = Picture.objects.select_related("match").filter(pk=picture_id, status=Picture.READY).first()
    if picture is None or not can_see_picture(picture, viewer):
        raise Missing("no_such_picture")
    return picture
