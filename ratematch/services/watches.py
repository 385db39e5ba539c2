""" "Notify me" (rules §9): told once when somebody of about the same rating starts to wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts.services import blocks, notices
from ratematch.models import Engagement, Player, Watch
from ratematch.policies import check_may_play
from ratematch.rules import pairing
from ratematch.services import levels
from ratematch.services.transition import player_of

if TYPE_CHECKING:
    from accounts.models import User


def watch(*, actor: User, now: datetime) -> Watch:
    """Tell the actor when somebody suitable starts to wait; asking again makes it last longer.

    Raises:
        Forbidden: not at this fair-play level.
    """
    until = now + timedelta(hours=settings.RATEMATCH["WATCH_HOURS"])
    with transaction.atomic(durable=True):
        player = levels.current(player_of(actor), now)
        check_may_play(player)
        row, _made = Watch.objects.update_or_create(player=player, defaults={"since": now, "until": until})
    return row


def unwatch(*, actor: User) -> None:
    """Stop that; that there was none is no error."""
    with transaction.atomic(durable=True):
        Watch.objects.filter(player__user=actor).delete()


def tell_watchers(player: Player, now: datetime) -> None:
    """Tell those who wait for somebody like `player`, who has just started to wait; each watch ends with that."""
    with transaction.atomic(durable=True):
        near = Watch.objects.filter(
            until__gt=now,
            player__rating__range=(player.rating - pairing.NEAR, player.rating + pairing.NEAR),
            player__user__is_active=True,
        ).exclude(player=player)
        free = near.exclude(player__in=Engagement.objects.values("player")).select_related("player")
        watches = [row for row in free.order_by("pk") if row.player.effects.may_play]
        apart = blocks.between({player.user_id, *(row.player.user_id for row in watches)})[player.user_id]
        told = [row for row in watches if row.player.user_id not in apart]
        gone = [row for row in told if Watch.objects.filter(pk=row.pk, since=row.since).delete()[0]]
        notices.notify(
            [row.player.user_id for row in gone],
            "ratematch.somebody_waits",
            facts={"rating": player.rating},
            url=reverse("ratematch:lobby"),
            now=now,
        )
