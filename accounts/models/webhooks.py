"""Where users want events sent, and what is to be sent there: the outbox."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class WebhookEndpoint(models.Model):
    """An address of a user's program that is sent events. One request at a time goes there: `claimed_until`."""

    OWNER, FAILING, GONE = "owner", "failing", "gone"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(_("address"), max_length=500)
    events = models.JSONField(default=list)
    # Both ends sign and check with the same secret, so a hash of it wouldn't do.
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)
    old_secret_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    failing_since = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_for = models.CharField(
        max_length=7, blank=True, choices=[(OWNER, OWNER), (FAILING, FAILING), (GONE, GONE)]
    )
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(disabled_at=None, disabled_for="") | (Q(disabled_at__isnull=False) & ~Q(disabled_for="")),
                name="a_disabled_webhook_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def active(self) -> bool:
        """Whether anything is sent there."""
        return self.disabled_at is None


class WebhookDelivery(models.Model):
    """One event for one endpoint: written in the transaction that it tells of, sent later, again if need be."""

    WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"

    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=40)  # the same for every try, and for every endpoint that is told
    kind = models.CharField(max_length=60)
    body = models.TextField()  # as it is sent, byte by byte
    at = models.DateTimeField(default=timezone.now)
    status = models.CharField(
        max_length=9,
        default=WAITING,
        choices=[(WAITING, WAITING), (DELIVERED, DELIVERED), (FAILED, FAILED)],
    )
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    answer = models.PositiveSmallIntegerField(null=True, blank=True)  # the HTTP status of the last try
    problem = models.CharField(max_length=20, blank=True)  # why the last try had no answer: a code of services/webhooks

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "message_id"], name="told_once_an_endpoint"),
            models.CheckConstraint(
                condition=Q(status="waiting", due_at__isnull=False) | (~Q(status="waiting") & Q(due_at=None)),
                name="a_waiting_delivery_is_due",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="delivery_due"),
            models.Index(fields=["endpoint", "-id"], name="delivery_by_endpoint"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to endpoint {self.endpoint_id}"
