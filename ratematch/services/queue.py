"""The queue (rules §2): join, leave, and pair those who suit each other."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse

from accounts.services import blocks, notices, presence
from common import live
from common.errors import Conflict, Invalid
from ratematch.conf import durations
from ratematch.models import Engagement, Match, MatchEvent, Player, Side
from ratematch.policies import check_may_play
from ratematch.rules import lifecycle, pairing
from ratematch.rules.lifecycle import State
from ratematch.selectors import LIMITS, waiting_entries
from ratematch.services import free, levels, tell, watches
from ratematch.services.transition import busy, player_of, publish, warn_at

if TYPE_CHECKING:
    from accounts.models import User

PASSES = 5
"""How often pairing looks again when somebody else was faster; the sweep does the rest a second later."""


def join_queue(*, actor: User, condition: str, now: datetime) -> Player:
    """Put the actor into the queue, and pair at once whoever suits.

    Raises:
        Invalid: no such condition.
        Forbidden: not at this fair-play level.
        Conflict: waiting already, in the room of a free match, or needed by a match (`match` is among the facts).
    """
    _check_condition(condition)
    free.end_overdue(actor, now)
    try:
        player = _enter(actor, condition, now)
    except IntegrityError:  # the place that was in the way has just been left
        player = _enter(actor, condition, now)
    pair_waiting(now)
    if Engagement.objects.waiting().filter(player=player).exists():
        watches.tell_watchers(player, now)
    return player


def _enter(actor: User, condition: str, now: datetime) -> Player:
    with transaction.atomic(durable=True):
        player = player_of(actor)
        levels.held(player, now=now)
        check_may_play(player)
        expires = now + timedelta(seconds=settings.RATEMATCH["QUEUE_MAX_S"])
        entry, joined = Engagement.objects.get_or_create(
            player=player, defaults={"condition": condition, "joined_at": now, "expires_at": expires}
        )
        if not joined:
            raise busy(entry)
        presence.touch(actor.pk, active=True, now=now)
        _announce(actor.pk)
    return player


def leave_queue(*, actor: User, now: datetime) -> None:
    """Take the actor out of the queue.

    Raises:
        Conflict: not waiting; `match` is among the facts if one has just been made.
    """
    with transaction.atomic(durable=True):
        gone, _rows = _waiting_entry(actor).delete()
        if not gone:
            raise _not_waiting(actor)
        _announce(actor.pk)


def change_condition(*, actor: User, condition: str, now: datetime) -> None:
    """Wait under another condition; the time waited so far counts on.

    Raises:
        Invalid: no such condition.
        Conflict: not waiting.
    """
    _check_condition(condition)
    with transaction.atomic(durable=True):
        if not _waiting_entry(actor).update(condition=condition):
            raise _not_waiting(actor)
        _announce(actor.pk)
    pair_waiting(now)


def pair_waiting(now: datetime) -> int:
    """Make a match for every pair that the rules find among those waiting; answers how many were made."""
    made = 0
    for _pass in range(PASSES):
        pairs = pairing.pair(waiting_entries(now), now, rematch_wait_s=settings.RATEMATCH["REMATCH_WAIT_S"])
        successes = sum(_make_match(one, two, now) for one, two in pairs)
        made += successes
        if successes == len(pairs):
            break
    return made


def _make_match(one: int, two: int, now: datetime) -> bool:
    """One match from two entries, if both still wait and still suit; False if somebody else was faster."""
    with transaction.atomic(durable=True):
        # Players before their places in the queue: a penalty that ends in level D takes them in that order, too.
        players = Player.objects.select_for_update(of=("self",), no_key=True).select_related("user")
        pair = list(players.filter(pk__in=(one, two)).order_by("pk"))
        rows = {
            row.player_id: row
            for row in Engagement.objects.waiting()
            .select_for_update(of=("self",), no_key=True)
            .filter(player_id__in=(one, two))
            .order_by("player_id")
        }
        if len(rows) < 2:
            return False
        blocked = blocks.between({player.user_id for player in pair})
        a, b = (
            pairing.Entry(player.pk, player.rating, LIMITS[rows[player.pk].condition], rows[player.pk].joined_at)
            for player in pair
        )
        if not pairing.suits(a, b) or any(blocked.values()):
            return False
        if not all(levels.current(player, now).effects.may_play for player in pair):
            return False
        random.shuffle(pair)  # who is Player 1 means nothing but who opens the room (§2)
        value = lifecycle.new_match(now, durations())
        match = Match.objects.create(
            made_at=now, state=value.state, deadline_at=value.deadline_at, warn_at=warn_at(value, now)
        )
        match.seats = [_side(match, seat, player, rows[player.pk], now) for seat, player in enumerate(pair)]
        Side.objects.bulk_create(match.seats)
        for seat, player in enumerate(pair):
            Player.objects.filter(pk=player.pk).update(last_opponent=pair[1 - seat])
        taken = Engagement.objects.filter(player_id__in=rows, match=None, room=None).update(
            match=match, expires_at=None
        )
        if taken != 2:
            raise RuntimeError("an entry left the queue while it was locked")
        MatchEvent.objects.create(match=match, at=now, verb="matched", state_to=State.ROOM)
        tell.both(match, "match_made", now=now)
        publish(match)
        _announce(*(player.user_id for player in pair))
    return True


def _side(match: Match, seat: int, player: Player, entry: Engagement, now: datetime) -> Side:
    waited = max(0, int((now - entry.joined_at).total_seconds()))
    return Side(match=match, seat=seat, player=player, rating=player.rating, waited_s=waited)


def drop_stale(now: datetime) -> int:
    """Take out of the queue, with a notice, who has waited too long or closed the page; answers how many."""
    waiting = list(Engagement.objects.waiting().select_related("player"))
    users = {entry.player.user_id for entry in waiting}
    gone = presence.away(users, now, after_s=settings.RATEMATCH["QUEUE_GONE_S"])
    dropped = 0
    for entry in waiting:
        if entry.expires_at and entry.expires_at <= now:
            dropped += _drop(entry, "too_long", now)
        elif entry.player.user_id in gone:
            dropped += _drop(entry, "page_gone", now)
    return dropped


def _drop(entry: Engagement, reason: str, now: datetime) -> int:
    with transaction.atomic(durable=True):
        dropped, _rows = Engagement.objects.filter(
            pk=entry.pk, match=None, room=None, joined_at=entry.joined_at
        ).delete()
        if dropped:
            lobby = reverse("ratematch:lobby")
            notices.notify(
                [entry.player.user_id], "ratematch.queue_dropped", facts={"reason": reason}, url=lobby, now=now
            )
            _announce(entry.player.user_id)
    return dropped


def _waiting_entry(actor: User) -> QuerySet[Engagement]:
    """The actor's place in the queue, by columns of its own row.

    A condition on a joined table would become a subquery, which PostgreSQL doesn't look at again after waiting for a
    lock: a place that has just become a match would be taken for one still waiting.
    """
    player = Player.objects.filter(user=actor).values_list("pk", flat=True).first()
    return Engagement.objects.filter(player=player, match=None, room=None)


def _check_condition(condition: str) -> None:
    if condition not in LIMITS:
        raise Invalid("bad_condition", field="condition")


def _not_waiting(actor: User) -> Conflict:
    engagement = Engagement.objects.filter(player__user=actor, match__isnull=False).first()
    return Conflict("not_waiting", match=engagement.match_id) if engagement else Conflict("not_waiting")


def _announce(*user_ids: int) -> None:
    """After commit: their own pages, and every lobby's count of those waiting."""
    channels = [live.SITE, *(live.user_channel(user_id) for user_id in user_ids)]
    transaction.on_commit(lambda: live.publish(channels, "queue"), robust=True)
