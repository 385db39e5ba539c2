"""Where the site listens: HOST and PORT, checked before anything is started."""

import errno
import os
import socket
from typing import NamedTuple

from config.env import stop

FIRST_PORT, PORTS_TRIED = 8000, 100
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # only where somebody asks for it


class Address(NamedTuple):
    """An address to listen on."""

    host: str
    port: int

    @property
    def reachable(self) -> "Address":
        """The address by which this machine itself reaches it."""
        return Address(EVERYWHERE.get(self.host, self.host), self.port)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def from_environment() -> Address:
    """HOST (default 127.0.0.1) and PORT (default: the first free one from 8000). Ends the process if they are wrong."""
    host = os.environ.get("HOST") or "127.0.0.1"
    asked = os.environ.get("PORT")
    if not asked:
        for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
            if _problem(host, port) is None:
                return Address(host, port)
        stop("PORT", f"{FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} are all taken")
    if not asked.isascii() or not asked.isdigit() or not 1 <= int(asked) <= 65535:
        stop("PORT", f"must be a number from 1 to 65535, not {asked!r}")
    if problem := _problem(host, int(asked)):
        stop("PORT", f"{asked} can't be used: {problem}")
    return Address(host, int(asked))


def _problem(host: str, port: int) -> str | None:
    """Why nobody can listen there; None if one can. Ends the process when the host itself is wrong."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        stop("HOST", f"{host!r} is no address of this machine: {error.strerror}")
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                stop("HOST", f"{host!r} is no address of this machine")
            return error.strerror
    return None
