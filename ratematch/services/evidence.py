"""Screenshots (rules §3.6): attached from PLAYING on, handed in with one press; screening.py checks them between."""

from __future__ import annotations

import logging
import uuid
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from common.errors import Conflict, Invalid, Missing
from ratematch import pictures
from ratematch.models import Contest, Match, MatchEvent, Picture, Report, Side, private_storage
from ratematch.policies import can_see_picture
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb
from ratematch.rules.texts import plain
from ratematch.services.play import acting, check_seen, played
from ratematch.services.transition import advance, publish

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

REMARK_MAX = 500


def stored(uploads: list[UploadedFile]) -> list[str]:
    """Files that go with a report or a contest, put into storage before any row is locked; answers their paths.

    Raises:
        Invalid: too many, or one that can be refused at a glance.
    """
    if len(uploads) > settings.RATEMATCH["PICTURES_MAX"]:
        raise Invalid("too_many_files", field="picture", limit=settings.RATEMATCH["PICTURES_MAX"])
    for upload in uploads:
        _glance(upload)
    paths: list[str] = []
    try:
        for upload in uploads:
            paths.append(_put(upload))
    except BaseException:
        discard(paths)
        raise
    return paths


def keep(
    match: Match,
    seat: int,
    paths: list[str],
    now: datetime,
    *,
    report: Report | None = None,
    contest: Contest | None = None,
) -> None:
    """Step: make stored files the pictures of a report or a contest, and have them checked."""
    for path in paths:
        row = Picture.objects.create(match=match, seat=seat, received_at=now, file=path, report=report, contest=contest)
        transaction.on_commit(partial(_have_checked, row.pk), robust=True)


def discard(paths: list[str]) -> None:
    """Take stored files away again, because what they belonged to was refused."""
    for path in paths:
        private_storage().delete(path)


def _put(upload: UploadedFile) -> str:
    return private_storage().save(f"evidence/{uuid.uuid4().hex}.bin", upload)


def attach_picture(*, match_id: int, actor: User, upload: UploadedFile, now: datetime) -> Picture:
    """Take in one screenshot for the actor's side and have it checked.

    Raises:
        Invalid: the file can be refused at a glance (`field` is "picture").
        Missing, Forbidden, Conflict: as for a move; `too_many_pictures` when there are three.
    """
    _glance(upload)
    return _store(match_id, actor, upload, now)


def _store(match_id: int, actor: User, upload: UploadedFile, now: datetime) -> Picture:
    path = _put(upload)  # outside the lock: it may take long
    try:
        return _attach(match_id, actor, path, now)
    except BaseException:
        discard([path])
        raise


def attach_pictures(*, match_id: int, actor: User, uploads: list[UploadedFile], now: datetime) -> list[Picture]:
    """Take in what one press sends. If a file can be refused at a glance, none is taken in.

    Raises:
        Invalid: no file, or one that is refused at a glance; with several, its name is the fact `file`.
        Missing, Forbidden, Conflict: as for one; those before it are then attached.
    """
    if not uploads:
        raise Invalid("picture_missing", field="picture")
    for upload in uploads:
        try:
            _glance(upload)
        except Invalid as refusal:
            if len(uploads) > 1:
                refusal.facts["file"] = upload.name
            raise
    return [_store(match_id, actor, upload, now) for upload in uploads]


def _glance(upload: UploadedFile) -> None:
    head = upload.read(32)
    upload.seek(0)
    pictures.glance(head, upload.size or 0, max_bytes=settings.RATEMATCH["PICTURE_MAX_BYTES"])


def _attach(match_id: int, actor: User, path: str, now: datetime) -> Picture:
    with acting(match_id, actor, now) as (match, seat):
        _check_may_attach(match, seat)
        picture = Picture.objects.create(match=match, seat=seat, received_at=now, file=path)
        MatchEvent.objects.create(
            match=match, at=now, seat=seat, actor=actor, verb="attach", state_from=match.state, state_to=match.state
        )
        publish(match)
        transaction.on_commit(lambda: _have_checked(picture.pk), robust=True)
    return picture


def _check_may_attach(match: Match, seat: int) -> None:
    if State(match.state) not in lifecycle.ATTACHING:
        raise Conflict("wrong_state", state=match.state)
    if match.seats[seat].answer:
        raise Conflict("already_answered", state=match.state)
    sent = list(match.pictures.filter(seat=seat).values_list("status", flat=True))
    kept = len(sent) - sent.count(Picture.REFUSED)
    if kept >= settings.RATEMATCH["PICTURES_MAX"] or len(sent) >= settings.RATEMATCH["PICTURES_TRIED_MAX"]:
        raise Conflict("too_many_pictures", state=match.state, limit=settings.RATEMATCH["PICTURES_MAX"])


def _have_checked(picture_id: int) -> None:
    try:
        current_app.send_task("ratematch.check_picture", args=[picture_id], retry=False)
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
            transaction.on_commit(lambda: private_storage().delete(path), robust=True)


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
        Side.objects.filter(pk=match.seats[seat].pk).update(remark=plain(remark), handing_in_at=now)
        if Picture.NEW in status:
            publish(match)
        else:
            advance(match, new, Verb.SUBMIT, now=now, seat=seat, actor=actor)
    return match


def picture_for(*, picture_id: int, viewer: User) -> Picture:
    """A checked screenshot, if the viewer may see it.

    Raises:
        Missing: there is none, it isn't checked, or it isn't for this viewer (who can't tell which).
    """
    picture = Picture.objects.select_related("match").filter(pk=picture_id, status=Picture.READY).first()
    if picture is None or not can_see_picture(picture, viewer):
        raise Missing("no_such_picture")
    return picture
