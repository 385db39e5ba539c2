"""A program that receives webhooks: a real HTTP server that keeps what it is sent and answers as it is told."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What came, and what to answer. `held` keeps requests waiting until it is set."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    held: threading.Event | None = None
    at_once: int = 0
    most_at_once: int = 0


@contextlib.contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Listen on the loopback for as long as the block runs."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.at_once += 1
            receiver.most_at_once = max(receiver.most_at_once, receiver.at_once)
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if receiver.held:
                receiver.held.wait(20)
            receiver.at_once -= 1
            with contextlib.suppress(OSError):
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    receiver.url = f"http{'s' if tls else ''}://localhost:{server.server_port}/hook?of=bot"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
