"""One port for everything: event streams are served here, all else by the WSGI application in a pool of threads.

A large site splits by path at its proxy instead (deploy/): streams come here, pages go to a WSGI server.
"""

import asyncio
import signal
import threading
from typing import Any, cast

from config.wsgi import application as pages  # first: it sets Django up, which the others need

# isort: split
from a2wsgi import WSGIMiddleware
from django.conf import settings

from common.hub import Hub
from config import live

hub = Hub(settings.REDIS_URL)
page_threads = WSGIMiddleware(cast(Any, pages), workers=settings.WEB_THREADS)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI entry point."""
    if scope["type"] == "lifespan":
        await _live_through(receive, send)
    elif scope["type"] == "http" and scope["path"] in live.PATHS:
        await live.serve(hub, scope, receive, send)
    else:
        await page_threads(scope, receive, send)


async def _live_through(receive: Any, send: Any) -> None:
    """Start and stop the hub with the server."""
    await receive()
    await hub.start()
    _end_streams_on_signal()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await hub.stop()
    await send({"type": "lifespan.shutdown.complete"})


def _end_streams_on_signal() -> None:
    """A server tells us that it stops only when all answers have ended, and streams don't end by themselves."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):

        def end_streams(signum: int, stack: Any, servers_own: Any = signal.getsignal(number)) -> None:
            loop.call_soon_threadsafe(hub.end_streams)
            if callable(servers_own):
                servers_own(signum, stack)

        signal.signal(number, end_streams)
