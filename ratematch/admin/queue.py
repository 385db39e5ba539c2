"""The queue: everything that waits for a moderator, of whatever kind, the oldest first (rules §5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from ratematch.admin import words
from ratematch.models import Case, CaseLook, Match, Report
from ratematch.services import cases
from ratematch.services.rulings import LOOK_LASTS

BY_MATCH = (Case.REVIEW, Case.CONTEST)
"""Kinds that are decided by a ruling on the match, on the match's page."""


@dataclass(frozen=True, slots=True)
class Line:
    """One case as a line of the queue. `answer_until` is set while the opponent may still answer a contest."""

    case: Case
    title: str
    about: str
    url: str
    answer_until: datetime | None
    looks: list[CaseLook]


def waiting_counts() -> dict[str, int]:
    """How many wait, by kind; kinds of which none waits are there with 0."""
    rows = Case.objects.filter(closed_at=None).order_by().values_list("kind").annotate(Count("pk"))
    return {kind: 0 for kind, _name in Case.KINDS} | dict(rows)


def queue(now: datetime, *, kind: str = "", taken_by: User | None = None) -> QuerySet[Case]:
    """Open cases, with what a line shows.

    Args:
        kind: only this one.
        taken_by: only those that this moderator has taken.
    """
    looks = CaseLook.objects.filter(seen_at__gte=now - LOOK_LASTS).select_related("moderator").order_by("since")
    matches = Match.objects.with_sides().prefetch_related(Prefetch("looks", queryset=looks, to_attr="open_looks"))
    rows = Case.objects.open()
    if kind:
        rows = rows.filter(kind=kind)
    if taken_by:
        rows = rows.filter(taken_by=taken_by)
    return rows.select_related(
        "taken_by", "contest", "report__reporter__user", "report__reported__user", "flag__player__user"
    ).prefetch_related(Prefetch("match", queryset=matches))


def lines(found: Iterable[Case], moderator: User, now: datetime) -> list[Line]:
    """Cases that `queue` found, as lines for a moderator, who isn't told what others say of him."""
    return [_line(case, moderator, now) for case in found]


def _line(case: Case, moderator: User, now: datetime) -> Line:
    contest = case.contest
    own = moderator.pk in cases.concerned(case)
    open_to_answer = contest is not None and contest.answered_at is None and contest.answer_until > now
    return Line(
        case=case,
        title=words.case_title(case),
        about=_("It is about you, so another moderator decides it.") if own else words.case_about(case),
        url=case_url(case),
        answer_until=contest.answer_until if contest and open_to_answer else None,
        looks=case.match.open_looks if case.match and case.kind in BY_MATCH else [],  # type: ignore[attr-defined]
    )


def case_url(case: Case) -> str:
    """Where a case is decided."""
    if case.kind in BY_MATCH:
        return reverse("admin:ratematch_case", args=[case.match_id])
    return reverse("admin:ratematch_case_change", args=[case.pk])


def next_case(moderator: User, now: datetime, *, after: Case | None = None) -> Case | None:
    """The case to take up next: one that can be decided, that nobody else is on, and that isn't about the moderator.

    Args:
        after: go on from this one, so that a case can be passed over; past the last one the oldest comes again.
    """
    busy = CaseLook.objects.filter(seen_at__gte=now - LOOK_LASTS).exclude(moderator=moderator).values("match")
    free = (
        Case.objects.open()
        .filter(Q(taken_by=None) | Q(taken_by=moderator))
        .exclude(contest__answered_at=None, contest__answer_until__gt=now)
        .exclude(kind__in=BY_MATCH, match__in=busy)
        .exclude(kind__in=BY_MATCH, match__sides__player__user=moderator)
        .exclude(report__reporter__user=moderator)
        .exclude(report__reported__user=moderator)
        .exclude(flag__player__user=moderator)
        .exclude(flag__player__in=Report.objects.filter(reporter__user=moderator).values("reported"))
    )
    if after is None:
        return free.first()
    free = free.exclude(pk=after.pk)
    later = Q(opened_at__gt=after.opened_at) | Q(opened_at=after.opened_at, pk__gt=after.pk)
    return free.filter(later).first() or free.first()


def open_on(match: Match) -> Case | None:
    """The case on a match that a ruling would close, the oldest if there are two."""
    rows = Case.objects.open().filter(match=match, kind__in=BY_MATCH)
    return rows.select_related("taken_by").first()
