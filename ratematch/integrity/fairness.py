"""Levels and what they are made of, cases, and rooms of free matches (rules §§4, 5, 6)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.db.models import Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from accounts.integrity import Damage
from accounts.services.heartbeat import site_now
from ratematch.integrity.matches import STUCK_AFTER
from ratematch.models import (
    Case,
    Contest,
    Engagement,
    Flag,
    FreeRoom,
    LevelChange,
    Match,
    Penalty,
    Player,
    Report,
)
from ratematch.rules.fairplay import Level
from ratematch.rules.free import RoomState
from ratematch.rules.lifecycle import State
from ratematch.services import levels

PLAYERS, CASES, ROOMS = Player._meta.db_table, Case._meta.db_table, FreeRoom._meta.db_table
ENGAGEMENTS, LEVEL_CHANGES = Engagement._meta.db_table, LevelChange._meta.db_table


def standings(now: datetime) -> Iterator[Damage]:
    """Every level is that of the points that count, unless points have just expired; and its next date is right."""
    policy = levels.policy()
    counting = Q(penalties__withdrawn_at=None, penalties__expires_at__gt=now)
    up_to_date = Player.objects.exclude(level_until__lte=now)
    summed = up_to_date.annotate(points=Coalesce(Sum("penalties__points", filter=counting), 0))
    of_interest = summed.filter(Q(points__gt=0) | ~Q(level=Level.A) | Q(level_until__isnull=False))
    for player in of_interest.order_by("pk").iterator():
        right = policy.level(player.points)
        if player.level != right:
            yield Damage(PLAYERS, player.pk, f"its level is {player.level}, by its penalties {right.value}")
        until = (
            Penalty.objects.filter(player=player, withdrawn_at=None, expires_at__gt=now)
            .order_by("expires_at")
            .values_list("expires_at", flat=True)
            .first()
        )
        if player.level_until != until:
            yield Damage(PLAYERS, player.pk, f"its level is looked at again at {player.level_until}, not at {until}")


def level_changes(now: datetime) -> Iterator[Damage]:
    """Each change of a level goes on from the one before, from A; the last led to where the level is."""
    rows = LevelChange.objects.order_by("player_id", "pk").annotate(stands=F("player__level"))
    for player, changes in groupby(rows.iterator(), attrgetter("player_id")):
        level, stands = Level.A.value, ""
        for change in changes:
            if change.before != level:
                yield Damage(LEVEL_CHANGES, change.pk, f"it goes on from {change.before}, but the level was {level}")
            level, stands = change.after, change.stands
        if level != stands:
            yield Damage(PLAYERS, player, f"its level is {stands}, but its log ends in {level}")
    logged = LevelChange.objects.filter(player=OuterRef("pk"))
    for player in Player.objects.exclude(level=Level.A).filter(~Exists(logged)).iterator():
        yield Damage(PLAYERS, player.pk, f"its level is {player.level}, but no change of it was logged")


def cases(now: datetime) -> Iterator[Damage]:
    """What waits for a moderator has an open case, and an open case is about something that waits."""
    open_review = Case.objects.filter(match=OuterRef("pk"), kind=Case.REVIEW, closed_at=None)
    for match in Match.objects.filter(~Exists(open_review), state=State.REVIEW).iterator():
        yield Damage(Match._meta.db_table, match.pk, "it waits for a ruling without a case")
    waiting = Case.objects.filter(closed_at=None)
    for case in waiting.filter(kind=Case.REVIEW).exclude(match__state=State.REVIEW).iterator():
        yield Damage(CASES, case.pk, f"it is open, but match {case.match_id} doesn't wait for a ruling")
    for case in waiting.filter(kind=Case.CONTEST, contest__ruling__isnull=False).iterator():
        yield Damage(CASES, case.pk, f"it is open, but the contest of match {case.match_id} has its ruling")
    for case in Case.objects.filter(kind=Case.CONTEST, closed_at__isnull=False, contest__ruling=None).iterator():
        yield Damage(CASES, case.pk, f"it is closed, but the contest of match {case.match_id} has no ruling")
    for table in (Report, Flag, Contest):
        for pk in table.objects.filter(case=None).values_list("pk", flat=True).iterator():
            yield Damage(table._meta.db_table, pk, "it has no case")


def rooms(now: datetime) -> Iterator[Damage]:
    """Who is in a room that isn't closed is held by it, nobody else is, and no room is stuck."""
    host = Engagement.objects.filter(room=OuterRef("pk"), player=OuterRef("host"))
    guest = Engagement.objects.filter(room=OuterRef("pk"), player=OuterRef("guest"))
    running = FreeRoom.objects.exclude(state=RoomState.CLOSED)
    for room in running.filter(~Exists(host)).iterator():
        yield Damage(ROOMS, room.pk, f"it is {room.state}, but doesn't hold its host, player {room.host_id}")
    for room in running.filter(~Exists(guest), guest__isnull=False).iterator():
        yield Damage(ROOMS, room.pk, f"it is {room.state}, but doesn't hold its guest, player {room.guest_id}")
    in_it = Q(room__host=F("player")) | Q(room__guest=F("player"))
    for row in Engagement.objects.filter(room__isnull=False).exclude(in_it & ~Q(room__state="closed")).iterator():
        yield Damage(ENGAGEMENTS, row.pk, f"room {row.room_id} holds the player, who isn't in it")
    late = site_now(now) - STUCK_AFTER
    for room in FreeRoom.objects.filter(deadline_at__lte=late).iterator():
        yield Damage(ROOMS, room.pk, f"it is stuck in {room.state}: its clock ran out at {room.deadline_at:%F %T}")
