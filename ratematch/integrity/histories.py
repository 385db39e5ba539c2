"""A rating is what its history says, and the history is what the rules say (rules §1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.integrity import Damage
from ratematch.models import Player, RatingChange, Side
from ratematch.policies import FULL, HALF
from ratematch.rules import elo

PLAYERS, CHANGES = Player._meta.db_table, RatingChange._meta.db_table


def ratings(now: datetime) -> Iterator[Damage]:
    """Each row begins where the one before it ended, the first at the initial rating; the last is today's rating."""
    rows = RatingChange.objects.order_by("player_id", "pk").annotate(today=F("player__rating"))
    for player, history in groupby(rows.iterator(), attrgetter("player_id")):
        rating = elo.INITIAL
        for row in history:
            if row.before != rating:
                yield Damage(CHANGES, row.pk, f"it begins at {row.before}, but the rating stood at {rating}")
            rating, today = row.after, row.today
        if today != rating:
            yield Damage(PLAYERS, player, f"the rating is {today}, but its history ends at {rating}")
    unmoved = Player.objects.filter(rating_changes=None).exclude(rating=elo.INITIAL)
    for pk, rating in unmoved.values_list("pk", "rating").iterator():
        yield Damage(PLAYERS, pk, f"the rating is {rating} without any history")


def changes(now: datetime) -> Iterator[Damage]:
    """Each row adds up and is floored; a first row of a match is what was at stake, by the rules."""
    for row in _with_both_ratings().order_by("pk").iterator():
        if row.own is None or row.opponents is None:
            yield Damage(CHANGES, row.pk, f"match {row.match_id} isn't one of player {row.player_id}")
            continue
        if row.after != elo.apply_change(row.before, row.computed):
            yield Damage(CHANGES, row.pk, f"{row.before} and {row.computed} don't come to {row.after}")
        if row.applied != row.after - row.before:
            yield Damage(CHANGES, row.pk, f"{row.applied} was applied, from {row.before} to {row.after}")
        if row.factor not in (FULL, HALF):
            yield Damage(CHANGES, row.pk, f"its factor is {row.factor}")
        elif row.corrects_id is None:
            right = _at_stake(row, row)
            if row.result is None or row.computed != right:
                yield Damage(CHANGES, row.pk, f"the change is {row.computed}, by the rules it is {right}")


def corrections(now: datetime) -> Iterator[Damage]:
    """A correction takes the match's rows for its player to what the right outcome would have applied (§1)."""
    corrected = RatingChange.objects.filter(corrects=OuterRef("pk"))
    rows = _with_both_ratings().filter(Q(corrects__isnull=False) | Exists(corrected))
    rows = rows.order_by("match_id", "player_id", "pk")
    for _of, history in groupby(rows.iterator(), attrgetter("match_id", "player_id")):
        original, *later = history
        so_far = original.applied
        if original.corrects_id is not None:
            yield Damage(CHANGES, original.pk, "it corrects, but is its match's first row for the player")
            continue
        for row in later:
            if row.corrects_id != original.pk:
                yield Damage(CHANGES, row.pk, f"it corrects row {row.corrects_id} and not the first, {original.pk}")
            if row.factor != original.factor:
                yield Damage(CHANGES, row.pk, f"its factor is {row.factor}, that of the first row {original.factor}")
            if row.ruling_id is None:
                yield Damage(CHANGES, row.pk, "it corrects without a ruling")
            due = elo.apply_change(original.before, _at_stake(row, original)) - original.before - so_far
            if row.computed != due:
                yield Damage(CHANGES, row.pk, f"the correction is {row.computed}, by the rules it is {due}")
            so_far += row.applied


def _with_both_ratings() -> QuerySet[Any]:
    """All rows, with both players' ratings as they stood when the match was made; None for who wasn't in it."""
    sides = Side.objects.filter(match=OuterRef("match"))
    return RatingChange.objects.annotate(
        own=Subquery(sides.filter(player=OuterRef("player")).values("rating")[:1]),
        opponents=Subquery(sides.exclude(player=OuterRef("player")).values("rating")[:1]),
    )


def _at_stake(row: Any, original: Any) -> int:
    """What `row`'s result was worth before the floor; the factor is that of the match's first row (§1)."""
    if row.result is None:
        return 0
    return elo.rating_change(row.own, row.opponents, float(row.result), halved=original.factor == HALF)
