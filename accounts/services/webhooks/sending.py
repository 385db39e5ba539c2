"""One request to one endpoint: signed, over a connection to an address that was checked, bounded in time and size."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from ipaddress import ip_address
from itertools import count

import h11

from accounts.services.webhooks import addresses
from accounts.services.webhooks.addresses import Target
from common.errors import Invalid

TIMEOUT_S = 15.0
"""For the whole of it: name, connection, request, answer. Standard Webhooks has 15 to 30 s. Only a name server that
never answers can take longer, as long as the system's resolver has patience."""
CONNECT_S = 5.0
HEAD_BYTES = 16_384
AGENT = "Banzuke-Webhooks/1"
SECRET_PREFIX = "whsec_"  # noqa: S105  # not the secret


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a request: an HTTP status, or a code of why there was none."""

    status: int | None = None
    problem: str = ""
    retry_after_s: int = 0

    @property
    def delivered(self) -> bool:
        """Only 2xx is."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the endpoint wants nothing any more."""
        return self.status == 410


class _NotSent(Exception):
    """No answer, and a code of why."""


def signatures(secrets: Iterable[str], message_id: str, at: datetime, body: bytes) -> str:
    """The header `webhook-signature`: one signature for each secret, so that one can be changed without a gap."""
    signed = f"{message_id}.{int(at.timestamp())}.".encode() + body
    keys = (base64.b64decode(secret.removeprefix(SECRET_PREFIX)) for secret in secrets)
    return " ".join(f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in keys)


def send(url: str, *, secrets: Iterable[str], message_id: str, body: bytes, at: datetime) -> Result:
    """POST `body` to `url`; never raises, never takes longer than TIMEOUT_S, follows no redirect.

    Args:
        secrets: what to sign with, the newest first.
        message_id: the same for every try.
        at: when this try is made.
    """
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        "user-agent": AGENT,
        "connection": "close",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signatures(secrets, message_id, at, body),
    }
    try:
        target = addresses.parse(url)
        return asyncio.run(_within_time(target, headers, body))
    except Invalid:
        return Result(problem="refused_address")
    except _NotSent as error:
        return Result(problem=str(error))


async def _within_time(target: Target, headers: dict[str, str], body: bytes) -> Result:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            return await _post(target, headers, body)
    except TimeoutError:
        raise _NotSent("timed_out") from None
    except ssl.SSLError:
        raise _NotSent("bad_tls") from None
    except h11.ProtocolError:
        raise _NotSent("no_http") from None
    except OSError:
        raise _NotSent("no_connection") from None


async def _post(target: Target, headers: dict[str, str], body: bytes) -> Result:
    reader, writer = await _connect(target)
    try:
        wire = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
        request = h11.Request(method="POST", target=target.path, headers=[("host", target.authority), *headers.items()])
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(wire.send(event) or b"")
        await writer.drain()
        return await _answer(reader, wire)
    finally:
        writer.transport.abort()  # what else they have to say is of no interest


async def _answer(reader: asyncio.StreamReader, wire: h11.Connection) -> Result:
    """The status and one header of the answer; its body isn't read at all."""
    for _informational in count():
        while (event := wire.next_event()) is h11.NEED_DATA:
            wire.receive_data(await reader.read(4096))
        if isinstance(event, h11.Response):
            wait = dict(event.headers).get(b"retry-after", b"")
            return Result(status=event.status_code, retry_after_s=int(wait) if wait.isdigit() and len(wait) < 7 else 0)
        if not isinstance(event, h11.InformationalResponse) or _informational > 5:
            break
    raise _NotSent("no_http")


async def _connect(target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first address that takes one. All are checked, and the very one that was is connected to."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(target.host, target.port, type=1)
    except (OSError, UnicodeError):
        raise _NotSent("unknown_host") from None
    hosts = list(dict.fromkeys(str(info[4][0]) for info in found))
    if not hosts or not all(addresses.may_reach(ip_address(host)) for host in hosts):
        raise _NotSent("refused_address")
    for host in hosts:
        try:
            async with asyncio.timeout(CONNECT_S):
                return await asyncio.open_connection(
                    host,
                    target.port,
                    ssl=_tls() if target.tls else None,
                    server_hostname=target.host if target.tls else None,
                )
        except ssl.SSLError:
            raise
        except OSError as error:  # TimeoutError is one
            failed = error
    raise failed


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
