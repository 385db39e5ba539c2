"""What rated matches say when an account is deleted, and when its owner comes back: accounts/services/leaving.py."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import notices
from ratematch.models import Engagement, FreeRoom, LevelChange, Match, Penalty, Player, Side, Watch
from ratematch.rules.lifecycle import State
from ratematch.services import levels


def holds(user_id: int) -> str:
    """A match that needs the player, a match of theirs that waits for a moderator, or a free match that they are in."""
    if Match.objects.filter(state=State.REVIEW, sides__player__user=user_id).exists():
        return _("A moderator still has to rule on one of your matches.")
    if Engagement.objects.filter(player__user=user_id, match__isnull=False).exists():
        return _("A match still needs you.")
    if Engagement.objects.filter(player__user=user_id, room__isnull=False).exists():
        return _("You are in a free match.")
    return ""


def erase(user_id: int, now: datetime) -> None:
    """Step: leave the queue, and take the name out of what others were told. Screenshots and remarks go when they would
    have gone anyway (§9): until then a ruling can be overturned."""
    player = Player.objects.filter(user=user_id).select_related("user").first()
    if player is None:
        return
    Engagement.objects.waiting().filter(player=player).delete()
    Watch.objects.filter(player=player).delete()
    met = Side.objects.filter(match__sides__player=player).exclude(player=player).values("player__user")
    joined = FreeRoom.objects.filter(host=player, guest__isnull=False).values("guest__user")
    hosts = FreeRoom.objects.filter(guest=player).values("host__user")
    for told in (met, joined, hosts):
        for fact in ("opponent", "other", "author"):
            notices.forget_name(fact, player.user.display_name, told=told)


def keep(user_id: int, now: datetime) -> Any:
    """The penalties that still count, so that leaving sheds none."""
    rows = Penalty.objects.filter(player__user=user_id, withdrawn_at=None, expires_at__gt=now).order_by("pk")
    penalties = [
        {"category": row.category, "points": row.points, "at": row.at.isoformat(), "until": row.expires_at.isoformat()}
        for row in rows
    ]
    return {"penalties": penalties} if penalties else None


def restore(user: User, kept: Any, now: datetime) -> None:
    """Step: give those that still count to the new account."""
    penalties = [row for row in kept["penalties"] if _time(row["until"]) > now]
    if not penalties:
        return
    player, _made = Player.objects.get_or_create(user=user)
    Penalty.objects.bulk_create(
        Penalty(
            player=player,
            category=row["category"],
            points=row["points"],
            at=_time(row["at"]),
            expires_at=_time(row["until"]),
        )
        for row in penalties
    )
    levels.refresh(player, LevelChange.RETURN, now=now)


def _time(text: str) -> datetime:
    moment = parse_datetime(text)
    assert moment is not None
    return moment
