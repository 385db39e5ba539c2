"""What no view should have to think of: bodies beyond all measure, and NUL, which PostgreSQL can't take."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError

from common.problems import OWN_TEXTS, problem

API = "/api/"


class GuardMiddleware:
    """Refuses such requests before anything reads them. Programs hear it as a problem, browsers as a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        too_large = _body_bytes(request) > settings.BODY_MAX_BYTES
        if not too_large and not _has_nul(request):
            return self.get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            return _refuse_size(request) if too_large else _refuse_nul(request)


def _body_bytes(request: HttpRequest) -> int:
    """What the body's sender claims; no more than that is ever read."""
    claimed = request.META.get("CONTENT_LENGTH") or ""
    return int(claimed) if claimed.isdecimal() else 0


def _has_nul(request: HttpRequest) -> bool:
    """Whether NUL is in the address, the query or a cookie; forms and serializers look at bodies."""
    query = request.META.get("QUERY_STRING", "")
    return "\0" in request.path_info or "%00" in query or any("\0" in value for value in request.COOKIES.values())


def _refuse_size(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API):
        return problem(413, "too_large", str(OWN_TEXTS["too_large"]))
    limit = {"limit_mb": settings.BODY_MAX_BYTES // 1024 // 1024}
    text = _("The file is larger than %(limit_mb)s MB. Send a smaller one; nothing was stored.") % limit
    return HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")


def _refuse_nul(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API):
        return problem(400, ParseError.default_code, str(ParseError.default_detail))
    return render(request, "400.html", status=400)
