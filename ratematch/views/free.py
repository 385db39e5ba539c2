"""Free matches: the list of open rooms, and one room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch import selectors
from ratematch.forms import RoomForm
from ratematch.models import Engagement, FreeRoom
from ratematch.rules.free import RoomState
from ratematch.services import free
from ratematch.views.base import Page, Signed, check_pace, go, status_of

ROOMS_A_PAGE = 30


@require_http_methods(["GET", "HEAD", "POST"])
def rooms(request: Page) -> HttpResponse:
    """Rooms that wait for somebody, and the form to open one."""
    form = RoomForm(request.POST or None)
    refusal: Refusal | None = None
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        if form.is_valid():
            try:
                check_pace(request.user)
                room = free.open_room(actor=request.user, now=timezone.now(), **form.cleaned_data)
            except Refusal as no:
                refusal = no
            else:
                return go(request, room.get_absolute_url())
    page = Paginator(selectors.open_rooms(request.user), ROOMS_A_PAGE).get_page(request.GET.get("page"))
    mine = None
    if request.user.is_authenticated:
        engaged = Engagement.objects.filter(player__user=request.user, room__isnull=False).select_related("room")
        mine = next((entry.room for entry in engaged), None)
    facts = {"page": page, "form": form, "mine": mine, "error": text_for(refusal) if refusal else ""}
    status = refusal.status if refusal else 422 if form.is_bound else 200
    return render(request, "ratematch/free.html", facts, status=status)


@require_safe
def room(request: Page, pk: int) -> HttpResponse:
    """One room: before somebody has joined for anybody, then for the two."""
    return _room(request, pk)


def _room(request: Page, pk: int, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    free.settle(pk, now)
    view = selectors.room_view(pk, request.user, now)
    if view is None:
        return _over(request, pk, refusal)
    facts = {
        "view": view,
        "can": {verb.name.lower(): True for verb in view.possible},
        "closed": view.state is RoomState.CLOSED,
        "error": text_for(refusal) if refusal else "",
        "error_field": refusal.field if refusal else "",
        "typed": request.POST.get("value", ""),
    }
    return render(request, "ratematch/room.html", facts, status=status_of(request, refusal))


def _over(request: Page, pk: int, refusal: Refusal | None) -> HttpResponse:
    """The page of a room that was open and is now between others, for who still looks at it or wanted to join."""
    if not FreeRoom.objects.filter(pk=pk).exists():
        raise Http404
    status = status_of(request, refusal) if refusal else 409 if request.htmx else 404  # which isn't swapped in
    return render(request, "ratematch/room_over.html", {"error": text_for(refusal) if refusal else ""}, status=status)


@login_required
@require_POST
def join(request: Signed, pk: int) -> HttpResponse:
    """Take the other place."""
    return _act(request, pk, lambda: free.join_room(room_id=pk, actor=request.user, now=timezone.now()))


@login_required
@require_POST
def move(request: Signed, pk: int) -> HttpResponse:
    """One move in a room."""
    verb, state, value = (request.POST.get(name, "") for name in ("verb", "state", "value"))
    return _act(
        request,
        pk,
        lambda: free.make_move(
            room_id=pk, actor=request.user, verb=verb, seen=state, now=timezone.now(), value=value.strip()
        ),
    )


def _act(request: Signed, pk: int, command: Callable[[], Any]) -> HttpResponse:
    try:
        check_pace(request.user)
        command()
    except Missing as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        return _room(request, pk, refusal)
    return _room(request, pk) if request.htmx else redirect("ratematch:free_room", pk=pk)
