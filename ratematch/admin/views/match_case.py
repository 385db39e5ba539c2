"""The moderators' pages: the queue of cases, one case with its ruling, and who else has it open.

They aren't Django's change forms, because those wrap a POST in a transaction and a ruling is a durable command.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from common.errors import Conflict, Refusal
from common.problems import text_for
from ratematch.admin import cases, words
from ratematch.admin.cases import Case
from ratematch.forms import RulingForm
from ratematch.models import Match
from ratematch.policies import can_moderate
from ratematch.services import deadlines, rulings

QUEUE_PAGE = 50
CHECK, EDIT, RULE = "check", "edit", "rule"
"""The steps of the form: see what the ruling would do, go back and change it, make it."""


View = Callable[..., HttpResponse]


def moderators_only(view: View) -> View:
    """For staff who may rule; `admin_view` around it has sent strangers to sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not can_moderate(request.user):
            raise PermissionDenied
        return view(request, **kwargs)

    return guarded


@moderators_only
@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """Matches that wait for a ruling, the oldest first."""
    now = timezone.now()
    page = Paginator(cases.queue(now), QUEUE_PAGE).get_page(request.GET.get("page"))
    facts = {
        "title": _("Waiting for a ruling"),
        "page": page,
        "rows": [(match, words.CAUSES.get(match.cause, "")) for match in page],
        "next": cases.next_case(_me(request), now),
        "now": now,
    }
    return _page(request, "review", facts)


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, match_id: int) -> HttpResponse:
    """One case: both sides, what happened, and the form to rule on it."""
    deadlines.settle(match_id, timezone.now())
    found = _case(request, match_id)
    if request.method == "POST":
        return _decide(request, found)
    form = RulingForm(outcomes=_outcomes(found), initial={"seen_ruling": found.seen_ruling})
    return _show(request, found, form)


@moderators_only
@require_safe
def company(request: HttpRequest, match_id: int) -> HttpResponse:
    """The part of the case page that says who else is on it; 204 if that is what the page shows already."""
    found = _case(request, match_id)
    facts = _company(found)
    if request.GET.get("shown") == facts["shown"]:
        return HttpResponse(status=204)
    seen = request.GET.get("seen", "")
    overtaken = str(found.seen_ruling or "") != seen
    return render(
        request, "admin/ratematch/company.html", {"case": found, "seen": seen, "overtaken": overtaken, **facts}
    )


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _case(request: HttpRequest, match_id: int) -> Case:
    match = Match.objects.with_sides().filter(pk=match_id).first()
    if match is None:
        raise Http404
    return Case(match, _me(request), timezone.now())


def _outcomes(found: Case) -> list[tuple[str, str]]:
    return [(option.value, option.label) for option in found.options]


def _decide(request: HttpRequest, found: Case) -> HttpResponse:
    if found.obstacle:
        return _show(request, found, None, refusal=found.obstacle)
    form = RulingForm(request.POST, outcomes=_outcomes(found))
    if not form.is_valid():
        return _show(request, found, form, status=422)
    step = request.POST.get("step", CHECK)
    if step == EDIT:
        return _show(request, found, form)
    if step == RULE:
        return _rule(request, found, form)
    if form.cleaned_data["seen_ruling"] != found.seen_ruling:
        return _overtaken(request, form, found)
    chosen = next(option for option in found.options if option.value == form.cleaned_data["outcome"])
    return _page(request, "confirm", {"title": _title(found), "case": found, "form": form, "chosen": chosen})


def _rule(request: HttpRequest, found: Case, form: RulingForm) -> HttpResponse:
    data = form.cleaned_data
    try:
        rulings.rule(
            match_id=found.match.pk,
            moderator=found.moderator,
            outcome=data["outcome"],
            reason=data["reason"],
            seen_ruling=data["seen_ruling"],
            now=found.now,
        )
    except Refusal as no:
        if no.field:
            form.add_error(no.field, text_for(no))
            return _show(request, found, form, status=422)
        found = _case(request, found.match.pk)
        if no.code != "already_ruled":
            return _show(request, found, form, refusal=no)
        if not _sent_twice(form, found):
            return _overtaken(request, form, found)
    text = _("You ruled on match %(match)s: %(outcome)s. Both players have been told.")
    outcome = words.outcome(data["outcome"], found.match)
    messages.success(request, text % {"match": found.match.pk, "outcome": outcome})
    following = cases.next_case(found.moderator, timezone.now(), after=found.match)
    return redirect("admin:ratematch_case", following.pk) if following else redirect("admin:ratematch_review")


def _sent_twice(form: RulingForm, found: Case) -> bool:
    """Whether what is in force is this very ruling: a double click, or a page sent again."""
    last, data = found.in_force, form.cleaned_data
    return last is not None and (last.moderator_id, last.outcome, last.reason, last.replaces_id) == (
        found.moderator.pk,
        data["outcome"],
        data["reason"],
        data["seen_ruling"],
    )


def _overtaken(request: HttpRequest, form: RulingForm, found: Case) -> HttpResponse:
    """Somebody has ruled meanwhile: show that ruling, keep what was typed; sending it again would replace the other."""
    kept = RulingForm({**form.cleaned_data, "seen_ruling": found.seen_ruling}, outcomes=_outcomes(found))
    last = found.in_force
    refusal = Conflict("already_ruled", state=found.match.state, moderator=str(last.moderator) if last else "")
    return _show(request, found, kept, refusal=refusal)


def _show(
    request: HttpRequest, found: Case, form: RulingForm | None, *, refusal: Refusal | None = None, status: int = 200
) -> HttpResponse:
    now = timezone.now()
    form = None if found.obstacle else form
    facts = {
        "title": _title(found),
        "case": found,
        "form": form,
        "rows": list(zip(form["outcome"], found.options, strict=True)) if form else [],
        "obstacle": text_for(found.obstacle) if found.obstacle else "",
        "refusal": text_for(refusal) if refusal and form else "",
        "cause": words.CAUSES.get(found.match.cause, ""),
        "outcome": words.outcome(found.match.outcome, found.match) if found.match.outcome else "",
        "next": cases.next_case(found.moderator, now, after=found.match),
        "seen": found.seen_ruling or "",
        **_company(found),
    }
    return _page(request, "case", facts, status=refusal.status if refusal else status)


def _company(found: Case) -> dict[str, Any]:
    """Who else has the case open, and the ruling in force; `shown` tells whether any of it has changed since."""
    others = [] if found.obstacle else rulings.look(match_id=found.match.pk, moderator=found.moderator, now=found.now)
    shown = f"{found.seen_ruling or ''}:{','.join(str(look.moderator_id) for look in others)}"
    return {"others": others, "shown": shown}


def _title(found: Case) -> str:
    return _("Match %(match)s: ruling") % {"match": found.match.pk}


def _page(request: HttpRequest, name: str, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    context = {**admin.site.each_context(request), "in_review": True, **facts}
    return render(request, f"admin/ratematch/{name}.html", context, status=status)
