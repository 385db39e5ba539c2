"""Event streams: `/live/` for browsers (session), `/api/v1/events` for programs (token).

A plain ASGI application. Who is asking is looked up in a thread, which gives its database connection back at once:
a stream holds none. A stream ends after LIVE_MAX_S, so that rights are looked at again when its reader is back.
"""

import asyncio
import json
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import DatabaseError, connections
from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from accounts.api.auth import TokenAuthentication
from accounts.api.throttle import address_of
from common import ratelimit
from common.hub import Hub, Subscription, start_frame
from common.live import SITE, user_channel
from config.counted import streams_open
from config.tracing import HEADER, accepted_or_new

BROWSER, PROGRAM = "/live/", "/api/v1/events"
PATHS = (BROWSER, PROGRAM)

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
RETRY = b"retry: 1000\n"
PING = b"event: ping\ndata: {}\n\n"
REFUSALS = {
    "not_authenticated": (401, "Unauthorized", "Sign in, or send a valid token: Authorization: Bearer bz_…"),
    "scope_missing": (403, "Forbidden", "This token lacks the scope read."),
    "method_not_allowed": (405, "Method Not Allowed", "An event stream is read with GET."),
    "throttled": (429, "Too Many Requests", "Too many streams were asked for. Wait a little."),
    "unavailable": (503, "Service Unavailable", "Try again in a few seconds."),
}


class NoStream(Exception):
    """This caller gets no stream.

    Args:
        code: one of REFUSALS.
        retry_after: seconds until another try makes sense, where that is known.
    """

    def __init__(self, code: str, retry_after: int | None = None) -> None:
        super().__init__(code)
        self.code, self.retry_after = code, retry_after


async def serve(hub: Hub, scope: Any, receive: Any, send: Any) -> None:
    """Answer a request for one of PATHS with an event stream, or say why there is none."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    query = parse_qs(scope["query_string"].decode("latin-1"))
    request_id = accepted_or_new(headers.get(HEADER.lower().encode()))
    last_id = headers.get(b"last-event-id") or query.get("last_event_id", [""])[0]
    try:
        if scope["method"] != "GET":
            raise NoStream("method_not_allowed")
        remote = (scope.get("client") or ("",))[0]
        channels = await sync_to_async(_channels, thread_sensitive=False)(scope["path"], headers, remote)
    except NoStream as refusal:
        await _refuse(refusal, request_id, send)
        return
    with streams_open.track_inprogress(), hub.subscribe(channels) as subscription:
        leaving = asyncio.create_task(_end_when_gone(subscription, receive))
        own = (HEADER.lower().encode(), request_id.encode())
        await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS, own]})
        try:
            async with asyncio.timeout(settings.LIVE_MAX_S):
                await _relay(hub, subscription, last_id, send)
        except (TimeoutError, asyncio.CancelledError):
            pass  # rights are to be looked at again, or the server has waited long enough for its end
        finally:
            leaving.cancel()
        await send({"type": "http.response.body", "body": b""})


async def _relay(hub: Hub, subscription: Subscription, last_id: str, send: Any) -> None:
    """Send what was missed, then what comes, until the subscription ends."""

    async def write(chunk: bytes) -> None:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})

    sent = (0, 0)
    await write(RETRY + (b"\n" if last_id else start_frame(subscription.since)))
    for missed in await hub.missed(subscription.channels, last_id) if last_id else ():
        await write(missed.frame)
        sent = missed.position
    while True:
        try:
            async with asyncio.timeout(settings.LIVE_PING_S):
                event = await subscription.queue.get()
        except TimeoutError:
            await write(PING)
            continue
        if event is None:
            return
        if event.position > sent or event.is_resync:
            await write(event.frame)


async def _end_when_gone(subscription: Subscription, receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscription.end()


def _channels(path: str, headers: dict[bytes, str], remote: str) -> list[str]:
    """What this caller may listen to. Raises NoStream."""
    try:
        if path == PROGRAM:
            user_id = _token_owner(headers.get(b"authorization", ""))
        else:
            user_id = _session_owner(headers.get(b"cookie", ""))
    except DatabaseError as error:
        raise NoStream("unavailable") from error
    finally:
        connections.close_all()
    who = address_of(remote, headers.get(b"x-forwarded-for")) if user_id is None else f"user:{user_id}"
    limit, window_s = settings.LIVE_RATE
    verdict = ratelimit.hit(f"live:{who}", limit=limit, window_s=window_s)
    if not verdict.allowed:
        raise NoStream("throttled", verdict.reset_s)
    if user_id is None:
        raise NoStream("not_authenticated")
    return [SITE, user_channel(user_id)]


def _session_owner(cookies: str) -> int | None:
    """The user whose session this is, by the same checks as a page makes; None for a stranger."""
    try:
        cookie = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    if cookie is None or "\0" in cookie.value:  # PostgreSQL can't take that
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie.value)
    return get_user(request).pk


def _token_owner(authorization: str) -> int | None:
    """The user whose token this is; None if it is none of ours. Raises NoStream when it may not read."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        return None
    try:
        user, kept = TokenAuthentication().authenticate_credentials(token.encode())
    except AuthenticationFailed:
        return None
    if kept.READ not in kept.scopes:
        raise NoStream("scope_missing")
    return int(user.pk)


async def _refuse(refusal: NoStream, request_id: str, send: Any) -> None:
    """An answer as RFC 9457 has it."""
    code = refusal.code
    status, title, detail = REFUSALS[code]
    problem: dict[str, Any] = {"type": f"urn:banzuke:error:{code}", "title": title, "status": status}
    problem |= {"detail": detail, "code": code, "request_id": request_id}
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store")]
    headers.append((HEADER.lower().encode(), request_id.encode()))
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if refusal.retry_after is not None:
        problem["retry_after"] = refusal.retry_after
        headers.append((b"retry-after", str(refusal.retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem, ensure_ascii=False).encode()})
