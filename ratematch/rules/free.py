"""The life of a free match (rules §6): the same room-number step as a rated match, and nothing to report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from common.errors import Conflict
from ratematch.rules.lifecycle.moves import check_room_number


class RoomState(StrEnum):
    """OPEN until somebody joins, ROOM until that one has entered the game's room, PLAYING until one of them closes."""

    OPEN = "open"
    ROOM = "room"
    PLAYING = "playing"
    CLOSED = "closed"


class RoomVerb(StrEnum):
    """What the two can do in it. Joining is a move of the one who isn't in it yet."""

    SET_ROOM = "set_room_number"
    ENTER = "enter_room"
    WRONG_NUMBER = "wrong_number"
    CLOSE = "close_room"


HOST, GUEST = "host", "guest"


@dataclass(frozen=True, slots=True)
class Durations:
    """How long each state lasts at most; then the room closes by itself [ours]."""

    open: timedelta = timedelta(hours=1)
    room: timedelta = timedelta(minutes=15)
    playing: timedelta = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class Room:
    """A free match at one moment."""

    state: RoomState
    deadline_at: datetime | None
    room_number: str = ""
    joined_at: datetime | None = None
    playing_at: datetime | None = None


MOVES = {
    (RoomState.OPEN, RoomVerb.SET_ROOM): (HOST,),
    (RoomState.OPEN, RoomVerb.CLOSE): (HOST,),
    (RoomState.ROOM, RoomVerb.SET_ROOM): (HOST,),
    (RoomState.ROOM, RoomVerb.ENTER): (GUEST,),
    (RoomState.ROOM, RoomVerb.WRONG_NUMBER): (GUEST,),
    (RoomState.ROOM, RoomVerb.CLOSE): (HOST, GUEST),
    (RoomState.PLAYING, RoomVerb.SET_ROOM): (HOST,),
    (RoomState.PLAYING, RoomVerb.CLOSE): (HOST, GUEST),
}
"""Which move is whose, by state."""


def possible(room: Room, role: str) -> list[RoomVerb]:
    """The moves that the host or the guest can make now."""
    needs_number = (RoomVerb.ENTER, RoomVerb.WRONG_NUMBER)
    return [
        verb
        for (state, verb), roles in MOVES.items()
        if state is room.state and role in roles and (room.room_number or verb not in needs_number)
    ]


def join(room: Room, now: datetime, durations: Durations) -> Room:
    """Somebody takes the other place.

    Raises:
        Conflict: somebody else has, or the room is closed.
    """
    if room.state is not RoomState.OPEN:
        raise Conflict("room_taken", state=room.state)
    return replace(room, state=RoomState.ROOM, joined_at=now, deadline_at=now + durations.room)


def play(room: Room, verb: RoomVerb, role: str, now: datetime, durations: Durations, *, value: str = "") -> Room:
    """What a move makes of the room.

    Raises:
        Conflict: not in this state, not this one's to do, or no number yet.
        Invalid: the room number can't be used.
    """
    roles = MOVES.get((room.state, verb))
    if roles is None:
        raise Conflict("wrong_state", state=room.state)
    if role not in roles:
        raise Conflict("not_yours_to_do", state=room.state)
    if verb is RoomVerb.SET_ROOM:
        return replace(room, room_number=check_room_number(value))
    if verb is RoomVerb.CLOSE:
        return closed(room)
    if not room.room_number:
        raise Conflict("no_room_number", state=room.state)
    if verb is RoomVerb.ENTER:
        return replace(room, state=RoomState.PLAYING, playing_at=now, deadline_at=now + durations.playing)
    return room


def closed(room: Room) -> Room:
    """The end of it."""
    return replace(room, state=RoomState.CLOSED, deadline_at=None)
