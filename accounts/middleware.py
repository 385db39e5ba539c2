"""Who reads: in which language and in whose time a page is written, and in which browser."""

import time
import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import second_factor
from accounts.api.throttle import address_of
from accounts.services import sessions

NOTE_EVERY_S = 600
NOTED_MAX = 20_000


class ReaderMiddleware:
    """Activates the reader's language and time zone, and says in `request.language` what `<html lang>` has to be.

    The language is the user's setting, else the cookie that the language menu sets, else what the browser asks for.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        code = _setting(request, "language") or translation.get_language_from_request(request)
        zone = _setting(request, "time_zone") or settings.TIME_ZONE
        request.language = tag(code)  # type: ignore[attr-defined]
        with translation.override(code), timezone.override(zoneinfo.ZoneInfo(zone)):
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", tag(code))
        return response


class StaffProofMiddleware:
    """Marks staff who are signed in by a password alone, so that moderators' rights don't open with it anywhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_staff:
            request.user.unproven = not second_factor.was_used(request)
        return self.get_response(request)


def tag(code: str) -> str:
    """Django's name of a language as the web writes it: `zh-hans` is `zh-Hans`."""
    return translation.to_locale(code).replace("_", "-")


def _setting(request: HttpRequest, name: str) -> str:
    return getattr(request.user, name) if request.user.is_authenticated else ""


class SessionNoteMiddleware:
    """Notes which browser a user is signed in with, every few minutes and at once after sign-in.

    What was noted is remembered by the process, not in the session: a session that is saved in passing would undo what
    another request is just storing there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._noted: dict[tuple[str, str], float] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)  # first, since it may be what signs in
        if request.user.is_authenticated and (key := request.session.session_key):
            address = address_of(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR"))
            if self._is_new(key, address):
                agent = request.headers.get("User-Agent", "")
                now = timezone.now()
                sessions.note(user_id=request.user.pk, session_key=key, user_agent=agent, address=address, now=now)
        return response

    def _is_new(self, key: str, address: str) -> bool:
        now = time.monotonic()
        if now - self._noted.get((key, address), -NOTE_EVERY_S) < NOTE_EVERY_S:
            return False
        if len(self._noted) >= NOTED_MAX:
            self._noted.clear()
        self._noted[key, address] = now
        return True
