"""The page of a match: both sides, what happened, and the form to rule on it; and who else has it open."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Conflict, Refusal
from common.problems import text_for
from ratematch.admin import keys, words
from ratematch.admin.forms import RulingForm
from ratematch.admin.match_case import MatchCase
from ratematch.admin.views.frame import go_on, me, moderators_only, next_url, page
from ratematch.models import Match, ReasonTemplate
from ratematch.services import deadlines, rulings

CHECK, EDIT, RULE = "check", "edit", "rule"
"""The steps of the form: see what the ruling would do, go back and change it, make it."""


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def match_case(request: HttpRequest, match_id: int) -> HttpResponse:
    """One match, and the form to rule on it."""
    deadlines.settle(match_id, timezone.now())
    found = _find(request, match_id)
    if request.method == "POST":
        return _decide(request, found)
    return _show(request, found, _form(found, initial={"seen_ruling": found.seen_ruling}))


@moderators_only
@require_safe
def company(request: HttpRequest, match_id: int) -> HttpResponse:
    """The part of the page that says who else is on it; 204 if that is what the page shows already."""
    found = _find(request, match_id)
    facts = _company(found)
    if request.GET.get("shown") == facts["shown"]:
        return HttpResponse(status=204)
    seen = request.GET.get("seen", "")
    overtaken = str(found.seen_ruling or "") != seen
    return render(
        request, "admin/ratematch/company.html", {"case": found, "seen": seen, "overtaken": overtaken, **facts}
    )


def _find(request: HttpRequest, match_id: int) -> MatchCase:
    match = Match.objects.with_sides().filter(pk=match_id).first()
    if match is None:
        raise Http404
    return MatchCase(match, me(request), timezone.now())


def _form(found: MatchCase, data: Any = None, **kwargs: Any) -> RulingForm:
    outcomes = [(option.value, option.label) for option in found.options]
    players = [(str(half.side.player), half.standing.choices) for half in found.sides]
    return RulingForm(data, outcomes=outcomes, players=players, **kwargs)


def _decide(request: HttpRequest, found: MatchCase) -> HttpResponse:
    form = _form(found, request.POST)
    valid = form.is_valid()
    if found.obstacle:
        if found.obstacle.code != "chief_overturns" or not valid:
            return _show(request, found, None, refusal=found.obstacle)
        if _sent_twice(form, found):
            return _done(request, found, form)
        overtaken = form.cleaned_data["seen_ruling"] != found.seen_ruling
        refusal = _already_ruled(found) if overtaken else found.obstacle
        return _show(request, found, None, refusal=refusal, typed=form.cleaned_data["reason"])
    if not valid:
        return _show(request, found, form, status=422)
    step = request.POST.get("step", CHECK)
    if step == EDIT:
        return _show(request, found, form)
    if step == RULE:
        return _rule(request, found, form)
    if form.cleaned_data["seen_ruling"] != found.seen_ruling:
        return _overtaken(request, form, found)
    return _confirm(request, found, form)


def _confirm(request: HttpRequest, found: MatchCase, form: RulingForm) -> HttpResponse:
    """What the ruling would do, before it is made."""
    given = dict(form.penalties())
    levels = [
        (half.side.player, given.get(half.side.seat, ""), half.standing.value.level, after)
        for half in found.sides
        if (after := half.standing.level_after(given.get(half.side.seat, ""))) != half.standing.value.level
        or half.side.seat in given
    ]
    facts = {
        "title": _title(found),
        "case": found,
        "form": form,
        "chosen": next(option for option in found.options if option.value == form.cleaned_data["outcome"]),
        "levels": levels,
        "keys": keys.CONFIRM,
    }
    return page(request, "confirm", facts)


def _rule(request: HttpRequest, found: MatchCase, form: RulingForm) -> HttpResponse:
    data = form.cleaned_data
    try:
        rulings.rule(
            match_id=found.match.pk,
            moderator=found.moderator,
            outcome=data["outcome"],
            reason=data["reason"],
            seen_ruling=data["seen_ruling"],
            now=found.now,
            penalties=form.penalties(),
        )
    except Refusal as no:
        if no.field:
            form.add_error(no.field, text_for(no))
            return _show(request, found, form, status=422)
        found = _find(request, found.match.pk)
        if no.code != "already_ruled":
            return _show(request, found, form, refusal=no)
        if not _sent_twice(form, found):
            return _overtaken(request, form, found)
    return _done(request, found, form)


def _done(request: HttpRequest, found: MatchCase, form: RulingForm) -> HttpResponse:
    text = _("You ruled on match %(match)s: %(outcome)s. Both players have been told.")
    outcome = words.outcome(form.cleaned_data["outcome"], found.match)
    messages.success(request, text % {"match": found.match.pk, "outcome": outcome})
    return go_on(request, after=found.open)


def _sent_twice(form: RulingForm, found: MatchCase) -> bool:
    """Whether what is in force is this very ruling: a double click, or a page sent again."""
    last, data = found.in_force, form.cleaned_data
    return last is not None and (last.moderator_id, last.outcome, last.reason, last.replaces_id) == (
        found.moderator.pk,
        data["outcome"],
        data["reason"],
        data["seen_ruling"],
    )


def _already_ruled(found: MatchCase) -> Conflict:
    last = found.in_force
    return Conflict("already_ruled", state=found.match.state, moderator=str(last.moderator) if last else "")


def _overtaken(request: HttpRequest, form: RulingForm, found: MatchCase) -> HttpResponse:
    """Somebody has ruled meanwhile: show that ruling, keep what was typed; sending it again would replace the other."""
    kept = _form(found, {**form.cleaned_data, "seen_ruling": found.seen_ruling})
    typed = form.cleaned_data["reason"]
    return _show(request, found, kept, refusal=_already_ruled(found), typed=typed)


def _show(
    request: HttpRequest,
    found: MatchCase,
    form: RulingForm | None,
    *,
    refusal: Refusal | None = None,
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page.

    Args:
        typed: a reason that would be lost, because this moderator gets no form any more.
    """
    form = None if found.obstacle else form
    facts = {
        "title": _title(found),
        "case": found,
        "form": form,
        "rows": list(zip(form["outcome"], found.options, strict=True)) if form else [],
        "obstacle": text_for(found.obstacle) if found.obstacle else "",
        "refusal": text_for(refusal) if refusal else "",
        "typed": typed,
        "cause": words.CAUSES.get(found.match.cause, ""),
        "outcome": words.outcome(found.match.outcome, found.match) if found.match.outcome else "",
        "next": next_url(request, after=found.open),
        "seen": found.seen_ruling or "",
        "templates": ReasonTemplate.objects.all() if form else (),
        "keys": keys.MATCH,
        **_company(found),
    }
    return page(request, "case", facts, status=refusal.status if refusal else status)


def _company(found: MatchCase) -> dict[str, Any]:
    """Who else has the case open, and the ruling in force; `shown` tells whether any of it has changed since."""
    others = [] if found.obstacle else rulings.look(match_id=found.match.pk, moderator=found.moderator, now=found.now)
    shown = f"{found.seen_ruling or ''}:{','.join(str(look.moderator_id) for look in others)}"
    return {"others": others, "shown": shown}


def _title(found: MatchCase) -> str:
    return _("Match %(match)s: ruling") % {"match": found.match.pk}
