"""The ladder: everybody by rating."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet, Sum

from ratematch import standings
from ratematch.models import Player, RatingChange
from ratematch.standings import Standings

if TYPE_CHECKING:
    from ratematch.policies import Viewer


def ladder(now: datetime, *, name: str = "", within_days: int | None = None) -> QuerySet[Player]:
    """Players by rating. `within_days`: only who had a rated match in that time; None: anybody who ever had one."""
    players = _rated(now, within_days).filter(user__is_active=True)
    if name:
        players = players.filter(user__display_name__icontains=name)
    return players.order_by("-rating", "pk")


def _rated(now: datetime, within_days: int | None) -> QuerySet[Player]:
    """Those on a ladder, and whose account was closed: the index `player_ladder` alone answers how many they are."""
    if within_days is None:
        return Player.objects.filter(last_rated_at__isnull=False)
    return Player.objects.filter(last_rated_at__gte=now - timedelta(days=within_days))


def _is_listed(player: Player, now: datetime, within_days: int | None) -> bool:
    """Whether `ladder` has the player, without asking the database again."""
    if player.last_rated_at is None or not player.user.is_active:
        return False
    return within_days is None or player.last_rated_at >= now - timedelta(days=within_days)


@dataclass(frozen=True, slots=True)
class LongLadder:
    """A ladder to be shown page by page, of which nobody counts how many come before a page."""

    players: QuerySet[Player]
    counted: Standings

    def count(self) -> int:
        """All players of the ladder."""
        return self.counted.total

    def __getitem__(self, part: slice) -> QuerySet[Player]:
        rating, skipped = self.counted.seek(part.start)
        return self.players.filter(rating__lte=rating)[skipped : skipped + part.stop - part.start]


def ladder_pages(now: datetime, *, name: str, within_days: int | None) -> QuerySet[Player] | LongLadder:
    """The ladder with its users, for a Paginator."""
    players = ladder(now, name=name, within_days=within_days).select_related("user")
    counted = None if name else standings.kept(within_days)
    return LongLadder(players, counted) if counted else players


def place_of(player: Player, now: datetime, *, within_days: int | None = None) -> int | None:
    """The player's place on the ladder, None if not on it. On a very long one it is as old as the last count."""
    listed_now = ladder(now, within_days=within_days)
    if not _is_listed(player, now, within_days):
        return None
    equals = Q(rating=player.rating, pk__lt=player.pk)
    if counted := standings.kept(within_days):
        return counted.ahead_of(player.rating) + _rated(now, within_days).filter(equals).count() + 1
    return listed_now.filter(Q(rating__gt=player.rating) | equals).count() + 1


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of the ladder. `weight` is 1 to 5, the higher the place the heavier the hand."""

    place: int
    player: Player
    since_yesterday: int
    weight: int
    ends_tier: bool
    me: bool


def ladder_rows(players: Iterable[Player], first_place: int, viewer: Viewer, now: datetime) -> list[LadderRow]:
    """Lines for consecutive players of the ladder, with one more query for all of them."""
    page = list(players)
    ids = [player.pk for player in page]
    moved = dict(
        RatingChange.objects.filter(player__in=ids, at__gt=now - timedelta(days=1))
        .values_list("player")
        .annotate(sum=Sum("applied"))
    )
    return [
        LadderRow(
            place=place,
            player=player,
            since_yesterday=moved.get(player.pk, 0),
            weight=1 if place == 1 else 2 if place <= 3 else 3 if place <= 10 else 4,
            ends_tier=place in (1, 3, 10),
            me=player.user_id == viewer.pk,
        )
        for place, player in enumerate(page, first_place)
    ]
