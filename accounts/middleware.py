"""Who reads: in which language and in whose time a page is written."""

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers


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


def tag(code: str) -> str:
    """Django's name of a language as the web writes it: `zh-hans` is `zh-Hans`."""
    return translation.to_locale(code).replace("_", "-")


def _setting(request: HttpRequest, name: str) -> str:
    return getattr(request.user, name) if request.user.is_authenticated else ""
