"""What an outcome does to ratings and records (rules §1). A step: called inside a command's transaction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from functools import reduce

from django.db.models import Max

from ratematch.models import Match, Player, RatingChange, Ruling, Side
from ratematch.policies import HALF, gain_factor
from ratematch.rules import elo, records
from ratematch.rules.lifecycle import Outcome, result_for
from ratematch.services import levels

RESULT_WORDS = {1.0: "win", 0.5: "draw", 0.0: "loss", None: "void"}
RESULTS = {word: result for result, word in RESULT_WORDS.items()}


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an outcome would do to one side's rating now: `computed` before the floor, `applied` after it."""

    side: Side
    result: float | None
    factor: Decimal
    computed: int
    applied: int
    corrects: RatingChange | None

    @property
    def after(self) -> int:
        """The rating that it would lead to."""
        return self.side.player.rating + self.applied


def forecast(match: Match, outcome: Outcome) -> list[Forecast]:
    """What `outcome` would do to both sides, Player 1 first, given what the match has already done to them.

    A first outcome gives the change that was at stake when the match was made. A later one corrects: what the right
    outcome would have applied to the original row's `before`, minus what was applied so far (§1).
    """
    one, two = match.seats
    had_an_outcome = any(side.result for side in match.seats)
    rows = list(RatingChange.objects.filter(match=match)) if had_an_outcome else []
    return [_forecast(one, two, outcome, rows), _forecast(two, one, outcome, rows)]


def _forecast(side: Side, other: Side, outcome: Outcome, rows_of_both: list[RatingChange]) -> Forecast:
    result = result_for(outcome, side.seat)
    rows = [row for row in rows_of_both if row.player_id == side.player_id]
    original = rows[0] if rows else None
    factor = original.factor if original else gain_factor(side.player)
    at_stake = 0 if result is None else elo.rating_change(side.rating, other.rating, result, halved=factor == HALF)
    if original is None:
        computed = at_stake
    else:
        right = elo.apply_change(original.before, at_stake) - original.before
        computed = right - sum(row.applied for row in rows)
    applied = elo.apply_change(side.player.rating, computed) - side.player.rating
    return Forecast(side, result, factor, computed, applied, original)


def apply_outcome(match: Match, outcome: Outcome, *, ruling: Ruling | None, now: datetime) -> list[RatingChange]:
    """Move both ratings and records to where `outcome` says; answers the history rows that were written."""
    if outcome is Outcome.VOID and not any(side.result for side in match.seats):
        Side.objects.filter(match=match).update(result=RESULT_WORDS[None])  # nothing to move, nothing to take back
        for side in match.seats:
            side.result = RESULT_WORDS[None]
        return []
    players = {
        player.pk: levels.current(player, now)
        for player in Player.objects.select_for_update(no_key=True).filter(sides__match=match).order_by("pk")
    }
    for side in match.seats:
        players[side.player_id].user = side.player.user  # their names are needed after this, and known
        side.player = players[side.player_id]
    changes = [change for change in forecast(match, outcome) if change.result is not None or change.corrects]
    rows = RatingChange.objects.bulk_create(_row(match, change, ruling, now) for change in changes)
    for side in match.seats:
        _record_result(side, result_for(outcome, side.seat), now)
    for change in changes:
        change.side.player.rating = change.after
    for player in players.values():
        player.save()
    return rows


def _row(match: Match, change: Forecast, ruling: Ruling | None, now: datetime) -> RatingChange:
    return RatingChange(
        match=match,
        player=change.side.player,
        ruling=ruling,
        corrects=change.corrects,
        result=None if change.result is None else Decimal(str(change.result)),
        before=change.side.player.rating,
        computed=change.computed,
        factor=change.factor,
        applied=change.applied,
        after=change.after,
        at=now,
    )


def _record_result(side: Side, result: float | None, now: datetime) -> None:
    """Note a side's result, and bring its player's record up to date; the player's row is saved by the caller."""
    player, first_result = side.player, not side.result
    side.result = RESULT_WORDS[result]
    side.save(update_fields=["result"])
    record = records.after(_record(player), result) if first_result else _recounted(player)
    for column, count in asdict(record).items():
        setattr(player, "best_streak" if column == "best" else column, count)
    player.last_rated_at = now if first_result else _last_rated_at(player)


def _record(player: Player) -> records.Record:
    return records.Record(player.wins, player.losses, player.draws, player.streak, player.best_streak, player.recent)


def _last_rated_at(player: Player) -> datetime | None:
    """When the newest match ended that counts: a correction may have made one count, or the only one void."""
    rated = Side.objects.filter(player=player, result__in=["win", "draw", "loss"])
    return rated.aggregate(last=Max("match__ended_at"))["last"]


def _recounted(player: Player) -> records.Record:
    """The record from all results, in the order in which the matches ended: a correction may lie far back."""
    words = (
        Side.objects.filter(player=player)
        .exclude(result="")
        .order_by("match__ended_at", "match_id")
        .values_list("result", flat=True)
    )
    return reduce(records.after, (RESULTS[word] for word in words), records.Record())
