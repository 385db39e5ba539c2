"""What an outcome does to ratings and records (rules §1). A step: called inside a command's transaction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from functools import reduce

from ratematch.models import Match, Player, RatingChange, Ruling, Side
from ratematch.policies import HALF, gain_factor
from ratematch.rules import elo, records
from ratematch.rules.lifecycle import Outcome, result_for

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
    rows = list(RatingChange.objects.filter(match=match))
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


def apply_outcome(match: Match, outcome: Outcome, *, ruling: Ruling | None, now: datetime) -> None:
    """Move both ratings and records to where `outcome` says, with a history row for each side that it touches."""
    players = {
        player.pk: player
        for player in Player.objects.select_for_update(no_key=True).filter(sides__match=match).order_by("pk")
    }
    for side in match.seats:
        players[side.player_id].user = side.player.user  # their names are needed after this, and known
        side.player = players[side.player_id]
    for change in forecast(match, outcome):
        _apply(match, change, ruling, now)


def _apply(match: Match, change: Forecast, ruling: Ruling | None, now: datetime) -> None:
    side, player = change.side, change.side.player
    if change.result is not None or change.corrects:
        RatingChange.objects.create(
            match=match,
            player=player,
            ruling=ruling,
            corrects=change.corrects,
            result=None if change.result is None else Decimal(str(change.result)),
            before=player.rating,
            computed=change.computed,
            factor=change.factor,
            applied=change.applied,
            after=change.after,
            at=now,
        )
    first_result = not side.result
    side.result = RESULT_WORDS[change.result]
    side.save(update_fields=["result"])
    if change.result is None and not change.corrects:
        return  # void, and it moved nothing before
    record = records.after(_record(player), change.result) if first_result else _recounted(player)
    for column, count in asdict(record).items():
        setattr(player, "best_streak" if column == "best" else column, count)
    player.rating = change.after
    if change.result is not None and first_result:
        player.last_rated_at = now
    player.save()


def _record(player: Player) -> records.Record:
    return records.Record(player.wins, player.losses, player.draws, player.streak, player.best_streak, player.recent)


def _recounted(player: Player) -> records.Record:
    """The record from all results, in the order in which the matches ended: a correction may lie far back."""
    words = (
        Side.objects.filter(player=player)
        .exclude(result="")
        .order_by("match__ended_at", "match_id")
        .values_list("result", flat=True)
    )
    return reduce(records.after, (RESULTS[word] for word in words), records.Record())
