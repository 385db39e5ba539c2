"""A player's record is what the matches say: results, the run of wins, the newest five (rules §4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import reduce
from itertools import groupby
from operator import attrgetter

from django.db.models import F, OuterRef, Q, Subquery

from accounts.integrity import Damage
from ratematch.models import Player, RatingChange, Side
from ratematch.rules import records as rules
from ratematch.services.ratings import RESULTS

TABLE = Player._meta.db_table
RATED = ["win", "draw", "loss"]


def records(now: datetime) -> Iterator[Damage]:
    """Counts, streaks, the newest results and the day of the last one, recounted from all matches that count."""
    sides = Side.objects.filter(result__in=RATED).select_related("player").annotate(ended_at=F("match__ended_at"))
    sides = sides.order_by("player_id", "match__ended_at", "match_id")
    for _player, matches in groupby(sides.iterator(), attrgetter("player_id")):
        words = []
        for side in matches:
            words.append(side.result)
            player, last = side.player, side.ended_at
        kept, right = _kept(player), _counted(words)
        # Of two matches that ended in the same moment, the one that was written first was counted first.
        if kept != right and kept != _counted(_as_written(player.pk)):
            yield from (
                Damage(TABLE, player.pk, f"{name} is {getattr(kept, name)!r}, by the matches {getattr(right, name)!r}")
                for name in right.__slots__
                if getattr(kept, name) != getattr(right, name)
            )
        if player.last_rated_at is None or player.last_rated_at > last:
            yield Damage(TABLE, player.pk, f"last_rated_at is {player.last_rated_at}, the last match ended at {last}")
    unplayed = Player.objects.exclude(sides__result__in=RATED)
    blank = Q(wins=0, losses=0, draws=0, streak=0, best_streak=0, recent="", last_rated_at=None)
    for pk in unplayed.exclude(blank).values_list("pk", flat=True).iterator():
        yield Damage(TABLE, pk, "it has a record without any match that counts")


def _kept(player: Player) -> rules.Record:
    return rules.Record(player.wins, player.losses, player.draws, player.streak, player.best_streak, player.recent)


def _counted(words: Iterable[str]) -> rules.Record:
    return reduce(rules.after, (RESULTS[word] for word in words), rules.Record())


def _as_written(player: int) -> Iterable[str]:
    """The results in the order in which they were written."""
    first = RatingChange.objects.filter(match=OuterRef("match"), player=player, corrects=None).values("pk")[:1]
    sides = Side.objects.filter(player=player, result__in=RATED).annotate(written=Subquery(first))
    return sides.order_by("written").values_list("result", flat=True)
