"""What the two of a match say to each other (rules §6): said, hidden, and who may not speak."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from accounts.services import blocks, notices, presence
from common import live, ratelimit
from common.errors import Conflict, Forbidden, Invalid, Missing, TooMany
from ratematch.models import ChatLine, FreeRoom, Match, Mute, Player
from ratematch.policies import check_moderate, check_moderate_players
from ratematch.rules.free import RoomState
from ratematch.rules.texts import plain
from ratematch.services.penalties import checked_reason

if TYPE_CHECKING:
    from accounts.models import User

LINE_MAX = 300
MUTE_HOURS = (1, 24, 7 * 24, 30 * 24)
"""For how long moderators can mute."""
MUTE_REASON_MAX = 500


def say_in_match(*, match_id: int, actor: User, text: str, now: datetime) -> ChatLine:
    """Say a line to the other player of a match.

    Raises:
        Missing: no such match.
        Forbidden: not the actor's match, muted, or one of the two has blocked the other.
        Conflict: the match has been over for too long.
        Invalid: no text, or too much.
        TooMany: too many lines in a short time.
    """
    text = _checked(text)
    match = Match.objects.with_sides().filter(pk=match_id).first()
    if match is None:
        raise Missing("no_such_match")
    seat = match.seat_of(actor.pk)
    if seat is None:
        raise Forbidden("not_your_match")
    if match.ended_at and now - match.ended_at >= timedelta(hours=settings.RATEMATCH["CHAT_HOURS"]):
        raise Conflict("chat_is_over", state=match.state)
    return _say(match.seats[seat].player, match.seats[1 - seat].player, match, text, now)


def say_in_room(*, room_id: int, actor: User, text: str, now: datetime) -> ChatLine:
    """Say a line in the room of a free match; the other reads it, or whoever joins.

    Raises:
        Missing, Forbidden, Conflict, Invalid, TooMany: as in a match.
    """
    text = _checked(text)
    room = FreeRoom.objects.select_related("host__user", "guest__user").filter(pk=room_id).first()
    if room is None:
        raise Missing("no_such_room")
    role = room.role_of(actor.pk)
    if role is None:
        raise Forbidden("not_your_room")
    if room.state == RoomState.CLOSED:
        raise Conflict("chat_is_over", state=room.state)
    me, other = (room.host, room.guest) if room.host.user_id == actor.pk else (room.guest, room.host)
    assert me
    return _say(me, other, room, text, now)


def _say(me: Player, other: Player | None, place: Match | FreeRoom, text: str, now: datetime) -> ChatLine:
    limit, window_s = settings.RATEMATCH["CHAT_RATE"]
    verdict = ratelimit.hit(f"chat:{me.user_id}", limit=limit, window_s=window_s)
    if not verdict.allowed:
        raise TooMany("too_fast", retry_after=verdict.reset_s)
    with transaction.atomic(durable=True):
        mute = muted(me, now)
        if mute:
            raise Forbidden("muted", until=mute.until)
        if other and blocks.between({me.user_id, other.user_id}):
            raise Forbidden("chat_blocked")
        where = {"match": place} if isinstance(place, Match) else {"room": place}
        line = ChatLine.objects.create(author=me, text=text, at=now, **where)
        if other and other.user_id in presence.away({other.user_id}, now):
            _tell_once(other, me, place, now)
        _publish(line)
    return line


def _tell_once(other: Player, me: Player, place: Match | FreeRoom, now: datetime) -> None:
    """One notice, however many lines are said before it is read."""
    url = place.get_absolute_url()
    if not notices.is_unread(other.user_id, "ratematch.chat", url=url):
        notices.notify([other.user_id], "ratematch.chat", facts={"author": str(me)}, url=url, now=now)


def muted(player: Player, now: datetime) -> Mute | None:
    """The mute that keeps the player from speaking now, if there is one."""
    return Mute.objects.filter(player=player, until__gt=now, lifted_at=None).order_by("-until").first()


def hide(*, line_id: int, actor: User, now: datetime) -> ChatLine:
    """Take a line out of sight, for all but moderators. Twice does no harm.

    Raises:
        Missing: no such line.
        Forbidden: not a moderator, or one of the two.
    """
    with transaction.atomic(durable=True):
        line = _line(line_id)
        check_moderate_players(actor, _listeners(line))
        ChatLine.objects.filter(pk=line.pk, hidden_at=None).update(hidden_at=now, hidden_by=actor)
        _publish(line)
    return line


def mute(*, player_id: int, actor: User, hours: int, reason: str, now: datetime) -> Mute:
    """Keep a player from speaking in any chat for a time; the player is told why.

    Raises:
        Missing: no such player.
        Forbidden: not a moderator, or oneself.
        Invalid: no such length of time, or no reason.
    """
    reason = checked_reason(reason, limit=MUTE_REASON_MAX)
    if hours not in MUTE_HOURS:
        raise Invalid("bad_mute", field="hours")
    with transaction.atomic(durable=True):
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            raise Missing("no_such_player")
        check_moderate_players(actor, {player.user_id})
        row = Mute.objects.create(player=player, by=actor, reason=reason, at=now, until=now + timedelta(hours=hours))
        facts = {"reason": reason, "until": row.until.isoformat()}
        notices.notify([player.user_id], "ratematch.muted", facts=facts, url="", now=now)
    return row


def lift(*, mute_id: int, actor: User, now: datetime) -> None:
    """Let a muted player speak again. Twice does no harm.

    Raises:
        Missing: no such mute.
        Forbidden: not a moderator, or one's own mute.
    """
    check_moderate(actor)
    with transaction.atomic(durable=True):
        found = Mute.objects.select_related("player").filter(pk=mute_id).first()
        if found is None:
            raise Missing("no_such_mute")
        check_moderate_players(actor, {found.player.user_id})
        Mute.objects.filter(pk=mute_id, lifted_at=None).update(lifted_at=now, lifted_by=actor)


def _line(line_id: int) -> ChatLine:
    line = ChatLine.objects.select_related("match", "room__host", "room__guest").filter(pk=line_id).first()
    if line is None:
        raise Missing("no_such_line")
    return line


def _listeners(line: ChatLine) -> set[int]:
    """Ids of the users who read the chat that the line is in."""
    if line.room:
        return {player.user_id for player in line.room.players}
    assert line.match
    return {side.player.user_id for side in line.match.sides.select_related("player")}


def _publish(line: ChatLine) -> None:
    channels = [live.user_channel(user_id) for user_id in sorted(_listeners(line))]
    where = {"match": line.match_id} if line.match_id else {"room": line.room_id or 0}
    transaction.on_commit(partial(live.publish, channels, "chat", **where), robust=True)


def _checked(text: str) -> str:
    text = plain(text)
    if not text:
        raise Invalid("line_needs_text", field="text")
    if len(text) > LINE_MAX:
        raise Invalid("line_too_long", field="text", limit=LINE_MAX)
    return text
