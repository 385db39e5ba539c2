"""What players' own programs are told of a match's end. A step: called inside a command's transaction.

Only what anybody may see of a match: no room number, no evidence, no reason, no level.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.services import webhooks
from ratematch.models import Match, RatingChange
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import Outcome

SETTLED, VOID, OVERTURNED = "ratematch.match.settled", "ratematch.match.void", "ratematch.match.overturned"
KINDS = {
    SETTLED: _("A rated match of mine is settled"),
    VOID: _("A rated match of mine is void"),
    OVERTURNED: _("The result of a rated match of mine is overturned"),
}
SEATS = ("player1", "player2")


def ended(match: Match, old: lifecycle.Match, changes: Iterable[RatingChange], *, now: datetime) -> None:
    """Tell both players' webhooks how `match` has ended; `old` is what it was before.

    Args:
        changes: what this end has just done to ratings.
    """
    overturned = old.outcome is not None
    kind = OVERTURNED if overturned else VOID if match.outcome == Outcome.VOID else SETTLED
    users = [side.player.user_id for side in match.seats]
    moved = {row.player_id: row for row in changes}
    players = []
    for side in match.seats:
        row = moved.get(side.player_id)
        players.append(
            {
                "id": side.player_id,
                "seat": SEATS[side.seat],
                "display_name": str(side.player),
                "result": side.result,
                "rating_before": row.before if row else side.player.rating,
                "rating_after": row.after if row else side.player.rating,
            }
        )
    payload: dict[str, Any] = {
        "match": match.pk,
        "state": match.state,
        "outcome": match.outcome,
        "ending": match.ending,
        "ended_at": match.ended_at and match.ended_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "url": match.get_absolute_url(),
        "players": players,
    }
    if old.outcome is not None:
        payload["outcome_before"] = old.outcome.value
    webhooks.emit(kind, payload, users=users, now=now)
