"""Which addresses may be sent to: never into a private network, whatever a name resolves to."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from django.conf import settings

from common.errors import Invalid

URL_MAX = 500
HTTPS_PORT, FREE_PORTS = 443, range(1024, 65536)
"""443, or a port that no service of an operating system has: a webhook is no way to talk to a mail server."""

NAT64 = IPv6Network("64:ff9b::/96")

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: `host` as DNS has it, `path` with its query."""

    tls: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What the header Host says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse(url: str) -> Target:
    """The target of an address that a user gave.

    Raises:
        Invalid: ``bad_webhook_url``: no https address, one with a name and password, or a port that isn't allowed.
            ``private_webhook_url``: an IP address that isn't on the public network.
    """
    bad = Invalid("bad_webhook_url", field="url")
    if len(url) > URL_MAX or not url.isprintable() or " " in url:
        raise bad
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode() if not _literal(parts.hostname or "") else parts.hostname
        port = parts.port
        path = (parts.path or "/").encode("ascii").decode() + (
            f"?{parts.query.encode('ascii').decode()}" * bool(parts.query)
        )
    except (UnicodeError, ValueError):
        raise bad from None
    if not host or parts.scheme not in ("https", "http") or parts.username is not None or parts.fragment:
        raise bad
    literal = _literal(host)
    local = settings.WEBHOOKS_TO_LOOPBACK and (host == "localhost" or (literal is not None and literal.is_loopback))
    tls = parts.scheme == "https"
    if port is None:
        port = 443 if tls else 80
    if not local and (not tls or (port != HTTPS_PORT and port not in FREE_PORTS)):
        raise bad
    if literal is not None and not may_reach(literal):
        raise Invalid("private_webhook_url", field="url")
    return Target(tls=tls, host=host, port=port, path=path)


def may_reach(address: Address) -> bool:
    """Whether a request may be sent to this very address: one of the public network, by whatever way it is written."""
    address = _inner(address)
    if address.is_loopback:
        return bool(settings.WEBHOOKS_TO_LOOPBACK)
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or site_local)


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one only wraps: mapped, 6to4 or NAT64."""
    if isinstance(address, IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and address in NAT64:
        inner = IPv4Address(int(address) & 0xFFFF_FFFF)
    return inner or address


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
