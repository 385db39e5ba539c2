"""What each player is busy with."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from ratematch.models.free import FreeRoom
from ratematch.models.matches import Match
from ratematch.models.players import Player


class EngagementQuerySet(models.QuerySet["Engagement"]):
    def waiting(self) -> EngagementQuerySet:
        """Those in the queue, the longest waiting first."""
        return self.filter(match=None, room=None).order_by("joined_at", "pk")


class Engagement(models.Model):
    """What a player is busy with: waiting in the queue (neither `match` nor `room`), needed by a match, or in the room
    of a free match.

    One row a player, so the database itself makes a second queue place, a second match, or a place in the queue
    beside a match impossible (§2). Pairing fills `match` in; the row goes when the player is free again.
    """

    NEAR, ANY = "near", "any"

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="engagement")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="engagements")
    room = models.ForeignKey(FreeRoom, null=True, blank=True, on_delete=models.CASCADE, related_name="engagements")
    condition = models.CharField(max_length=4, choices=[(NEAR, NEAR), (ANY, ANY)], default=ANY)
    joined_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)

    objects = EngagementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(match=None, room=None, expires_at__isnull=False)
                | Q(match__isnull=False, room=None, expires_at=None)
                | Q(match=None, room__isnull=False, expires_at=None),
                name="busy_with_one_thing",
            ),
        ]
        indexes = [models.Index(fields=["joined_at"], condition=Q(match=None, room=None), name="engagement_waiting")]

    def __str__(self) -> str:
        if self.room_id is not None:
            return f"{self.player_id} in room {self.room_id}"
        return f"{self.player_id} {'waits' if self.match_id is None else f'in match {self.match_id}'}"
