"""What every view of the API shares: order of checks, language, rate headers, idempotency, ETags, pages of lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import idempotency
from accounts.api.schema import ApiSchema
from accounts.models import User
from common.ratelimit import Verdict

POSITION = re.compile(r"-?[0-9]{1,19}")


class CursorPages(CursorPagination):
    """Lists by cursor, the newest first unless a view says another `ordering`: 50 a page, `limit` up to 200."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-pk"
    offset_cutoff = None  # type: ignore[assignment]  # DRF would cut it short without a word
    offset_max = 10_000

    def get_page_size(self, request: Request) -> int:
        """How many rows a page of this list has.

        Raises:
            ValidationError: `limit` is no whole number from 1.
        """
        limits = request.query_params.getlist("limit")
        if any(not limit.isascii() or not limit.isdecimal() or int(limit[:9]) < 1 for limit in limits):
            raise ValidationError({"limit": [ErrorDetail(_("Give a whole number from 1."), "invalid")]})
        return super().get_page_size(request)  # type: ignore[return-value]  # there is a default

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """As DRF has it, and what `limit` may be."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] = {"type": "integer", "minimum": 1}
        return parameters

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor that came with `request`, if one that the database understands: anybody can make one up.

        Raises:
            NotFound: its position is no whole number of 64 bits, or it skips more rows than `offset_max`.
        """
        cursor = super().decode_cursor(request)
        if cursor and (cursor.offset > self.offset_max or not _is_position(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor


def _is_position(position: Any) -> bool:
    """Whether a list can go on there: all lists are ordered by whole numbers; None is the start."""
    return position is None or (bool(POSITION.fullmatch(position)) and -(2**63) <= int(position) < 2**63)


class ApiView(GenericAPIView[Any]):
    """The base of every view of the API.

    A view is closed until it says which scope opens it: `read_scope` for GET, `write_scope` for the rest, or
    `public = True` for reads that anybody may have.
    """

    read_scope: str | None = None
    write_scope: str | None = None
    public = False
    http_method_names = [name for name in GenericAPIView.http_method_names if name != "options"]
    pagination_class = CursorPages
    schema = ApiSchema()

    rate: Verdict | None = None
    request: Request

    @property
    def user(self) -> User:
        """Whose token it is; only for views with a scope, which are closed to others."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def handler_of(self, request: Request) -> Callable[..., HttpResponseBase] | None:
        """The view's method for this kind of call, if it has one."""
        name = (request.method or "").lower()
        return getattr(self, name, None) if name in self.http_method_names else None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer in the reader's language and time, and rendered: ETags and kept answers need the body."""
        with translation.override(translation.get_language()), timezone.override(timezone.get_current_timezone()):
            return self._answer(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """DRF's checks in another order: calls are counted first, those with a wrong token too."""
        try:
            self.perform_authentication(request)
        finally:
            self.check_throttles(request)
        self._speak_as(request)
        self.format_kwarg = self.get_format_suffix(**kwargs)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        self.check_permissions(request)
        if request.method not in SAFE_METHODS and not (request.content_type or "").startswith("multipart/"):
            request._request.body  # noqa: B018  # read by Django, whose size limit DRF's parsers don't know

    def _answer(self, http_request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.args, self.kwargs = args, kwargs
        self.headers = self.default_response_headers
        request = self.request = self.initialize_request(http_request, *args, **kwargs)
        try:
            self.initial(request, *args, **kwargs)
            claim = idempotency.claim(request) if self.handler_of(request) else None
        except Exception as refused:
            return self._finished(request, self.handle_exception(refused))
        if isinstance(claim, HttpResponse):
            return self._finished(request, claim)

        handler = self.handler_of(request) or self.http_method_not_allowed
        try:
            response = handler(request, *args, **kwargs)
        except Exception as refused:
            response = self.handle_exception(refused)
        response = self._finished(request, response)
        if claim:
            claim.settle(response)
        return response

    def _finished(self, request: Request, response: HttpResponseBase) -> HttpResponseBase:
        """Rendered, with the headers that all answers carry; a 304 where the reader has this body already."""
        response = self.finalize_response(request, cast(Response, response), *self.args, **self.kwargs)
        if isinstance(response, Response):
            response.render()
        if request.method in ("GET", "HEAD") and response.status_code == 200 and isinstance(response, HttpResponse):
            patch_vary_headers(response, ["Authorization", "Accept-Language"])
            response.headers.setdefault("Cache-Control", "private, no-cache")
            response.headers["ETag"] = f"W/{quote_etag(sha256(response.content).hexdigest()[:32])}"
            response = get_conditional_response(request._request, etag=response["ETag"], response=response) or response
        response.headers["Content-Language"] = translation.get_language()
        if self.rate:
            response.headers["RateLimit-Limit"] = str(self.rate.limit)
            response.headers["RateLimit-Remaining"] = str(self.rate.remaining)
            response.headers["RateLimit-Reset"] = str(self.rate.reset_s)
        return response

    @staticmethod
    def _speak_as(request: Request) -> None:
        """The user's own language and time zone, where set; a middleware knows only the session and the browser."""
        if request.user.is_authenticated:
            if request.user.language:
                translation.activate(request.user.language)
            if request.user.time_zone:
                timezone.activate(request.user.time_zone)
