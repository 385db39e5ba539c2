"""What only moderators read about a match; what players read too is in ratematch/wording/."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratematch import wording
from ratematch.models import CATEGORY_NAMES, Case, Match, MatchEvent
from ratematch.policies import FULL
from ratematch.rules.fairplay import Category
from ratematch.rules.lifecycle import Cause, Outcome
from ratematch.selectors import MatchView
from ratematch.services.ratings import Forecast

CAUSES: dict[str, Promise] = {
    Cause.DISPUTE: gettext_lazy("The two don't agree on the result"),
    Cause.NO_RESPONSE: gettext_lazy("One side reported, the other didn't respond"),
    Cause.OWN_CHOICE: gettext_lazy("One side chose to prove the result"),
    Cause.NOT_OVER_TWICE: gettext_lazy("A result was reported twice, and twice the other side said “not over”"),
}


def outcome(value: str, match: Match) -> str:
    """An outcome of `match`, with the winner's name."""
    if value == Outcome.DRAW:
        return _("A draw")
    if value == Outcome.VOID:
        return _("Void")
    seat = 0 if value == Outcome.PLAYER1 else 1
    return _("Player %(number)s, %(name)s, won") % {"number": seat + 1, "name": match.seats[seat].player}


def event(row: MatchEvent, view: MatchView) -> str:
    """One line of the log. `row.actor` must be loaded."""
    if row.verb == "ruling":
        facts = {"name": row.actor, "outcome": outcome(row.facts["outcome"], view.match)}
        return _("%(name)s ruled: %(outcome)s") % facts
    return wording.event_words(row, view)


def changes(forecasts: Sequence[Forecast]) -> str:
    """What an outcome would do to both ratings: "+14 / −14"."""
    if not any(change.computed or change.applied for change in forecasts):
        return _("No change")
    notes = dict.fromkeys(note for change in forecasts if (note := why(change)))
    figures = " / ".join(wording.signed(change.applied) for change in forecasts)
    return figures + "".join(_(" (%(note)s)") % {"note": note} for note in notes)


def why(change: Forecast) -> str:
    """What makes a change differ from the plain formula: the floor, or a halved gain."""
    if change.computed != change.applied:
        return _("stops at %(floor)s") % {"floor": change.after}
    if change.computed > 0 and change.factor != FULL:
        return _("gain halved")
    return ""


def case_title(case: Case) -> str:
    """What a case is called: by its match, or by whom it is about."""
    if case.report:
        return _("Report of %(name)s") % {"name": case.report.reported}
    if case.flag:
        return _("Flag on %(name)s") % {"name": case.flag.player}
    return _("Match %(match)s") % {"match": case.match_id}


def case_about(case: Case) -> str:
    """Why it waits, in short."""
    if case.report:
        facts = {"category": CATEGORY_NAMES[Category(case.report.category)], "name": case.report.reporter}
        return _("%(category)s; by %(name)s") % facts
    if case.flag:
        facts = {
            "kind": case.flag.get_kind_display(),
            "category": CATEGORY_NAMES[Category(case.flag.category)],
        }
        return _("%(kind)s: %(category)s") % facts
    assert case.match
    if case.contest:
        return _("%(name)s contests the result") % {"name": case.match.seats[case.contest.seat].player}
    return str(CAUSES.get(case.match.cause, ""))


def span(hours: int) -> str:
    """Hours as a length of time: 1 hour, 7 days."""
    if hours % 24:
        return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours}
    return ngettext("%(n)s day", "%(n)s days", hours // 24) % {"n": hours // 24}
