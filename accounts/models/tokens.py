"""What programs hold, and what they were answered."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from accounts.models.user import User


class ApiToken(AbstractAuthToken):
    """A named, scoped, expiring key to the API; only its hash is kept."""

    READ, PLAY, WEBHOOKS = "read", "play", "webhooks"
    SCOPES = {
        READ: _("Read: your matches, notices and standing"),
        PLAY: _("Play: queue, report and answer in your name"),
        WEBHOOKS: _("Webhooks: see and change where events of yours are sent"),
    }

    name = models.CharField(_("name"), max_length=60)
    scopes = models.JSONField(_("scopes"), default=list)

    def __str__(self) -> str:
        return self.name


class IdempotentAnswer(models.Model):
    """The answer given to a call with an Idempotency-Key, to be given again; empty while the call still runs."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_used_once")]

    def __str__(self) -> str:
        return self.key
