"""The moderators' word stands, and only one word at a time (rules §§3.7, 5)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.db.models import F

from accounts.integrity import Damage
from ratematch.models import Match, RatingChange, Ruling
from ratematch.rules.lifecycle import Ending

TABLE, MATCHES = Ruling._meta.db_table, Match._meta.db_table


def rulings(now: datetime) -> Iterator[Damage]:
    """Each ruling replaces the one before it, the newest is the match's outcome, and none is on one's own match."""
    rows = Ruling.objects.select_related("match").order_by("match_id", "pk")
    for _match, chain in groupby(rows.iterator(), attrgetter("match_id")):
        before = None
        for ruling in chain:
            if ruling.replaces_id != before:
                yield Damage(TABLE, ruling.pk, f"it replaces {ruling.replaces_id}, the one before it is {before}")
            before = ruling.pk
        match = ruling.match
        if (match.outcome, match.ending) != (ruling.outcome, Ending.RULED):
            yield Damage(
                TABLE, ruling.pk, f"it says {ruling.outcome}, match {match.pk} {match.outcome} ({match.ending})"
            )
    for pk in Match.objects.filter(ending=Ending.RULED, rulings=None).values_list("pk", flat=True).iterator():
        yield Damage(MATCHES, pk, "it was ended by a ruling that isn't there")
    for pk in Ruling.objects.filter(match__sides__player__user=F("moderator")).values_list("pk", flat=True).iterator():
        yield Damage(TABLE, pk, "the moderator is one of the two players")
    elsewhere = RatingChange.objects.filter(ruling__isnull=False).exclude(match=F("ruling__match"))
    for row in elsewhere.iterator():
        yield Damage(RatingChange._meta.db_table, row.pk, f"ruling {row.ruling_id} is on another match")
