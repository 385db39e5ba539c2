"""Lists: one's own matches, the ladder, a player, the rules."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from accounts.models import is_shown
from accounts.services import blocks
from ratematch import selectors
from ratematch.conf import durations
from ratematch.forms import LadderFilter
from ratematch.models import Player
from ratematch.rules import elo, pairing
from ratematch.views.base import Page, Signed

MATCHES_A_PAGE = 20
PLAYERS_A_PAGE = 50


@login_required
@require_GET
def history(request: Signed) -> HttpResponse:
    """One's own matches, the newest first."""
    player = Player.objects.filter(user=request.user).first()
    if player is None:
        return render(request, "ratematch/history.html", {"rows": []})
    return redirect("ratematch:player", pk=player.pk)


@require_safe
def ladder(request: Page) -> HttpResponse:
    """The list: everybody by rating."""
    now = timezone.now()
    form = LadderFilter(request.GET or None)
    name, within = form.chosen()
    players = selectors.ladder_pages(now, name=name, within_days=within)
    pages = Paginator(players, PLAYERS_A_PAGE)  # type: ignore[arg-type]  # which needs no more than a LongLadder has
    page = pages.get_page(request.GET.get("page"))
    players_with_users = Player.objects.select_related("user")
    mine = players_with_users.filter(user=request.user).first() if request.user.is_authenticated else None
    place = selectors.place_of(mine, now, within_days=within) if mine and not name else None
    facts = {
        "form": form,
        "page": page,
        "rows": selectors.ladder_rows(page.object_list, page.start_index(), request.user, now),
        "ranked": not name,  # a search shows players, not places
        "within": within,
        "now": now,
        "place": place,
        "my_page": (place - 1) // PLAYERS_A_PAGE + 1 if place else None,
    }
    return render(request, "ratematch/ladder.html", facts)


@require_safe
def player(request: Page, pk: int) -> HttpResponse:
    """One player: standing, course, results, matches."""
    now = timezone.now()
    shown = get_object_or_404(Player.objects.select_related("user"), is_shown("user__"), pk=pk)
    matches = Paginator(selectors.matches_of(shown), MATCHES_A_PAGE).get_page(request.GET.get("page"))
    facts = {
        "player": shown,
        "own": shown.user == request.user,
        "place": selectors.place_of(shown, now, within_days=settings.RATEMATCH["LADDER_DAYS"]),
        "chart": selectors.rating_chart(shown),
        "bars": selectors.strength_bars(shown),
        "page": matches,
        "rows": selectors.listed(matches.object_list),
        "blocked": request.user.is_authenticated and blocks.has_blocked(request.user.pk, shown.user_id),
    }
    return render(request, "ratematch/player.html", facts)


@require_safe
def rules(request: Page) -> HttpResponse:
    """The rules of rated matches for players."""
    return render(request, "ratematch/rules.html", {"durations": durations(), "elo": elo, "near": pairing.NEAR})
