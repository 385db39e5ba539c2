"""What users are told."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class Notice(models.Model):
    """Something a user should know. Its words come from `templates/<kind>.html`, in the reader's language."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=60)
    facts = models.JSONField(default=dict)
    url = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_by_user"),
            models.Index(fields=["user"], condition=models.Q(read_at=None), name="notice_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"

    @property
    def template(self) -> str:
        """The template that says it: kind `ratematch.match_made` is ratematch/notices/match_made.html."""
        app, name = self.kind.split(".")
        return f"{app}/notices/{name}.html"
