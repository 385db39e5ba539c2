"""What the two of a match say to each other: the part of a page that shows it, saying, and reporting a line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch import selectors
from ratematch.models import ChatLine, FreeRoom, Match, Player
from ratematch.services import chat, reports
from ratematch.views.base import Signed, check_pace


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def in_match(request: Signed, pk: int) -> HttpResponse:
    """The chat of a match; POST says a line."""
    found = Match.objects.with_sides().filter(pk=pk).first()
    return _chat(request, found, partial(chat.say_in_match, match_id=pk))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def in_room(request: Signed, pk: int) -> HttpResponse:
    """The chat of a free match; POST says a line."""
    found = FreeRoom.objects.select_related("host__user", "guest__user").filter(pk=pk).first()
    return _chat(request, found, partial(chat.say_in_room, room_id=pk))


def _chat(request: Signed, place: Match | FreeRoom | None, say: Callable[..., ChatLine]) -> HttpResponse:
    """The chat as a part of its match's page, which fetches it, or as a page of its own where there is no script."""
    now = timezone.now()
    if place is None or selectors.chat_of(place, request.user, now) is None:
        raise Http404
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            check_pace(request.user)
            say(actor=request.user, text=request.POST.get("text", ""), now=now)
        except Refusal as no:
            refusal = no
        else:
            if not request.htmx:
                return redirect(request.path)
    facts = {
        "chat": selectors.chat_of(place, request.user, now),
        "place": place,
        "error": text_for(refusal) if refusal else "",
        "typed": request.POST.get("text", "") if refusal else "",
        "in_match": isinstance(place, Match),
    }
    status = refusal.status if refusal and not request.htmx else 200
    template = "ratematch/parts/chat.html" if request.htmx else "ratematch/chat.html"
    return render(request, template, facts, status=status)


@login_required
@require_POST
def report_line(request: Signed, pk: int) -> HttpResponse:
    """Report a line of the other's."""
    line = ChatLine.objects.filter(pk=pk).select_related("match", "room").first()
    if line is None or not Player.objects.filter(user=request.user).exists():
        raise Http404
    try:
        check_pace(request.user)
        reports.report_line(line_id=pk, actor=request.user, now=timezone.now())
    except Missing as no:
        raise Http404 from no
    except Refusal as no:
        messages.error(request, text_for(no))
    else:
        messages.success(request, _("The line is with the moderators."))
    place = line.match or line.room
    assert place
    return redirect(place.get_absolute_url())
