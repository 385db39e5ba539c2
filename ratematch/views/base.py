"""What players' pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect

from common import ratelimit
from common.errors import Refusal, TooMany

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

    from accounts.models import User


class Page(HttpRequest):
    """What the middleware makes of a request."""

    htmx: HtmxDetails


class Signed(Page):
    """A request behind `login_required`."""

    user: User


def go(request: Page, url: str) -> HttpResponse:
    """Send the visitor on, also when a part of the page asked."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def status_of(request: Page, refusal: Refusal | None) -> int:
    """The status of a page that shows a refusal.

    A part of a page that asked swaps in a 409, but not a 403: that is also what it gets when its form is too old.
    """
    if refusal is None:
        return 200
    return 409 if request.htmx and refusal.status == 403 else refusal.status


def check_pace(user: User) -> None:
    """Raise TooMany for more presses than a person makes; the API has its own limits."""
    limit, window_s = settings.PAGE_RATE
    verdict = ratelimit.hit(f"page:{user.pk}", limit=limit, window_s=window_s)
    if not verdict.allowed:
        raise TooMany("too_fast", retry_after=verdict.reset_s)
