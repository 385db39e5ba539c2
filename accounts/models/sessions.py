"""Which browsers are signed in, and from which addresses somebody came."""

from __future__ import annotations

from ipaddress import ip_network

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class BrowserSession(models.Model):
    """A browser that is signed in. Django's own session row is the truth; without that, this one means nothing.

    `seen_at` is right to some minutes. `address` is empty once it is too old to keep.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="browser_sessions")
    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    address = models.CharField(max_length=45, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.browser or '?'}, {self.system or '?'}"

    @property
    def rough_address(self) -> str:
        """The address without its last part: enough to recognise one's own network; empty where it isn't kept."""
        if not self.address or self.address == "unknown":
            return ""
        network = ip_network(self.address, strict=False)
        rough = network.supernet(new_prefix=24 if network.version == 4 else 48)
        return str(rough.network_address).removesuffix(".0" if network.version == 4 else ":") + (
            ".…" if network.version == 4 else "…"
        )


class SeenAddress(models.Model):
    """A network address that a user came from (of IPv6 the /64). Kept for a while, for those who look into farming."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="seen_addresses")
    address = models.CharField(max_length=45)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "address"], name="address_seen_once")]
        indexes = [models.Index(fields=["address"], name="users_by_address")]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.address}"
