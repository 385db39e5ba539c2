"""Free matches (rules §6): open a room, join one, the room-number step, close. Nothing is rated."""

from __future__ import annotations

import logging
from dataclasses import fields
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from accounts.services import blocks, heartbeat, notices, presence
from common import live
from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.conf import free_durations
from ratematch.models import Engagement, FreeRoom, Player
from ratematch.policies import check_may_play
from ratematch.rules import free
from ratematch.rules.free import GUEST, HOST, RoomState, RoomVerb
from ratematch.rules.texts import plain
from ratematch.services import deadlines, levels
from ratematch.services.transition import busy, player_of

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

TITLE_MAX, COMMENT_MAX = 60, 300

PUSH_AHEAD = timedelta(minutes=1)
"""How far the end of a room that can't be closed is put off, so that it doesn't block the others."""


def open_room(*, actor: User, title: str, comment: str, now: datetime) -> FreeRoom:
    """Open the room of a free match and wait there for somebody.

    Raises:
        Invalid: no title, or a text too long.
        Forbidden: not at this fair-play level.
        Conflict: waiting in the queue, in another room, or needed by a match.
    """
    title, comment = _clean(title), _clean(comment)
    if not title or len(title) > TITLE_MAX:
        raise Invalid("bad_room_title", field="title", limit=TITLE_MAX)
    if len(comment) > COMMENT_MAX:
        raise Invalid("room_comment_too_long", field="comment", limit=COMMENT_MAX)
    end_overdue(actor, now)
    with transaction.atomic(durable=True):
        player = player_of(actor)
        levels.held(player, now=now)
        check_may_play(player)
        room = FreeRoom.objects.create(
            host=player, title=title, comment=comment, opened_at=now, deadline_at=now + free_durations().open
        )
        _engage(player, room, now)
        presence.touch(actor.pk, active=True, now=now)
        _publish(room, listed=True)
    return room


def join_room(*, room_id: int, actor: User, now: datetime) -> FreeRoom:
    """Take the other place in a room.

    Raises:
        Missing: no such room, one whose host and the actor keep apart, or one whose host may no longer play.
        Forbidden: the actor isn't at a level to play.
        Conflict: taken or closed meanwhile, one's own, or the actor is busy.
    """
    settle(room_id, now)
    end_overdue(actor, now)
    with transaction.atomic(durable=True):
        room = _locked(room_id)
        player = player_of(actor)
        if room.host_id == player.pk:
            raise Conflict("own_room", state=room.state)
        levels.held(player, room.host, now=now)
        check_may_play(player)
        if blocks.between({actor.pk, room.host.user_id}) or not room.host.effects.may_play:
            raise Missing("no_such_room")  # why is the host's affair
        new = free.join(room.value(), now, free_durations())
        _engage(player, room, now)
        room.guest = player
        _write(room, new, guest=player)
        _tell(room, "room_joined", to=HOST, now=now)
        _publish(room, listed=True)
    return room


def make_move(*, room_id: int, actor: User, verb: str, seen: str, now: datetime, value: str = "") -> FreeRoom:
    """Make one move in a free match.

    Args:
        seen: the state that the actor's page showed; a move meant for another state is refused.
        value: the room number, for `set_room_number`.

    Raises:
        Missing: no such room.
        Forbidden: the actor isn't in it.
        Conflict: elsewhere by now, not the actor's to do, or no number yet.
        Invalid: no such move or state, or a number that can't be used.
    """
    if verb not in set(RoomVerb):
        raise Invalid("bad_verb", field="verb")
    if seen not in set(RoomState):
        raise Invalid("bad_state", field="state")
    settle(room_id, now)
    with transaction.atomic(durable=True):
        room = _locked(room_id)
        role = room.role_of(actor.pk)
        if role is None:
            raise Forbidden("not_your_room")
        if seen != room.state:
            raise Conflict("room_moved", state=room.state)
        new = free.play(room.value(), RoomVerb(verb), role, now, free_durations(), value=value)
        if new.state is RoomState.CLOSED:
            _close(room, new, now, by=role)
        else:
            _write(room, new)
            told = {RoomVerb.SET_ROOM: "room_number", RoomVerb.WRONG_NUMBER: "room_wrong_number"}.get(RoomVerb(verb))
            if told and room.guest:
                _tell(room, told, to=GUEST if role == HOST else HOST, now=now)
        _publish(room, listed=seen == RoomState.OPEN)
    return room


def settle(room_id: int, now: datetime) -> bool:
    """Close a room whose time has run out; answers whether it had. Pages and commands call it first.

    As with matches, a clock that ran out during our own outage has not: it is about to be moved.
    """
    if not FreeRoom.objects.filter(pk=room_id, deadline_at__lte=now).exists():
        return False
    now = heartbeat.site_now(now)
    with transaction.atomic(durable=True):
        room = _locked(room_id)
        if room.deadline_at is None or room.deadline_at > now:
            return False
        was_listed = room.state == RoomState.OPEN
        _close(room, free.closed(room.value()), now)
        _publish(room, listed=was_listed)
    return True


def end_overdue(user: User, now: datetime) -> None:
    """Apply the clock of what keeps a user busy, if it has run out: it may hold the user no longer.

    Commands that begin something call it first.
    """
    entry = Engagement.objects.filter(player__user=user).first()
    if entry and entry.match_id:
        deadlines.settle(entry.match_id, now)
    elif entry and entry.room_id:
        settle(entry.room_id, now)


def close_one_due(now: datetime) -> bool:
    """The same for the one longest overdue; answers whether there was one."""
    due = FreeRoom.objects.due(now).only("pk", "deadline_at").first()
    if due is None:
        return False
    try:
        settle(due.pk, now)
    except Exception:  # a broken row must not keep the others waiting
        log.exception("room %s can't be closed; put off by %s", due.pk, PUSH_AHEAD)
        FreeRoom.objects.filter(pk=due.pk, deadline_at=due.deadline_at).update(deadline_at=now + PUSH_AHEAD)
    return True


def close_deserted(now: datetime) -> int:
    """Close the open rooms whose host has left the site, or may no longer play; answers how many."""
    rooms = list(FreeRoom.objects.filter(state=RoomState.OPEN).select_related("host"))
    gone = presence.away({room.host.user_id for room in rooms}, now, after_s=settings.RATEMATCH["FREE_GONE_S"])
    count = 0
    for found in rooms:
        if found.host.user_id in gone or not found.host.effects.may_play:
            with transaction.atomic(durable=True):
                room = _locked(found.pk)
                if room.state == RoomState.OPEN:
                    _close(room, free.closed(room.value()), now)
                    _publish(room, listed=True)
                    count += 1
    return count


def _locked(room_id: int) -> FreeRoom:
    rooms = FreeRoom.objects.select_for_update(of=("self",), no_key=True)
    room = rooms.select_related("host__user", "guest__user").filter(pk=room_id).first()
    if room is None:
        raise Missing("no_such_room")
    return room


def _engage(player: Player, room: FreeRoom, now: datetime) -> None:
    entry, made = Engagement.objects.get_or_create(player=player, defaults={"room": room, "joined_at": now})
    if not made:
        raise busy(entry)


def _close(room: FreeRoom, new: free.Room, now: datetime, *, by: str | None = None) -> None:
    """End it, let both go, and tell whoever didn't do it."""
    closer = {HOST: room.host, GUEST: room.guest, None: None}[by]
    _write(room, new, closed_at=now, closed_by=closer)
    Engagement.objects.filter(room=room).delete()
    for role in (HOST, GUEST):
        if role != by and (role == HOST or room.guest):
            _tell(room, "room_closed", to=role, now=now)


def _write(room: FreeRoom, new: free.Room, **more: object) -> None:
    old = room.value()
    columns = {
        field.name: getattr(new, field.name)
        for field in fields(new)
        if getattr(new, field.name) != getattr(old, field.name)
    } | more
    if columns and not FreeRoom.objects.filter(pk=room.pk, state=old.state).update(**columns):
        raise Conflict("room_moved", state=room.state)
    for name, value in columns.items():
        setattr(room, name, value)


def _tell(room: FreeRoom, kind: str, *, to: str, now: datetime) -> None:
    told, other = (room.host, room.guest) if to == HOST else (room.guest, room.host)
    assert told
    facts = {"title": room.title, "other": str(other) if other else ""}
    notices.notify([told.user_id], f"ratematch.{kind}", facts=facts, url=room.get_absolute_url(), now=now)


def _publish(room: FreeRoom, *, listed: bool = False) -> None:
    """After commit: the pages of those in the room, and with `listed` everybody's list of open rooms."""
    channels = [live.user_channel(player.user_id) for player in room.players]
    transaction.on_commit(partial(live.publish, channels, "room", id=room.pk), robust=True)
    if listed:
        transaction.on_commit(partial(live.publish, [live.SITE], "rooms"), robust=True)


def _clean(text: str) -> str:
    return " ".join(plain(text).split())
