"""The lobby: where one waits for an opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refusal
from common.problems import text_for
from ratematch import selectors
from ratematch.models import Engagement, Player, Watch
from ratematch.rules import elo, pairing
from ratematch.services import deadlines, free, levels, queue, watches
from ratematch.views.base import Signed, check_pace, go, status_of


@login_required
@require_safe
def lobby(request: Signed) -> HttpResponse:
    """Where one waits for an opponent. Whoever is needed by a match is taken there."""
    return _lobby(request)


def _lobby(request: Signed, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    player = Player.objects.filter(user=request.user).first()
    engaged = Engagement.objects.filter(player=player).first() if player else None
    if engaged and engaged.match_id and not deadlines.settle(engaged.match_id, now):
        return go(request, reverse("ratematch:match", args=[engaged.match_id]))
    if engaged and engaged.room_id and not free.settle(engaged.room_id, now):
        return go(request, reverse("ratematch:free_room", args=[engaged.room_id]))
    if player and player.level_until and player.level_until <= now:
        levels.settle(request.user, now)
        player.refresh_from_db()
    rating = player.rating if player else elo.INITIAL
    seen = selectors.lobby(player, now)
    facts = {
        "player": player,
        "rating": rating,
        "lobby": seen,
        "estimate_bar": max(seen.estimate_s or 0, seen.waited_s, 1),
        "near": (max(elo.FLOOR, rating - pairing.NEAR), rating + pairing.NEAR),
        "table": _stake_table(player or Player(rating=rating)),
        "recent": selectors.listed(selectors.matches_of(player)[:5]) if player else [],
        "watch": Watch.objects.filter(player=player, until__gt=now).first() if player else None,
        "error": text_for(refusal) if refusal else "",
    }
    return render(request, "ratematch/lobby.html", facts, status=status_of(request, refusal))


def _stake_table(player: Player) -> list[tuple[int, dict[str, selectors.Stake]]]:
    """What is at stake against a weaker, an equal and a stronger opponent."""
    opponents = sorted({max(elo.FLOOR, player.rating - pairing.NEAR), player.rating, player.rating + pairing.NEAR})
    return [(rating, selectors.stakes(player, player.rating, rating)) for rating in opponents]


@login_required
@require_POST
def join(request: Signed) -> HttpResponse:
    """Start to wait."""
    return _queue_command(request, queue.join_queue, condition=request.POST.get("condition", ""))


@login_required
@require_POST
def leave(request: Signed) -> HttpResponse:
    """Stop waiting."""
    return _queue_command(request, queue.leave_queue)


@login_required
@require_POST
def condition(request: Signed) -> HttpResponse:
    """Wait under another condition."""
    return _queue_command(request, queue.change_condition, condition=request.POST.get("condition", ""))


@login_required
@require_POST
def watch(request: Signed) -> HttpResponse:
    """Be told when somebody suitable starts to wait, or not any more."""
    if "stop" in request.POST:
        return _queue_command(request, lambda actor, now: watches.unwatch(actor=actor))
    return _queue_command(request, watches.watch)


def _queue_command(request: Signed, command: Callable[..., Any], **values: str) -> HttpResponse:
    try:
        check_pace(request.user)
        command(actor=request.user, now=timezone.now(), **values)
    except Refusal as refusal:
        return _lobby(request, refusal)
    return _lobby(request) if request.htmx else redirect("ratematch:lobby")
