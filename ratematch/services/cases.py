"""Cases that are no match to rule on: reports and flags (rules §5). Who works on what, and what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from accounts.services import notices
from common.errors import Conflict, Invalid, Missing
from ratematch.models import Case, Player
from ratematch.policies import check_moderate_players
from ratematch.rules.texts import plain
from ratematch.services.penalties import check_category, checked_reason, penalise, withdraw

if TYPE_CHECKING:
    from accounts.models import User

NOTE_MAX = 2000


def take(*, case_id: int, actor: User, now: datetime) -> Case:
    """Say that one works on a case; again, or after giving it back, does no harm.

    Raises:
        Missing, Forbidden: as for `decide`.
        Conflict: somebody else has taken it, or it is closed.
    """
    with transaction.atomic(durable=True):
        case = _open_case(case_id, actor)
        _check_free(case, actor)
        Case.objects.filter(pk=case.pk, closed_at=None).update(taken_by=actor, taken_at=now)
        case.taken_by, case.taken_at = actor, now
    return case


def give_back(*, case_id: int, actor: User) -> None:
    """Leave a case to others again; also one that somebody else has taken and forgotten."""
    with transaction.atomic(durable=True):
        case = _open_case(case_id, actor)
        Case.objects.filter(pk=case.pk, closed_at=None).update(taken_by=None, taken_at=None)


def decide(
    *, case_id: int, actor: User, verdict: str, category: str = "", reason: str = "", note: str = "", now: datetime
) -> Case:
    """Close a report or a flag: with a penalty, or without one.

    A flag that has cost points by itself is confirmed by "penalised"; "dismissed" takes these points back.

    Args:
        category: what the penalty is for.
        reason: what the player is told who is penalised, or whose points are taken back.
        note: for moderators; the player doesn't read it.

    Raises:
        Missing: no such case, or one that is ruled on by its match.
        Forbidden: not a moderator, or the case is about the actor.
        Conflict: closed meanwhile, or somebody else works on it.
        Invalid: no verdict; a penalty without category or reason; a note too long.
    """
    note = plain(note)
    if verdict not in (Case.PENALISED, Case.DISMISSED):
        raise Invalid("bad_verdict", field="verdict")
    if len(note) > NOTE_MAX:
        raise Invalid("note_too_long", field="note", limit=NOTE_MAX)
    with transaction.atomic(durable=True):
        case = _open_case(case_id, actor)
        if case.kind not in (Case.REPORT, Case.FLAG):
            raise Missing("no_such_case")
        _check_free(case, actor)
        given = case.flag.penalties.filter(withdrawn_at=None).first() if case.flag else None
        if verdict == Case.PENALISED and given is None:
            check_category(category)
            reason = checked_reason(reason)
            penalise(accused(case), category, now=now, by=actor, reason=reason, report=case.report, flag=case.flag)
        elif verdict == Case.DISMISSED and given is not None:
            withdraw(given, by=actor, reason=plain(reason), now=now)
        closed = {"closed_at": now, "closed_by": actor, "verdict": verdict, "note": note}
        if not Case.objects.filter(pk=case.pk, closed_at=None).update(**closed):
            raise Conflict("case_closed", moderator="")
        if case.report:
            notices.notify(
                [case.report.reporter.user_id],
                "ratematch.report_closed",
                facts={"opponent": str(case.report.reported)},
                url=case.match.get_absolute_url() if case.match else "",
                now=now,
            )
    return case


def accused(case: Case) -> Player:
    """Whom a report or a flag is about."""
    if case.report:
        return case.report.reported
    assert case.flag
    return case.flag.player


def concerned(case: Case) -> set[int]:
    """Ids of the users whom the case is about, or whose reports made it: none of them decides it."""
    if case.report:
        return {case.report.reporter.user_id, case.report.reported.user_id}
    if case.flag:
        return {case.flag.player.user_id, *case.flag.facts.get("reporters", [])}
    assert case.match
    return {side.player.user_id for side in case.match.seats}


def _open_case(case_id: int, actor: User) -> Case:
    """The locked case, still open, that the actor may work on."""
    case = (
        Case.objects.select_for_update(of=("self",), no_key=True)
        .select_related(
            "taken_by",
            "closed_by",
            "match",
            "report__reporter__user",
            "report__reported__user",
            "flag__player__user",
        )
        .filter(pk=case_id)
        .first()
    )
    if case is None:
        raise Missing("no_such_case")
    check_moderate_players(actor, concerned(case))
    if case.closed_at is not None:
        raise Conflict("case_closed", moderator=str(case.closed_by))
    return case


def _check_free(case: Case, actor: User) -> None:
    if case.taken_by_id not in (None, actor.pk):
        raise Conflict("case_taken", moderator=str(case.taken_by))
