"""What users are told."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models.user import DELETED_MARK, User


class Notice(models.Model):
    """Something a user should know. Its words come from `templates/<kind>.html`, in the reader's language."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=60)
    facts = models.JSONField(default=dict)
    url = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)
    deliver_at = models.DateTimeField(null=True, blank=True)  # when to send it out of the site; None: needn't, or done

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_by_user"),
            models.Index(fields=["user"], condition=models.Q(read_at=None), name="notice_unread"),
            models.Index(fields=["deliver_at"], condition=models.Q(deliver_at__isnull=False), name="notice_to_deliver"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"

    @property
    def words(self) -> dict[str, Any]:
        """The facts as they are read now: who has left the site, is named so."""
        return {name: gettext("Deleted player") if fact == DELETED_MARK else fact for name, fact in self.facts.items()}

    @property
    def template(self) -> str:
        """The template that says it: kind `ratematch.match_made` is ratematch/notices/match_made.html."""
        app, name = self.kind.split(".")
        return f"{app}/notices/{name}.html"


class NotificationSetting(models.Model):
    """Whether a user wants a group of notices out of the site too. No row: neither."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notification_settings")
    group = models.CharField(max_length=20)
    email = models.BooleanField(default=False)
    push = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "group"], name="notification_setting_once")]

    def __str__(self) -> str:
        return f"{self.group} for {self.user_id}"


class PushSubscription(models.Model):
    """A browser that shows a user's notices while no page is open. It ends with the session it was made in."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.TextField()
    endpoint_hash = models.CharField(max_length=64, unique=True)  # SHA-256: the address itself is too long for an index
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    session_key = models.CharField(max_length=40, db_index=True)
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.browser or '?'}, {self.system or '?'}"
