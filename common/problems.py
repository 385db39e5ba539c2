"""Refusals in words, and every error of the API as `application/problem+json` (RFC 9457).

Rules raise codes; each app registers its sentences here, and a door asks for the one in the reader's language.
"""

import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, JsonResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from structlog.contextvars import get_contextvars

from common.errors import Refusal

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
OWN_TEXTS: dict[str, Promise] = {
    "invalid_input": _("Some of the input can't be used; `errors` says which and why."),
    "too_large": _("That is more than one call may send."),
    "server_error": _("Something went wrong here. It has been logged; try again later."),
}
"""What this module says itself; for DRF's own codes DRF has the words."""

_texts: dict[str, Promise] = {}


def register(texts: Mapping[str, Promise]) -> None:
    """Add sentences by code; called from `AppConfig.ready`, so it may come twice for the same app."""
    _texts.update(texts)


def registered() -> frozenset[str]:
    """Every code that has words: what docs/errors.md must list."""
    return frozenset(_texts)


register(OWN_TEXTS)


def text_for(refusal: Refusal) -> str:
    """The sentence for `refusal` in the active language, its times in the active time zone."""
    words = {name: _in_words(value) for name, value in refusal.facts.items()}
    return str(_texts[refusal.code]) % words


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """DRF's `EXCEPTION_HANDLER`: any exception becomes a problem; what nobody expected is logged and a 500."""
    if isinstance(exc, Refusal):
        return refused(exc)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    elif isinstance(exc, RequestDataTooBig):
        return _problem(413, "too_large", str(OWN_TEXTS["too_large"]))
    elif isinstance(exc, SuspiciousOperation):
        exc = exceptions.ParseError()
    if isinstance(exc, exceptions.ValidationError):
        errors = [{"field": field, "code": code, "detail": text} for field, code, text in _flat(exc.detail)]
        return _problem(exc.status_code, "invalid_input", str(OWN_TEXTS["invalid_input"]), {"errors": errors})
    if isinstance(exc, exceptions.APIException):
        return _of_drf(exc)
    log.error("unexpected error in the API", exc_info=exc)
    got_request_exception.send(sender=None, request=context.get("request"))
    return _problem(500, "server_error", str(OWN_TEXTS["server_error"]))


def problem(status: int, code: str, text: str) -> JsonResponse:
    """A problem from where no view of the API runs."""
    return JsonResponse(_body(status, code, text), status=status, content_type=CONTENT_TYPE)


def refused(refusal: Refusal) -> Response:
    """`refusal` as a problem, with its facts as further members and, for one field, `errors`."""
    text = text_for(refusal)
    members = {name: _in_json(value) for name, value in refusal.facts.items()}
    if refusal.field:
        members["errors"] = [{"field": refusal.field, "code": refusal.code, "detail": text}]
    headers = {"Retry-After": str(members["retry_after"])} if "retry_after" in members else {}
    return _problem(refusal.status, refusal.code, text, members, headers)


def _of_drf(exc: exceptions.APIException) -> Response:
    headers, members = {}, {}
    if auth_header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    if wait := getattr(exc, "wait", None):
        members["retry_after"] = int(wait)
        headers["Retry-After"] = str(members["retry_after"])
    _field, code, text = next(_flat(exc.detail))
    return _problem(exc.status_code, code, text, members, headers)


def _problem(
    status: int, code: str, text: str, members: Mapping[str, Any] = {}, headers: Mapping[str, str] = {}
) -> Response:
    body = dict(members) | _body(status, code, text)
    return Response(body, status=status, headers=dict(headers), content_type=CONTENT_TYPE)


def _body(status: int, code: str, text: str) -> dict[str, Any]:
    body = {
        "type": f"urn:banzuke:error:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": text,
        "code": code,
    }
    if request_id := get_contextvars().get("request_id"):
        body["request_id"] = request_id
    return body


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str | None, str, str]]:
    """DRF's nested details as (field or None, code, text); `address.0.city` names a field inside."""
    if isinstance(detail, exceptions.ErrorDetail):
        yield path or None, detail.code or "invalid", str(detail)
    elif isinstance(detail, dict):
        for name, inner in detail.items():
            own = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _flat(inner, path if own else f"{path}.{name}".lstrip("."))
    else:
        for place, inner in enumerate(detail):
            leaf = isinstance(inner, exceptions.ErrorDetail)
            yield from _flat(inner, path if leaf else f"{path}.{place}".lstrip("."))


def _in_words(fact: Any) -> Any:
    if isinstance(fact, datetime):
        local = timezone.localtime(fact)
        return date_format(local, "TIME_FORMAT" if local.date() == timezone.localdate() else "DATETIME_FORMAT")
    return fact


def _in_json(fact: Any) -> Any:
    if isinstance(fact, datetime):
        return fact.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return fact
