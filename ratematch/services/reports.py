"""What players report of each other (rules §4)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.models import Case, ChatLine, Player, Report
from ratematch.policies import check_recent, check_reportable
from ratematch.rules.fairplay import Category
from ratematch.rules.texts import plain
from ratematch.services import evidence, penalties
from ratematch.services.transition import locked, seat_of

if TYPE_CHECKING:
    from accounts.models import User

TEXT_MAX = 1000


def report_opponent(
    *, match_id: int, actor: User, category: str, text: str, uploads: list[UploadedFile], now: datetime
) -> Report:
    """Report the other player of a match that has been played; a moderator reads it.

    Raises:
        Missing: no such match.
        Forbidden: not the actor's match.
        Conflict: not over yet, too long ago, or reported already.
        Invalid: no such category, no text, too many pictures, or one that can't be used.
    """
    text = _checked_text(text)
    penalties.check_category(category)
    paths = evidence.stored(uploads)
    try:
        with transaction.atomic(durable=True):
            match = locked(match_id)
            seat = seat_of(match, actor)
            check_reportable(match, now)
            me, other = match.seats[seat].player, match.seats[1 - seat].player
            if Report.objects.filter(match=match, reporter=me).exists():
                raise Conflict("already_reported_player")
            report = Report.objects.create(
                match=match, reporter=me, reported=other, category=category, text=text, at=now
            )
            evidence.keep(match, seat, paths, now, report=report)
            _open_case(report, now)
    except BaseException:
        evidence.discard(paths)
        raise
    return report


def report_line(*, line_id: int, actor: User, now: datetime) -> Report:
    """Report a line that the other one has said in a chat; it speaks for itself.

    Raises:
        Missing: no such line, or not in a chat of the actor's.
        Forbidden: one's own line.
        Conflict: reported already, or said too long ago.
    """
    with transaction.atomic(durable=True):
        line = ChatLine.objects.select_related("author", "match", "room").filter(pk=line_id).first()
        me = Player.objects.filter(user=actor).first()
        if line is None or me is None or not _takes_part(me, line):
            raise Missing("no_such_line")
        if line.author_id == me.pk:
            raise Forbidden("own_line")
        check_recent(line.at, now)
        report, made = Report.objects.get_or_create(
            line=line,
            reporter=me,
            defaults={"reported": line.author, "category": Category.CHAT.value, "at": now},
        )
        if not made:
            raise Conflict("already_reported_line")
        _open_case(report, now)
    return report


def _open_case(report: Report, now: datetime) -> None:
    Case.objects.create(kind=Case.REPORT, report=report, match=report.match, opened_at=now)
    penalties.look_for_pattern(report.reported, now)


def _takes_part(player: Player, line: ChatLine) -> bool:
    if line.room is not None:
        return player.pk in (line.room.host_id, line.room.guest_id)
    assert line.match
    return any(side.player_id == player.pk for side in line.match.seats)


def _checked_text(text: str) -> str:
    text = plain(text)
    if not text:
        raise Invalid("report_needs_text", field="text")
    if len(text) > TEXT_MAX:
        raise Invalid("report_too_long", field="text", limit=TEXT_MAX)
    return text
