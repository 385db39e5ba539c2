"""What monitors ask: does this process live, is the site whole, and its figures (docs/operations.md).

Answered before everything else, so that no session, host name or redirect to https is in the way.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.utils import timezone
from psycopg_pool import PoolTimeout

from accounts.services import heartbeat
from common.redis import client
from config import metrics
from config.discovery import modules

LIVE, READY, METRICS = "/health/live", "/health/ready", "/metrics"
DATABASE_WITHIN_S = 2
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")


class ProbeMiddleware:
    """Answers LIVE, READY and METRICS; all else goes on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in (LIVE, READY, METRICS):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        response = _answer(request)
        response.headers["Cache-Control"] = "no-store"
        return response


def _answer(request: HttpRequest) -> HttpResponse:
    if request.path_info == LIVE:
        return JsonResponse({"status": "ok"})
    if request.path_info == READY:
        parts = check(timezone.now())
        whole = all(part["ok"] for part in parts.values())
        answer = JsonResponse({"status": "ok" if whole else "failing", "parts": parts}, status=200 if whole else 503)
        answer._has_been_logged = True  # type: ignore[attr-defined]  # Django would, as an error, each time it is asked
        return answer
    if not _may_see_metrics(request):
        return HttpResponseNotFound()
    return HttpResponse(metrics.page(timezone.now()), content_type=metrics.CONTENT_TYPE)


def check(now: datetime) -> dict[str, dict[str, Any]]:
    """Each part of the site: whether it is as it should be, and the figure behind that. No part's own words."""
    parts: dict[str, dict[str, Any]] = {"redis": {"ok": _redis_answers()}}
    try:
        _database_answers()
        overdue_s, silent_s = overdue(now), worker_silent(now)
    except (DatabaseError, PoolTimeout):
        return {"database": {"ok": False}, **parts}
    return {
        "database": {"ok": True},
        **parts,
        "deadlines": {"ok": overdue_s <= settings.HEALTH_LATE_S, "oldest_overdue_s": round(overdue_s, 1)},
        "worker": {
            "ok": silent_s is not None and silent_s <= settings.HEALTH_LATE_S,
            "silent_s": None if silent_s is None else round(silent_s, 1),
        },
    }


def overdue(now: datetime) -> float:
    """For how many seconds the longest overdue clock of all games waits to be applied; 0 if none does."""
    late = heartbeat.site_now(now)
    oldest = [module.oldest_deadline() for _app, module in modules("gauges") if hasattr(module, "oldest_deadline")]
    return max([0.0, *((late - at).total_seconds() for at in oldest if at)])


def worker_silent(now: datetime) -> float | None:
    """Seconds since the worker's last sweep; None if there never was one."""
    beat_at = heartbeat.last_beat(heartbeat.WORKER)
    return None if beat_at is None else max(0.0, (now - beat_at).total_seconds())


def _database_answers() -> None:
    """Raise what the database raises, soon: requests wait longer for a connection of the pool than a monitor does."""
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        pool = connection.pool  # type: ignore[attr-defined]  # of the PostgreSQL backend
        pool.open()
        with pool.connection(timeout=DATABASE_WITHIN_S) as direct:
            direct.execute("SELECT 1")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis_answers() -> bool:
    try:
        return bool(client().ping())
    except redis.RedisError:
        return False


def _may_see_metrics(request: HttpRequest) -> bool:
    """Whoever has METRICS_TOKEN, or asks on this very machine and for no other's sake."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and scheme.lower() == "bearer":
        return hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode())
    if any(name in request.headers for name in FORWARDED):
        return False
    # The name, too: a page in a browser on this machine could have its own name lead here.
    host = urlsplit(f"//{request.META.get('HTTP_HOST', '')}").hostname or ""
    return _is_loopback(request.META.get("REMOTE_ADDR", "")) and (host == "localhost" or _is_loopback(host))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
