"""Lists of matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from ratematch.models import Match, Player, Side
from ratematch.rules.lifecycle import RUNNING, State
from ratematch.selectors.match import MatchView

if TYPE_CHECKING:
    from accounts.models import User


def matches_of(player: Player) -> QuerySet[Side]:
    """A player's sides, the newest match first, with what a row shows."""
    return (
        Side.objects.filter(player=player)
        .select_related("match")
        .prefetch_related("match__sides__player__user", "match__rating_changes")
        .order_by("-match_id")
    )


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One row of a player's list of matches."""

    side: Side
    opponent: Side
    applied: int | None

    @property
    def match(self) -> Match:
        """The match."""
        return self.side.match


def listed(sides: Iterable[Side]) -> list[ListedMatch]:
    """Rows of `matches_of`, with the opponent and what the match did to the rating."""
    rows = []
    for side in sides:
        opponent = next(other for other in side.match.sides.all() if other.pk != side.pk)
        changes = [row.applied for row in side.match.rating_changes.all() if row.player_id == side.player_id]
        rows.append(ListedMatch(side, opponent, sum(changes) if changes else None))
    return rows


def open_matches(user: User, now: datetime) -> list[MatchView]:
    """The user's matches that aren't over, those whose clock waits for the user first, the most urgent first."""
    matches = Match.objects.with_sides().filter(
        Q(state__in=[state.value for state in RUNNING]) | Q(state=State.REVIEW), sides__player__user=user
    )
    views = [MatchView(match, user, now) for match in matches]
    far = now + timedelta(days=9999)
    return sorted(views, key=lambda view: (not view.awaited, view.match.deadline_at or far, view.match.pk))
