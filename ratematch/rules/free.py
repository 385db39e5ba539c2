"""The life of a free match (rules §6)."""

from __future__ import annotations

from enum import StrEnum


class RoomState(StrEnum):
    """OPEN until somebody joins, ROOM until that one has entered the game's room, PLAYING until one of them closes."""

    OPEN = "open"
    ROOM = "room"
    PLAYING = "playing"
    CLOSED = "closed"
