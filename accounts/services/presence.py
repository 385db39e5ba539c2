"""Who is here: pages and programs say so again and again, and whoever stops is away."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Presence


def touch(user_id: int, *, active: bool, now: datetime) -> None:
    """Note that a user's page is open and, if `active`, that the user just did something. One statement."""
    Presence.objects.bulk_create(
        [Presence(user_id=user_id, seen_at=now, active_at=now)],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["seen_at", "active_at"] if active else ["seen_at"],
    )


def online_ids(now: datetime) -> set[int]:
    """Everybody who is here, idle or not."""
    return set(_here(now, settings.PRESENCE_ONLINE_S).values_list("user_id", flat=True))


def away(user_ids: Collection[int], now: datetime, *, after_s: float | None = None) -> set[int]:
    """Those of `user_ids` who haven't been seen for `after_s` seconds, by default as long as "online" lasts."""
    here = _here(now, settings.PRESENCE_ONLINE_S if after_s is None else after_s).filter(user_id__in=user_ids)
    return set(user_ids) - set(here.values_list("user_id", flat=True))


def _here(now: datetime, within_s: float) -> QuerySet[Presence]:
    return Presence.objects.filter(seen_at__gt=now - timedelta(seconds=within_s))
