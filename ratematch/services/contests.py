"""A loss by silence, contested (rules §9): the rating stays until a moderator rules, and the other side may answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from common.errors import Conflict, Invalid, Missing
from ratematch.models import Case, Contest, MatchEvent
from ratematch.policies import check_contest
from ratematch.rules.texts import plain
from ratematch.services import evidence, tell
from ratematch.services.transition import locked, publish, seat_of

if TYPE_CHECKING:
    from accounts.models import User

TEXT_MAX = 1000


def contest(*, match_id: int, actor: User, text: str, uploads: list[UploadedFile], now: datetime) -> Contest:
    """Ask for a ruling on a match that one has lost by silence, with evidence. Once a match.

    Raises:
        Missing: no such match.
        Forbidden: not the actor's match.
        Conflict: not lost by silence, too long ago, or contested already.
        Invalid: no text, no picture, too many, or one that can't be used.
    """
    text = _checked(text)
    if not uploads:
        raise Invalid("picture_missing", field="picture")
    paths = evidence.stored(uploads)
    try:
        with transaction.atomic(durable=True):
            match = locked(match_id)
            seat = seat_of(match, actor)
            check_contest(match, seat, now)
            until = now + timedelta(hours=settings.RATEMATCH["CONTEST_HOURS"])
            row = Contest.objects.create(match=match, seat=seat, text=text, at=now, answer_until=until)
            evidence.keep(match, seat, paths, now, contest=row)
            Case.objects.create(kind=Case.CONTEST, match=match, contest=row, opened_at=now)
            MatchEvent.objects.create(
                match=match,
                at=now,
                seat=seat,
                actor=actor,
                verb="contest",
                state_from=match.state,
                state_to=match.state,
            )
            tell.send(match, match.seats[1 - seat], "contested", now=now, until=until.isoformat())
            publish(match)
    except BaseException:
        evidence.discard(paths)
        raise
    return row


def answer(*, match_id: int, actor: User, text: str, uploads: list[UploadedFile], now: datetime) -> Contest:
    """The other side's answer to a contest. Once, and in time.

    Raises:
        Missing: no such match, or nobody contests it.
        Forbidden: not the actor's match.
        Conflict: one's own contest, answered already, ruled on, or too late.
        Invalid: no text, too many pictures, or one that can't be used.
    """
    text = _checked(text)
    paths = evidence.stored(uploads)
    try:
        with transaction.atomic(durable=True):
            match = locked(match_id)
            seat = seat_of(match, actor)
            row = Contest.objects.filter(match=match).first()
            if row is None:
                raise Missing("no_such_contest")
            if row.seat == seat:
                raise Conflict("own_contest", state=match.state)
            if row.answered_at or row.ruling_id:
                raise Conflict("already_answered", state=match.state)
            if now >= row.answer_until:
                raise Conflict("answer_too_late", state=match.state)
            Contest.objects.filter(pk=row.pk, answered_at=None).update(answer=text, answered_at=now)
            row.answer, row.answered_at = text, now
            evidence.keep(match, seat, paths, now, contest=row)
            tell.send(match, match.seats[row.seat], "contest_answered", now=now)
            publish(match)
    except BaseException:
        evidence.discard(paths)
        raise
    return row


def _checked(text: str) -> str:
    text = plain(text)
    if not text:
        raise Invalid("contest_needs_text", field="text")
    if len(text) > TEXT_MAX:
        raise Invalid("contest_too_long", field="text", limit=TEXT_MAX)
    return text
