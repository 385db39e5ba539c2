"""Free matches, which are not rated, and what is said in matches of both kinds."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratematch.models.players import Player
from ratematch.rules import free
from ratematch.rules.free import RoomState


class FreeRoomQuerySet(models.QuerySet["FreeRoom"]):
    def due(self, now: datetime) -> FreeRoomQuerySet:
        """Rooms whose clock has run out, the longest overdue first."""
        return self.filter(deadline_at__lte=now).order_by("deadline_at", "pk")


class FreeRoom(models.Model):
    """A free match (§6): somebody opens it with a title and a comment, another joins; nothing is rated.

    Who is in it is an `Engagement` of each, so nobody is in two at once, or in one beside a rated match.
    """

    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rooms_opened")
    guest = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="rooms_joined")
    title = models.CharField(_("title"), max_length=60)
    comment = models.CharField(_("comment"), max_length=300, blank=True)
    state = models.CharField(
        max_length=7, choices=[(state.value, state.value) for state in RoomState], default=RoomState.OPEN.value
    )
    room_number = models.CharField(max_length=20, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    joined_at = models.DateTimeField(null=True, blank=True)
    playing_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    deadline_at = models.DateTimeField(null=True, blank=True)

    objects = FreeRoomQuerySet.as_manager()

    class Meta:
        verbose_name = _("free match")
        verbose_name_plural = _("free matches")
        constraints = [
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False, deadline_at=None)
                | (~Q(state="closed") & Q(closed_at=None, deadline_at__isnull=False)),
                name="an_open_room_has_a_deadline",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["room", "playing"], guest=None), name="two_play_a_free_match"
            ),
            models.CheckConstraint(condition=Q(guest=None) | ~Q(host=models.F("guest")), name="nobody_joins_himself"),
        ]
        indexes = [
            models.Index(fields=["state", "-id"], name="free_room_by_state"),
            models.Index(fields=["deadline_at"], condition=Q(deadline_at__isnull=False), name="free_room_due"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("ratematch:free_room", args=[self.pk])

    @property
    def players(self) -> list[Player]:
        """The host, and the guest if there is one."""
        return [self.host, self.guest] if self.guest else [self.host]

    def role_of(self, user_id: int | None) -> str | None:
        """`host`, `guest`, or None for anybody else."""
        if user_id == self.host.user_id:
            return free.HOST
        return free.GUEST if self.guest and user_id == self.guest.user_id else None

    def value(self) -> free.Room:
        """The row as the rules see it."""
        return free.Room(
            state=RoomState(self.state),
            deadline_at=self.deadline_at,
            room_number=self.room_number,
            joined_at=self.joined_at,
            playing_at=self.playing_at,
        )


class ChatLine(models.Model):
    """One line that somebody said in a match or a free match. Never edited; moderators hide it."""

    match = models.ForeignKey("Match", null=True, blank=True, on_delete=models.CASCADE, related_name="chat")
    room = models.ForeignKey(FreeRoom, null=True, blank=True, on_delete=models.CASCADE, related_name="chat")
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="chat_lines")
    text = models.CharField(max_length=300)
    at = models.DateTimeField(default=timezone.now)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(match=None, room__isnull=False) | Q(match__isnull=False, room=None),
                name="a_line_is_said_in_one_place",
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} by {self.author_id}"


class Mute(models.Model):
    """That a player may not speak in any chat for a time. Never deleted; lifted by setting `lifted_at`."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mutes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=500)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")

    def __str__(self) -> str:
        return f"{self.player_id} until {self.until:%F %H:%M}"


class Watch(models.Model):
    """That a player wants to be told once when somebody of about the same rating starts to wait (§9)."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="watch")
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.player_id} until {self.until:%F %H:%M}"
