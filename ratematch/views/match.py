"""One match: for the two what to do and how long, for anybody else that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.services import notices
from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch import selectors, wording
from ratematch.downloads import picture_response
from ratematch.models import Match
from ratematch.policies import can_rule
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import deadlines, evidence, play
from ratematch.views.base import Page, Signed, check_pace, status_of

if TYPE_CHECKING:
    from django.http import FileResponse


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
        "contest": view.contest,
        "can_answer": selectors.can_answer(view),
        "can_contest": over and selectors.can_contest(view),
        "can_report": selectors.can_report(view),
        "can_rule": can_rule(view.match, request.user),
        "error": text_for(refusal) if refusal else "",
        "error_field": refusal.field if refusal else "",
        "error_file": refusal.facts.get("file", "") if refusal else "",
        "typed": request.POST.get("value", ""),
        "typed_remark": request.POST.get("remark", ""),
    }
    template = "ratematch/finished.html" if over else "ratematch/match.html"
    return render(request, template, facts, status=status_of(request, refusal))


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
        check_pace(request.user)
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
