"""One player, and one player's home page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings

from ratematch import charts
from ratematch.models import Engagement, Player, Side
from ratematch.selectors.ladder import place_of
from ratematch.selectors.lists import open_matches
from ratematch.selectors.match import MatchView
from ratematch.selectors.queue import waiting_count

if TYPE_CHECKING:
    from accounts.models import User


CHART_MATCHES = 15


def rating_chart(player: Player, count: int = CHART_MATCHES) -> charts.Chart | None:
    """The newest changes of a rating as a chart: where it started, and where each match led."""
    rows = player.rating_changes.order_by("-at", "-pk").values_list("at", "before", "after")[:count]
    course = list(rows)[::-1]
    if not course:
        return None
    start, before, _after = course[0]
    return charts.rating_chart([(start, before), *((at, after) for at, _before, after in course)])


def strength_bars(player: Player, count: int = 500) -> list[charts.Bar]:
    """Results of the newest matches by how strong the opponent was when the match was made."""
    sides = Side.objects.filter(player=player, result__in=["win", "draw", "loss"]).order_by("-match_id")[:count]
    own = {side.match_id: side for side in sides}
    others = Side.objects.filter(match__in=own).exclude(player=player).values_list("match_id", "rating")
    return charts.by_strength([(rating - own[match].rating, own[match].result) for match, rating in others])


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page shows of rated matches."""

    player: Player | None
    place: int | None
    waiting: int
    entry: Engagement | None
    open: list[MatchView]
    chart: charts.Chart | None


def home(user: User, now: datetime) -> Home:
    """For a signed-in user's home page."""
    player = Player.objects.select_related("user").filter(user=user).first()
    return Home(
        player=player,
        place=place_of(player, now, within_days=settings.RATEMATCH["LADDER_DAYS"]) if player else None,
        waiting=waiting_count(),
        entry=Engagement.objects.waiting().filter(player=player).first() if player else None,
        open=open_matches(user, now) if player else [],
        chart=rating_chart(player) if player else None,
    )
