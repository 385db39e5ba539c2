"""Fair-play levels (rules §4): worked out from penalties whenever these change, expire, or the policy does.

`Player.level` is what everything else reads; `Player.level_until` is when points expire next, and the sweep or the
next command that asks works it out again then.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.urls import reverse

from accounts.services import notices
from common import live
from common.errors import Forbidden
from ratematch.models import Engagement, FairPlayPolicy, LevelChange, Penalty, Player
from ratematch.policies import can_change_policy
from ratematch.rules import fairplay
from ratematch.rules.fairplay import Level

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

PUSH_AHEAD = timedelta(minutes=1)
"""How far a level that can't be worked out is put off, so that it doesn't block the others."""


def policy() -> fairplay.Policy:
    """The policy in force."""
    return (FairPlayPolicy.objects.filter(pk=1).first() or FairPlayPolicy()).value()


def lock(*players: Player) -> None:
    """Step: hold the players' rows, by id as everywhere, until the transaction ends."""
    ids = [player.pk for player in players]
    list(Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk"))


def held(*players: Player, now: datetime) -> None:
    """Step: hold players' rows, and bring their levels up to date: for whoever asks before they begin something.

    Without the lock a penalty of the same moment would look for them where they aren't yet.
    """
    lock(*players)
    for player in players:
        player.refresh_from_db(fields=["level", "level_until"])
        current(player, now)


def current(player: Player, now: datetime) -> Player:
    """Step: the player, after points that have expired have been taken off."""
    if player.level_until is None or player.level_until > now:
        return player
    return refresh(player, LevelChange.EXPIRY, now=now)


def refresh(
    player: Player, cause: str, *, now: datetime, penalty: Penalty | None = None, by: User | None = None
) -> Player:
    """Step: work the player's level out again, and let a change of it take effect.

    Answers the player as it then stands; the object that came in is brought up to date, too.
    """
    old = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player.pk).level
    rows = Penalty.objects.filter(player=player, withdrawn_at=None, expires_at__gt=now)
    standing = fairplay.standing(rows.values_list("points", "expires_at"), now, policy())
    Player.objects.filter(pk=player.pk).update(level=standing.level, level_until=standing.until)
    player.level, player.level_until = standing.level.value, standing.until
    if standing.level == old:
        return player
    LevelChange.objects.create(
        player=player, before=old, after=standing.level, cause=cause, penalty=penalty, by=by, at=now
    )
    notices.notify(
        [player.user_id],
        "ratematch.level_changed",
        facts={"before": old, "after": standing.level},
        url=reverse("ratematch:fair_play"),
        now=now,
    )
    if standing.level == Level.D and Engagement.objects.waiting().filter(player=player).delete()[0]:
        channels = [live.SITE, live.user_channel(player.user_id)]
        transaction.on_commit(lambda: live.publish(channels, "queue"), robust=True)
    return player


def expire_one_due(now: datetime) -> bool:
    """Take expired points off one player; answers whether there was one."""
    due = Player.objects.filter(level_until__lte=now).order_by("level_until", "pk").first()
    if due is None:
        return False
    try:
        with transaction.atomic(durable=True):
            current(due, now)
    except Exception:  # a broken row must not keep the others waiting
        log.exception("level of player %s can't be worked out; put off by %s", due.pk, PUSH_AHEAD)
        Player.objects.filter(pk=due.pk, level_until=due.level_until).update(level_until=now + PUSH_AHEAD)
    return True


def settle(user: User, now: datetime) -> None:
    """Take expired points off one user: pages that show what a level does call it first."""
    due = Player.objects.filter(user=user, level_until__lte=now).first()
    if due is not None:
        with transaction.atomic(durable=True):
            current(due, now)


def change_policy(*, actor: User, values: FairPlayPolicy, now: datetime) -> FairPlayPolicy:
    """Put another policy in force, and work all levels out again that it may change.

    Points that have been given stay what they were; thresholds count for everybody from now on.

    Args:
        values: an unsaved row, as a form has checked it.

    Raises:
        Forbidden: not for this user.
    """
    if not can_change_policy(actor):
        raise Forbidden("policy_is_for_chiefs")
    with transaction.atomic(durable=True):
        values.pk, values.changed_at, values.changed_by = 1, now, actor
        values.save()
        penalised = Penalty.objects.filter(withdrawn_at=None, expires_at__gt=now).values("player")
        for player in Player.objects.filter(pk__in=penalised).order_by("pk"):
            refresh(player, LevelChange.POLICY, now=now, by=actor)
    return values
