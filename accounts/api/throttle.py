"""How often one user, or one address, may call the API. The headers that tell are set by `ApiView`."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from common import ratelimit

if TYPE_CHECKING:
    from accounts.api.base import ApiView


class Throttle(BaseThrottle):
    """Counts by user where there is a token, else by address, as `settings.API_RATE` says."""

    verdict: ratelimit.Verdict

    def allow_request(self, request: Request, view: ApiView) -> bool:  # type: ignore[override]
        if request.user.is_authenticated:
            kind, who = "user", str(request.user.pk)
        else:
            kind, who = "anon", client_address(request)
        limit, window_s = settings.API_RATE[kind]
        self.verdict = view.rate = ratelimit.hit(f"api:{kind}:{who}", limit=limit, window_s=window_s)
        return self.verdict.allowed

    def wait(self) -> float:
        return self.verdict.reset_s


def client_address(request: Request) -> str:
    """The caller's address, as `address_of` has it."""
    return address_of(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR"))


def address_of(remote: str, forwarded: str | None) -> str:
    """The address that counts; of IPv6 the /64, since one caller has all of that.

    Behind our proxy it is the last of X-Forwarded-For: that one the proxy wrote, those before it anybody can claim.

    Args:
        remote: the other end of the connection.
        forwarded: the header X-Forwarded-For, if there is one.
    """
    address = remote
    if settings.BEHIND_PROXY and forwarded is not None:
        address = forwarded.rpartition(",")[2].strip()
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address) and not parsed.ipv4_mapped:
        return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
    return str(parsed)
