"""The page of a report or a flag, and the form that decides it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from common.errors import Refusal
from common.problems import text_for
from ratematch.admin import keys, queue, words
from ratematch.admin.forms import VerdictForm
from ratematch.admin.report_case import ReportCase, find
from ratematch.admin.views.frame import go_on, me, moderators_only, next_url, page
from ratematch.models import Case, ReasonTemplate
from ratematch.services import cases


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def report_case(request: HttpRequest, case_id: int) -> HttpResponse:
    """A report or a flag. A case that is ruled on by its match has its page there."""
    found = find(case_id, me(request), timezone.now())
    if found is None:
        case = Case.objects.filter(pk=case_id).first()
        if case is None:
            raise Http404
        return redirect(queue.case_url(case))
    if request.method == "POST":
        return _decide(request, found)
    return _show(request, found, _form(found, initial=_initial(found)))


def _initial(found: ReportCase) -> dict[str, str]:
    """What the report is about is what a penalty would be for; no verdict is chosen beforehand."""
    about = found.case.report or found.case.flag
    assert about
    return {"category": about.category}


def _form(found: ReportCase, data: Any = None, **kwargs: Any) -> VerdictForm:
    return VerdictForm(data, verdicts=found.verdicts, categories=found.standing.choices, **kwargs)


def _decide(request: HttpRequest, found: ReportCase) -> HttpResponse:
    form = _form(found, request.POST)
    valid = form.is_valid()
    if found.obstacle:
        closed = found.case
        if valid and (closed.closed_by_id, closed.verdict) == (found.moderator.pk, form.cleaned_data["verdict"]):
            return _done(request, found)  # a double click
        typed = [form.data.get(name, "").strip() for name in ("reason", "note")]
        return _show(request, found, None, refusal=found.obstacle, typed="\n".join(filter(None, typed)))
    if not valid:
        return _show(request, found, form, status=422)
    data = form.cleaned_data
    try:
        cases.decide(
            case_id=found.case.pk,
            actor=found.moderator,
            verdict=data["verdict"],
            category=data["category"],
            reason=data["reason"],
            note=data["note"],
            now=found.now,
        )
    except Refusal as no:
        if no.field:
            form.add_error(no.field, text_for(no))
            return _show(request, found, form, status=422)
        again = find(found.case.pk, found.moderator, timezone.now())
        assert again
        return _show(request, again, form, refusal=no, typed=data["reason"])
    return _done(request, found)


def _done(request: HttpRequest, found: ReportCase) -> HttpResponse:
    messages.success(request, _("“%(case)s” is closed.") % {"case": words.case_title(found.case)})
    return go_on(request, after=found.case)


def _show(
    request: HttpRequest,
    found: ReportCase,
    form: VerdictForm | None,
    *,
    refusal: Refusal | None = None,
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page.

    Args:
        typed: what would be lost, because this moderator gets no form any more.
    """
    form = None if found.obstacle else form
    facts = {
        "title": words.case_title(found.case),
        "found": found,
        "case": found.case,
        "form": form,
        "obstacle": text_for(found.obstacle) if found.obstacle else "",
        "refusal": text_for(refusal) if refusal and refusal is not found.obstacle else "",
        "typed": "" if form else typed,
        "next": next_url(request, after=found.case),
        "templates": ReasonTemplate.objects.all() if form else (),
        "keys": keys.VERDICT,
    }
    return page(request, "report_case", facts, status=refusal.status if refusal else status)
