"""Everything about a report or a flag: what was said of whom, what it is made of, and what may come of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.errors import Conflict, Forbidden, Refusal
from ratematch import wording
from ratematch.admin import words
from ratematch.admin.standings import Standing, of_flag, reports, standing
from ratematch.models import Case, ChatLine, Match, MatchEvent, Penalty, Picture, Player, Report
from ratematch.policies import check_moderate_players
from ratematch.selectors import MatchView
from ratematch.services import cases

LINES_AROUND = 10
"""How many lines before and after a reported one are shown."""


@dataclass(frozen=True)
class ReportCase:
    """A report or a flag as a moderator looks at it."""

    case: Case
    moderator: User
    now: datetime

    @cached_property
    def obstacle(self) -> Refusal | None:
        """Why this moderator can't decide it now, or None."""
        try:
            check_moderate_players(self.moderator, cases.concerned(self.case))
        except Forbidden as no:
            return no
        if self.case.closed_at:
            return Conflict("case_closed", moderator=str(self.case.closed_by))
        if self.case.taken_by_id not in (None, self.moderator.pk):
            return Conflict("case_taken", moderator=str(self.case.taken_by))
        return None

    @property
    def own(self) -> bool:
        """Whether the case is about the moderator."""
        return self.moderator.pk in cases.concerned(self.case)

    @cached_property
    def accused(self) -> Player:
        """Whom it is about."""
        return cases.accused(self.case)

    @cached_property
    def standing(self) -> Standing:
        """Where they stand."""
        return standing(self.accused, self.now)

    @cached_property
    def given(self) -> Penalty | None:
        """The penalty that a flag has cost by itself, if it still counts."""
        return next((row for row in self._penalties if row.withdrawn_at is None), None)

    @cached_property
    def outcome(self) -> Penalty | None:
        """The penalty that came of the case, withdrawn or not."""
        return self._penalties[0] if self._penalties else None

    @cached_property
    def _penalties(self) -> list[Penalty]:
        about = Q(report=self.case.report) if self.case.report else Q(flag=self.case.flag)
        return list(Penalty.objects.filter(about).select_related("by", "withdrawn_by").order_by("pk"))

    @property
    def verdicts(self) -> list[tuple[str, Promise]]:
        """What may come of it, in words."""
        if self.given:
            return [
                (Case.PENALISED, _("Confirm: the points stay")),
                (Case.DISMISSED, _("Dismiss: the points are taken back")),
            ]
        return [(Case.PENALISED, _("Penalise")), (Case.DISMISSED, _("Dismiss: nothing comes of it"))]

    @cached_property
    def match(self) -> Match | None:
        """The match that a report is about, with its sides; of a line said in a free match, none."""
        report = self.case.report
        if report is None:
            return None
        match_id = report.match_id or (report.line.match_id if report.line else None)
        return Match.objects.with_sides().filter(pk=match_id).first() if match_id else None

    @cached_property
    def events(self) -> list[tuple[MatchEvent, str]]:
        """What happened in that match, the oldest first, in words."""
        if self.match is None:
            return []
        view = MatchView(self.match, self.moderator, self.now)
        return [(row, words.event(row, view)) for row in view.events]

    @cached_property
    def how_it_ended(self) -> str:
        """The match's outcome and what decided it; nothing for one that hasn't ended."""
        if self.match is None or not self.match.outcome:
            return ""
        return wording.ending_words(MatchView(self.match, self.moderator, self.now))

    @cached_property
    def result(self) -> str:
        """The match's outcome in words, or nothing."""
        return words.outcome(self.match.outcome, self.match) if self.match and self.match.outcome else ""

    @cached_property
    def pictures(self) -> list[Picture]:
        """What came with the report."""
        report = self.case.report
        return list(report.pictures.filter(status=Picture.READY)) if report else []

    @cached_property
    def chat(self) -> list[ChatLine]:
        """The reported line with those around it; of a report about a match, the newest lines of that match."""
        report = self.case.report
        if report is None:
            return []
        lines = ChatLine.objects.select_related("author__user", "hidden_by")
        if report.line is None:
            return list(lines.filter(match=report.match_id).order_by("-pk")[: 2 * LINES_AROUND])[::-1]
        there = lines.filter(match=report.line.match_id, room=report.line.room_id)
        before = there.filter(pk__lte=report.line.pk).order_by("-pk")[: LINES_AROUND + 1]
        after = there.filter(pk__gt=report.line.pk).order_by("pk")[:LINES_AROUND]
        return [*list(before)[::-1], *after]

    @cached_property
    def made_of(self) -> tuple[list[Report], list[Match]]:
        """The reports and matches that a flag was made of."""
        return of_flag(self.case.flag) if self.case.flag else ([], [])

    @cached_property
    def other_report(self) -> Report | None:
        """What the other side reported of the same match."""
        report = self.case.report
        if report is None or report.match_id is None:
            return None
        return reports().filter(match=report.match_id).exclude(pk=report.pk).first()

    @cached_property
    def filed(self) -> dict[str, int]:
        """How the reporter's earlier reports went: how many, and how many led to a penalty."""
        assert self.case.report
        own = Report.objects.filter(reporter=self.case.report.reporter_id).exclude(pk=self.case.report.pk)
        return {"all": own.count(), "penalised": own.filter(case__verdict=Case.PENALISED).count()}


def find(case_id: int, moderator: User, now: datetime) -> ReportCase | None:
    """A report or a flag, or None if there is no such case."""
    case = (
        Case.objects.filter(pk=case_id, kind__in=(Case.REPORT, Case.FLAG))
        .select_related(
            "taken_by",
            "closed_by",
            "report__reporter__user",
            "report__reported__user",
            "report__line__room",
            "flag__player__user",
        )
        .first()
    )
    return ReportCase(case, moderator, now) if case else None
