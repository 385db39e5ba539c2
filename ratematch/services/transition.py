"""The step behind every change of a match: write the new state, and do what follows from it.

House rules in one place: the row is locked by `locked`, the write is a compare-and-set on the state (SQLite has no
row locks), an event row is written, and pages are told after commit.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

from common import live
from common.errors import Conflict, Forbidden, Missing
from ratematch.models import Case, Engagement, Match, MatchEvent, Player, RatingChange, Ruling, Side
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import Outcome, State
from ratematch.services import hooks, ratings, tell

if TYPE_CHECKING:
    from accounts.models import User


def locked(match_id: int) -> Match:
    """The match with both sides, locked until the transaction ends.

    Raises:
        Missing: there is no such match.
    """
    try:
        match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=match_id)
    except Match.DoesNotExist:
        raise Missing("no_such_match") from None
    match.seats = list(Side.objects.filter(match=match).select_related("player__user").order_by("seat"))
    return match


def advance(
    match: Match,
    new: lifecycle.Match,
    verb: str,
    *,
    now: datetime,
    seat: int | None = None,
    actor: User | None = None,
    facts: dict[str, Any] | None = None,
    ruling: Ruling | None = None,
) -> None:
    """Make `new` the match's state, with its event row and everything that follows.

    Raises:
        Conflict: somebody else has changed the match meanwhile.
    """
    old = match.value()
    _write_match(match, old, new, now)
    _write_sides(match, old, new)
    MatchEvent.objects.create(
        match=match,
        at=now,
        seat=seat,
        actor=actor,
        verb=verb,
        state_from=old.state,
        state_to=new.state,
        facts=facts or {},
    )
    if new.state is State.REVIEW and old.state is not State.REVIEW:
        Case.objects.create(kind=Case.REVIEW, match=match, opened_at=now)
    changes: list[RatingChange] = []
    if new.outcome and (ruling or new.outcome is not old.outcome):
        changes = ratings.apply_outcome(match, new.outcome, ruling=ruling, now=now)
        hooks.ended(match, old, changes, now=now)
    tell.players(match, old, new, verb, changes, seat=seat, now=now)
    publish(match, ladder=new.outcome is not None and new.outcome is not Outcome.VOID)


def publish(match: Match, *, ladder: bool = False) -> None:
    """Tell both players' pages after commit, and with `ladder` everybody's lists.

    `robust`, as everywhere after commit: what is done is done, so that telling fails is logged and no more.
    """
    channels = [live.user_channel(side.player.user_id) for side in match.seats]
    transaction.on_commit(lambda: live.publish(channels, "match", id=match.pk), robust=True)
    if ladder:
        transaction.on_commit(lambda: live.publish([live.SITE], "ladder"), robust=True)


def changed_columns(before: Any, after: Any) -> dict[str, Any]:
    """Column values of what differs between two values of the rules; an empty word is ''."""
    words = {"cause", "outcome", "ending", "claim", "reclaim", "answer"}
    columns = {}
    for field in fields(after):
        value = getattr(after, field.name)
        if field.name != "sides" and value != getattr(before, field.name):
            columns[field.name] = "" if value is None and field.name in words else value
    return columns


def _write_match(match: Match, old: lifecycle.Match, new: lifecycle.Match, now: datetime) -> None:
    columns = changed_columns(old, new)
    if "deadline_at" in columns:
        columns["warn_at"] = warn_at(new, now)
    if new.outcome and match.ended_at is None:
        columns["ended_at"] = now
    if columns and not Match.objects.filter(pk=match.pk, state=old.state).update(**columns):
        raise Conflict("match_moved")
    for name, value in columns.items():
        setattr(match, name, value)


def warn_at(new: lifecycle.Match, now: datetime) -> datetime | None:
    """When to warn whoever is awaited and has closed the page: some time before the end, or at once if it is near."""
    if new.deadline_at is None:
        return None
    return max(now, new.deadline_at - timedelta(seconds=settings.RATEMATCH["WARN_BEFORE_S"]))


def _write_sides(match: Match, old: lifecycle.Match, new: lifecycle.Match) -> None:
    """Write what has changed on both sides, and let go whoever isn't needed any more."""
    changes = [changed_columns(before, after) for before, after in zip(old.sides, new.sides, strict=True)]
    if changes[0] == changes[1] and changes[0]:
        Side.objects.filter(match=match).update(**changes[0])
    else:
        for row, columns in zip(match.seats, changes, strict=True):
            if columns:
                Side.objects.filter(pk=row.pk).update(**columns)
    for row, columns in zip(match.seats, changes, strict=True):
        for name, value in columns.items():
            setattr(row, name, value)
    freed = [row.player_id for row, columns in zip(match.seats, changes, strict=True) if columns.get("needed") is False]
    if freed:
        Engagement.objects.filter(player__in=freed, match=match).delete()


def seat_of(match: Match, actor: User) -> int:
    """The actor's seat.

    Raises:
        Forbidden: it isn't the actor's match.
    """
    seat = match.seat_of(actor.pk)
    if seat is None:
        raise Forbidden("not_your_match")
    return seat


def player_of(user: User) -> Player:
    """The user's row as a player, made at first need."""
    player, _made = Player.objects.get_or_create(user=user)
    return player


def busy(entry: Engagement) -> Conflict:
    """What keeps a player from something new."""
    if entry.room_id is not None:
        return Conflict("in_a_room", room=entry.room_id)
    if entry.match_id is not None:
        return Conflict("needed_by_match", match=entry.match_id)
    return Conflict("already_waiting")
