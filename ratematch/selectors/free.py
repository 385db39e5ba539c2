"""Free matches, and what is said in chats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from django.conf import settings

from accounts.models import Block
from accounts.services import blocks
from ratematch.models import ChatLine, FreeRoom, Match, Mute, Player
from ratematch.policies import can_moderate
from ratematch.rules import free
from ratematch.rules.free import RoomState, RoomVerb
from ratematch.rules.lifecycle import RUNNING

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from ratematch.policies import Viewer

LINES_SHOWN = 200
"""How many of the newest lines a chat shows."""


def open_rooms(viewer: Viewer) -> QuerySet[FreeRoom]:
    """Rooms that wait for somebody, the newest first; not those of players with whom there is a block."""
    rooms = FreeRoom.objects.filter(state=RoomState.OPEN, host__user__is_active=True).select_related("host__user")
    if viewer.pk is not None:
        rooms = rooms.exclude(host__user__in=Block.objects.filter(user=viewer.pk).values("blocked"))
        rooms = rooms.exclude(host__user__in=Block.objects.filter(blocked=viewer.pk).values("user"))
    return rooms.order_by("-pk")


@dataclass(frozen=True)
class RoomView:
    """A free match as one viewer sees it at one moment. `role` is `host`, `guest` or None."""

    room: FreeRoom
    viewer: Viewer
    now: datetime

    @cached_property
    def role(self) -> str | None:
        """The viewer's part in it."""
        return self.room.role_of(self.viewer.pk)

    @cached_property
    def state(self) -> RoomState:
        """The present state."""
        return RoomState(self.room.state)

    @cached_property
    def possible(self) -> list[RoomVerb]:
        """The moves that the viewer can make now."""
        return free.possible(self.room.value(), self.role) if self.role else []

    @cached_property
    def can_join(self) -> bool:
        """Whether the viewer could take the other place."""
        return self.role is None and self.state is RoomState.OPEN and self.viewer.is_authenticated

    @property
    def awaits_number(self) -> bool:
        """Whether the guest waits for the viewer to enter the room number."""
        return self.state is RoomState.ROOM and self.role == free.HOST and not self.room.room_number

    @cached_property
    def other(self) -> Player | None:
        """Whom the viewer plays."""
        return self.room.guest if self.role == free.HOST else self.room.host

    @cached_property
    def remaining_s(self) -> int:
        """Whole seconds until the room closes by itself, rounded up."""
        if self.room.deadline_at is None:
            return 0
        return max(0, -int(-(self.room.deadline_at - self.now).total_seconds() // 1))


def room_view(room_id: int, viewer: Viewer, now: datetime) -> RoomView | None:
    """The room as `viewer` sees it, or None if there is none for this viewer.

    Anybody may look at one that waits; afterwards it is between the two, and moderators.
    """
    room = FreeRoom.objects.select_related("host__user", "guest__user").filter(pk=room_id).first()
    if room is None:
        return None
    view = RoomView(room, viewer, now)
    if view.role is None and room.state != RoomState.OPEN and not can_moderate(viewer):
        return None
    if view.role is None and viewer.pk and blocks.between({viewer.pk, room.host.user_id}):
        return None
    return view


@dataclass(frozen=True, slots=True)
class Chat:
    """What was said, as one viewer sees it: `obstacle` is why the viewer can't speak, empty if nothing is."""

    lines: list[ChatLine]
    me: Player | None
    obstacle: str
    until: datetime | None
    moderator: bool


def chat_of(place: Match | FreeRoom, viewer: Viewer, now: datetime) -> Chat | None:
    """The chat of a match or a free match, for the two and for moderators; None for anybody else."""
    players = [side.player for side in place.seats] if isinstance(place, Match) else place.players
    me = next((player for player in players if player.user_id == viewer.pk), None)
    moderator = me is None and can_moderate(viewer)
    if me is None and not moderator:
        return None
    lines = list(place.chat.select_related("author__user").order_by("-pk")[:LINES_SHOWN])[::-1]
    obstacle, until = _obstacle(place, players, me, now)
    return Chat(lines, me, obstacle, until, moderator)


def _obstacle(
    place: Match | FreeRoom, players: list[Player], me: Player | None, now: datetime
) -> tuple[str, datetime | None]:
    if me is None:
        return "moderator", None
    if not _is_open(place, now):
        return "over", None
    mute = Mute.objects.filter(player=me, until__gt=now, lifted_at=None).order_by("-until").first()
    if mute:
        return "muted", mute.until
    return ("blocked" if blocks.between({player.user_id for player in players}) else ""), None


def _is_open(place: Match | FreeRoom, now: datetime) -> bool:
    if isinstance(place, FreeRoom):
        return place.state != RoomState.CLOSED
    if place.state in RUNNING or place.ended_at is None:
        return True
    return now - place.ended_at < timedelta(hours=settings.RATEMATCH["CHAT_HOURS"])
