"""Requests through the site's real WSGI application, in this process, so that their CPU and queries can be counted."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from config.wsgi import application


@dataclass(frozen=True)
class Request:
    """A GET that is made again and again."""

    what: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)

    def send(self) -> bytes:
        """Make it; answers the body. Anything but 200 ends the bench."""
        path, _, query = self.path.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "127.0.0.1:8000",
            "HTTP_ACCEPT": "*/*",
            "HTTP_ACCEPT_LANGUAGE": "en",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            **self.headers,
        }
        answered: list[str] = []
        response: Any = application(environ, lambda status, headers, exc_info=None: answered.append(status))
        body = b"".join(response)
        response.close()  # as a server does: Django ends the request here, and gives its connection back
        if not answered[0].startswith("200"):
            raise SystemExit(f"bench: {self.what} {self.path}: {answered[0]}")
        return body

    def cpu_ms(self, times: int) -> float:
        """CPU milliseconds of one request, over `times` of them."""
        start = time.process_time()
        for _ in range(times):
            self.send()
        return (time.process_time() - start) / times * 1000

    def queries(self) -> list[tuple[str, float]]:
        """The queries of one request: SQL, and milliseconds until the database had its first row."""
        seen: list[tuple[str, float]] = []
        with _watched(lambda sql, ms: seen.append((sql, ms))):
            self.send()
        return seen


@contextmanager
def _watched(note: Callable[[str, float], None]) -> Iterator[None]:
    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        start = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            note(sql, (time.perf_counter() - start) * 1000)

    with connection.execute_wrapper(watch):
        yield


def by_cookie(cookie: str) -> dict[str, str]:
    """Headers of a browser's request."""
    return {"HTTP_COOKIE": cookie}


def by_token(token: str) -> dict[str, str]:
    """Headers of a program's request."""
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}
