"""The whole site behind a real web server, in a thread of the test process."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn


class Server(uvicorn.Server):
    """Ends open event streams before it waits for them, as the signal does that a thread can't get."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from config.asgi import hub

        hub.end_streams()
        await super().shutdown(sockets)


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve config.asgi from the database of the test; gives the site's address."""
    from config.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listening:  # takes connections at once, answers when it is ready
        options: dict[str, Any] = {"log_config": None, "access_log": False, "timeout_graceful_shutdown": 2}
        server = Server(uvicorn.Config(application, lifespan="on", **options))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="live site")
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
