"""The queue's page, and taking a case or giving it back."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ratematch.admin import keys, queue
from ratematch.admin.views.frame import act, me, moderators_only, next_url, page
from ratematch.models import Case
from ratematch.services import cases

PAGE = 50
MINE = "mine"


@moderators_only
@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """What waits, the oldest first. `?kind=` shows one kind, `?with=mine` what this moderator has taken."""
    now = timezone.now()
    counts = queue.waiting_counts()
    asked = request.GET.get("kind", "")
    kind = asked if asked in counts else ""
    mine = request.GET.get("with") == MINE
    found = Paginator(queue.queue(now, kind=kind, taken_by=me(request) if mine else None), PAGE)
    shown = found.get_page(request.GET.get("page"))
    facts = {
        "title": _("What waits"),
        "page": shown,
        "rows": queue.lines(shown, me(request), now),
        "kinds": [(value, name, counts[value]) for value, name in Case.KINDS],
        "waiting": sum(counts.values()),
        "kind": kind,
        "mine": mine,
        "next": next_url(request),
        "now": now,
        "keys": keys.QUEUE,
    }
    return page(request, "queue", facts)


def _url(case_id: int) -> str:
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise Http404
    return queue.case_url(case)


@moderators_only
@require_POST
def take(request: HttpRequest, case_id: int) -> HttpResponse:
    """Say that one works on a case."""
    return act(
        request,
        lambda: cases.take(case_id=case_id, actor=me(request), now=timezone.now()),
        _("The case is yours. Others see that, and pass it over."),
        back=_url(case_id),
    )


@moderators_only
@require_POST
def give_back(request: HttpRequest, case_id: int) -> HttpResponse:
    """Leave a case to others again."""
    return act(
        request,
        lambda: cases.give_back(case_id=case_id, actor=me(request)),
        _("The case is free for others."),
        back=_url(case_id),
    )
