"""Taking one's data along, and leaving."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class DataExport(models.Model):
    """What the site knows of a user, as a file that the user can fetch for some days."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True, blank=True)
    file = models.CharField(max_length=100, blank=True)  # its name in the storage `private`; empty once deleted
    size = models.PositiveBigIntegerField(default=0)  # bytes

    class Meta:
        indexes = [models.Index(fields=["asked_at"], condition=models.Q(ready_at=None), name="export_waiting")]

    def __str__(self) -> str:
        return f"export {self.pk} for {self.user_id}"


class Leaving(models.Model):
    """A user wants the account deleted. It happens as soon as no game needs the user any more; until then it can be
    taken back."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="leaving")
    asked_at = models.DateTimeField(default=timezone.now)
    try_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.user_id} leaves"


class KeptForAddress(models.Model):
    """What a game keeps of a deleted account for whoever comes back with its address; what it is, only the game knows.

    Of the address there is a keyed hash, so nobody can read it here. `given_to` are the accounts that got it already.
    """

    address_hash = models.CharField(max_length=64)
    app = models.CharField(max_length=30)
    data = models.JSONField()
    until = models.DateTimeField(db_index=True)
    given_to = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["address_hash", "app"], name="kept_once_for_an_address")]

    def __str__(self) -> str:
        return f"{self.app}: {self.address_hash[:8]}"
