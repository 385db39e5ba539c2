"""The queue."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.conf import settings

from accounts.services import blocks, presence
from ratematch.models import Engagement, Player, Side
from ratematch.rules import elo, pairing

LIMITS = {Engagement.NEAR: pairing.NEAR, Engagement.ANY: None}
"""Rating points of each condition."""


def waiting_entries(now: datetime) -> list[pairing.Entry]:
    """Those waiting whose page is open, as pairing sees them."""
    waiting = list(Engagement.objects.waiting().select_related("player"))
    users = {entry.player.user_id for entry in waiting}
    gone = presence.away(users, now, after_s=settings.RATEMATCH["QUEUE_GONE_S"])
    blocked = blocks.between(users)
    by_user = {entry.player.user_id: entry.player_id for entry in waiting}
    return [
        pairing.Entry(
            id=entry.player_id,
            rating=entry.player.rating,
            limit=LIMITS[entry.condition],
            joined_at=entry.joined_at,
            last_opponent=entry.player.last_opponent_id,
            blocked=frozenset(by_user[user] for user in blocked.get(entry.player.user_id, ())),
        )
        for entry in waiting
        if entry.player.user_id not in gone
    ]


@dataclass(frozen=True, slots=True)
class Lobby:
    """What somebody who waits, or thinks of it, wants to know."""

    entry: Engagement | None
    waited_s: int
    expires_s: int
    others: int
    in_range: int
    would_suit_any: int
    estimate_s: int | None
    estimate_from: int


def lobby(player: Player | None, now: datetime) -> Lobby:
    """The queue as seen by one player (None: somebody who has never played)."""
    rating, own = (player.rating, player.pk) if player else (elo.INITIAL, None)
    entry = Engagement.objects.waiting().filter(player=player).first() if player else None
    others = [other for other in waiting_entries(now) if other.id != own]
    last = player.last_opponent_id if player else None
    near, anyone = (pairing.Entry(own or 0, rating, limit, now, last) for limit in (pairing.NEAR, None))
    waits = _recent_waits(now)
    return Lobby(
        entry=entry,
        waited_s=int((now - entry.joined_at).total_seconds()) if entry else 0,
        expires_s=max(0, int((entry.expires_at - now).total_seconds())) if entry and entry.expires_at else 0,
        others=len(others),
        in_range=sum(_found_at_once(near, other) for other in others),
        would_suit_any=sum(_found_at_once(anyone, other) for other in others),
        estimate_s=round(median(waits)) if len(waits) >= ESTIMATE_NEEDS else None,
        estimate_from=len(waits) // 2,
    )


def _found_at_once(mine: pairing.Entry, other: pairing.Entry) -> bool:
    return pairing.suits(mine, other) and not pairing.just_met(mine, other)


ESTIMATE_NEEDS = 6
"""Fewer waits than these say nothing honest about the next one."""

ESTIMATE_LOOKS_AT = 200
"""How many of the newest waits are looked at."""


def _recent_waits(now: datetime) -> list[int]:
    """Seconds waited by everybody who was paired in the last hour."""
    newest = Side.objects.order_by("-match_id").values_list("waited_s", "match__made_at")[:ESTIMATE_LOOKS_AT]
    return [waited for waited, made_at in newest if made_at > now - timedelta(hours=1)]


def waiting_count() -> int:
    """How many are in the queue."""
    return Engagement.objects.waiting().count()


def doing(user_ids: list[int]) -> dict[int, str]:
    """What those of the users who are busy here do: "waiting", "playing" or "free" (in a free match)."""
    rows = Engagement.objects.filter(player__user__in=user_ids).values_list("player__user_id", "match_id", "room_id")
    return {user: "playing" if match else "free" if room else "waiting" for user, match, room in rows}
