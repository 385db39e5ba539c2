"""Pages that belong to no single game: home, what the foot of each page links to, and errors."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Heartbeat, Presence
from ratematch import selectors, wording
from ratematch.services import deadlines

ONLINE_SHOWN = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Who is here, what waits for me, the four games. For strangers: what this is, and how to start."""
    now = timezone.now()
    online = Presence.objects.filter(
        seen_at__gt=now - timedelta(seconds=settings.PRESENCE_ONLINE_S), user__is_active=True
    )
    shown = list(online.select_related("user").order_by("-active_at")[:ONLINE_SHOWN])
    doing = selectors.doing([row.user_id for row in shown])
    facts: dict[str, Any] = {
        "online": [(row.user, row.state(now), doing.get(row.user_id, "")) for row in shown],
        "online_count": online.count(),
    }
    if not request.user.is_authenticated:
        facts["ratematch"] = {"waiting": selectors.waiting_count()}
        return render(request, "welcome.html", facts)
    deadlines.settle_all_of(request.user.pk, now)
    facts["ratematch"] = mine = selectors.home(request.user, now)
    # The match whose clock runs against me comes first, as the page's one banner; the others are a list.
    views = sorted(mine.open, key=lambda view: not view.awaited)
    facts["open_matches"] = [wording.summary(view) for view in views]
    facts["open_rest"] = facts["open_matches"][1 if views and views[0].awaited else 0 :]
    return render(request, "home.html", facts)


@require_safe
def fair_play(request: HttpRequest) -> HttpResponse:
    """What is expected of players, and what happens when it isn't kept."""
    return render(request, "about/fair_play.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the site knows of people."""
    return render(request, "about/privacy.html")


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Whether each part of the site has been heard of lately."""
    now = timezone.now()
    late = timedelta(seconds=settings.OUTAGE_AFTER_S)
    parts = [(beat.part, beat.beat_at, now - beat.beat_at < late) for beat in Heartbeat.objects.order_by("part")]
    return render(request, "about/status.html", {"parts": parts})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its secret, most often from a page that was open for too long."""
    return render(request, "403.html", {"stale": True}, status=403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400"""
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403"""
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404"""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500. Without the reader's account and anything else that may be what broke."""
    return HttpResponse(render_to_string("500.html"), status=500)
