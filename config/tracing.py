"""Every request has an id: in its log lines, in its answer, in a problem, and in the tasks that it wakes."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from config.counted import requests

log = logging.getLogger("banzuke.request")

HEADER = "X-Request-ID"
FORM = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
QUIET = ("/health/", "/metrics")
"""Not worth a line each: monitors ask every few seconds."""


def accepted_or_new(given: str | None) -> str:
    """The id that a caller or a proxy gave, if it looks like one; else a new one."""
    return given if given and FORM.fullmatch(given) else uuid.uuid4().hex


class TracingMiddleware:
    """Binds the id for as long as the request runs, counts it, and writes one line: no address, no query, no user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        request_id = accepted_or_new(request.headers.get(HEADER))
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            response.headers[HEADER] = request_id
            if not request.path_info.startswith(QUIET):
                _note(request, response, began)
            return response
        finally:
            clear_contextvars()


def _note(request: HttpRequest, response: HttpResponse, began: float) -> None:
    seconds = time.perf_counter() - began
    method = request.method if request.method in METHODS else "other"
    route = request.resolver_match.route if request.resolver_match else ""  # the pattern: a path may name somebody
    requests.labels(method, route, str(response.status_code)).observe(seconds)
    facts = {"method": method, "route": route, "status": response.status_code, "ms": round(seconds * 1000, 1)}
    log.info("request", extra=facts)


def send_along(headers: dict[str, Any] | None = None, **_signal: Any) -> None:
    """Celery's `before_task_publish`: the task's message carries the id of the request that sends it."""
    if headers is not None and (request_id := get_contextvars().get("request_id")):
        headers["request_id"] = request_id


def take_over(task: Any = None, task_id: str = "", **_signal: Any) -> None:
    """Celery's `task_prerun`: the task's log lines have that id, or the task's own when no request woke it."""
    clear_contextvars()
    bind_contextvars(request_id=getattr(task.request, "request_id", None) or task_id)


def let_go(**_signal: Any) -> None:
    """Celery's `task_postrun`."""
    clear_contextvars()
