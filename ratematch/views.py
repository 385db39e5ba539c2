"""Players' pages. Each parses, calls one service, and prints; what it prints, selectors and wording have made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.services import blocks, notices
from common import ratelimit
from common.errors import Missing, Refusal, TooMany
from common.problems import text_for
from ratematch import selectors, wording
from ratematch.conf import durations
from ratematch.downloads import picture_response
from ratematch.forms import LadderFilter
from ratematch.models import Engagement, Match, Player
from ratematch.policies import can_rule
from ratematch.rules import elo, pairing
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import deadlines, evidence, play, queue

if TYPE_CHECKING:
    from django.http import FileResponse
    from django_htmx.middleware import HtmxDetails

    from accounts.models import User

    class Page(HttpRequest):
        """What the middleware makes of a request."""

        htmx: HtmxDetails

    class Signed(Page):
        """A request behind `login_required`."""

        user: User


MATCHES_A_PAGE = 20
PLAYERS_A_PAGE = 50

# --- the queue ---


@login_required
@require_safe
def lobby(request: Signed) -> HttpResponse:
    """Where one waits for an opponent. Whoever is needed by a match is taken there."""
    return _lobby(request)


def _lobby(request: Signed, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    player = Player.objects.filter(user=request.user).first()
    engaged = Engagement.objects.filter(player=player).values_list("match", flat=True).first() if player else None
    if engaged and not deadlines.settle(engaged, now):
        return _go(request, reverse("ratematch:match", args=[engaged]))
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
        "error": text_for(refusal) if refusal else "",
    }
    return render(request, "ratematch/lobby.html", facts, status=refusal.status if refusal else 200)


def _stake_table(player: Player) -> list[tuple[int, dict[str, selectors.Stake]]]:
    """What is at stake against a weaker, an equal and a stronger opponent."""
    opponents = sorted({max(elo.FLOOR, player.rating - pairing.NEAR), player.rating, player.rating + pairing.NEAR})
    return [(rating, selectors.stakes(player, player.rating, rating)) for rating in opponents]


def _go(request: Page, url: str) -> HttpResponse:
    """Send the visitor on, also when a part of the page asked."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


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


def _check_pace(user: User) -> None:
    """Raise TooMany for more presses than a person makes; the API has its own limits."""
    limit, window_s = settings.PAGE_RATE
    verdict = ratelimit.hit(f"page:{user.pk}", limit=limit, window_s=window_s)
    if not verdict.allowed:
        raise TooMany("too_fast", retry_after=verdict.reset_s)


def _queue_command(request: Signed, command: Callable[..., Any], **values: str) -> HttpResponse:
    try:
        _check_pace(request.user)
        command(actor=request.user, now=timezone.now(), **values)
    except Refusal as refusal:
        return _lobby(request, refusal)
    return _lobby(request) if request.htmx else redirect("ratematch:lobby")


# --- one match ---


@require_safe
def match(request: Page, pk: int) -> HttpResponse:
    """A match: for the two what to do and how long, for anybody else that it is."""
    return _match(request, pk)


def _match(request: Page, pk: int, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    view = deadlines.current(pk, request.user, now)
    if view is None:
        raise Http404
    if view.seat is not None:
        notices.mark_read_about(actor=view.me.player.user, url=view.match.get_absolute_url(), now=now)
    heading, sentence = wording.headline(view)
    over = view.state in (State.SETTLED, State.VOID)
    within = settings.RATEMATCH["LADDER_DAYS"]
    mine = over and view.seat is not None
    facts = {
        "view": view,
        "heading": heading,
        "sentence": sentence,
        "clock_label": wording.clock_label(view) if view.running else "",
        "at_zero": wording.at_zero(view) if view.running and view.seat is not None else "",
        "can": {verb.name.lower(): True for verb in view.possible},
        "choices": wording.claim_choices(view) if Verb.DECLARE in view.possible else [],
        "claims": _claims(view),
        "log": [(event.at, wording.event_words(event, view), event.verb) for event in view.events],
        "next": wording.next_words(view) if view.running else "",
        "rulings": [(ruling, wording.ruled_words(ruling, view)) for ruling in view.rulings],
        "place": selectors.place_of(view.me.player, now, within_days=within) if mine else None,
        "chart": selectors.rating_chart(view.me.player) if mine else None,
        "picture_limit": settings.RATEMATCH["PICTURES_MAX"],
        "picture_mb": settings.RATEMATCH["PICTURE_MAX_BYTES"] // 1024 // 1024,
        "can_rule": can_rule(view.match, request.user),
        "error": text_for(refusal) if refusal else "",
        "error_field": refusal.field if refusal else "",
        "error_file": refusal.facts.get("file", "") if refusal else "",
        "typed": request.POST.get("value", ""),
        "typed_remark": request.POST.get("remark", ""),
    }
    template = "ratematch/finished.html" if over else "ratematch/match.html"
    return render(request, template, facts, status=refusal.status if refusal else 200)


def _claims(view: selectors.MatchView) -> list[dict[str, Any]]:
    """Both sides' claims, mine first, once there are any: what and when, the first and the second time."""
    shown = (State.REPORTING, State.RECONFIRM, State.EVIDENCE, State.REVIEW)
    if view.seat is None or view.state not in shown or not any(side.pressed_at for side in view.sides):
        return []
    again = any(side.reclaim for side in view.sides) or view.state is State.RECONFIRM
    cards = []
    for side in view.sides:
        claim = side.reclaim if again else side.claim
        cards.append(
            {
                "side": side,
                "mine": side is view.me,
                "claim": wording.claim_words(side, claim, view) if claim else "",
                "mark": wording.MARKS.get(claim, ""),
                "at": side.reclaimed_at if again else side.claimed_at,
                "first": wording.claim_words(side, side.claim, view) if again and side.claim else "",
            }
        )
    return cards


def _act(request: Signed, pk: int, command: Callable[[], Any]) -> HttpResponse:
    """Run one command on a match and print the match as it then stands; a refusal stands beside it."""
    try:
        _check_pace(request.user)
        command()
    except Missing as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        return _match(request, pk, refusal)
    return _match(request, pk) if request.htmx else redirect("ratematch:match", pk=pk)


@login_required
@require_POST
def move(request: Signed, pk: int) -> HttpResponse:
    """One move of a player."""
    verb, state, value = (request.POST.get(name, "") for name in ("verb", "state", "value"))
    if verb not in set(Verb):
        raise Http404
    return _act(
        request,
        pk,
        lambda: play.make_move(
            match_id=pk, actor=request.user, verb=Verb(verb), seen=state, now=timezone.now(), value=value.strip()
        ),
    )


@login_required
@require_POST
def attach(request: Signed, pk: int) -> HttpResponse:
    """Attach screenshots, and hand them in with the same press where the page offers that."""
    now = timezone.now()

    def command() -> None:
        uploads = request.FILES.getlist("picture")
        evidence.attach_pictures(match_id=pk, actor=request.user, uploads=uploads, now=now)
        if "submit" in request.POST:
            _submit(request, pk)

    return _act(request, pk, command)


@login_required
@require_POST
def submit(request: Signed, pk: int) -> HttpResponse:
    """Hand in what is attached."""
    return _act(request, pk, lambda: _submit(request, pk))


def _submit(request: Signed, pk: int) -> Match:
    return evidence.submit(
        match_id=pk,
        actor=request.user,
        seen=request.POST.get("state", ""),
        now=timezone.now(),
        remark=request.POST.get("remark", ""),
    )


@login_required
@require_POST
def remove(request: Signed, pk: int, picture: int) -> HttpResponse:
    """Take back an attached screenshot."""
    return _act(
        request,
        pk,
        lambda: evidence.remove_picture(match_id=pk, actor=request.user, picture_id=picture, now=timezone.now()),
    )


@login_required
@require_safe
def picture(request: Signed, pk: int) -> FileResponse:
    """A screenshot, for those who may see it; for anybody else there is none."""
    try:
        return picture_response(evidence.picture_for(picture_id=pk, viewer=request.user))
    except Missing as refusal:
        raise Http404 from refusal


# --- lists ---


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
    shown = get_object_or_404(Player.objects.select_related("user"), pk=pk, user__is_active=True)
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
