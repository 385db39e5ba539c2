"""A match, its sides, its log, its clock, and who is needed by it (rules §§2, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from accounts.integrity import Damage
from accounts.services.heartbeat import site_now
from ratematch.models import Engagement, Match, MatchEvent, RatingChange, Side
from ratematch.models.matches import ENDED_STATES, RUNNING_STATES
from ratematch.rules.lifecycle import Outcome, State, result_for
from ratematch.services.ratings import RESULT_WORDS, RESULTS

MATCHES, SIDES = Match._meta.db_table, Side._meta.db_table
ENGAGEMENTS, EVENTS, CHANGES = Engagement._meta.db_table, MatchEvent._meta.db_table, RatingChange._meta.db_table

STUCK_AFTER = timedelta(minutes=5)
"""A clock that ran out so long ago, while the site was up, is one that nobody applies."""

BOTH_NEEDED = [State.ROOM, State.PLAYING, State.REPORTING, State.RECONFIRM]
ONE_NEEDED = [State.ABANDONED]
NOBODY_NEEDED = [State.REVIEW, *ENDED_STATES]
"""§2; in EVIDENCE it depends on who has answered."""


def sides(now: datetime) -> Iterator[Damage]:
    """Two sides a match, with the results that its outcome gives them; an outcome and an end go together."""
    for pk, count in (
        Match.objects.annotate(count=Count("sides")).exclude(count=2).values_list("pk", "count").iterator()
    ):
        yield Damage(MATCHES, pk, f"it has {count} sides, not 2")
    wrong = Q(state=State.SETTLED) & ~Q(outcome__in=set(Outcome) - {Outcome.VOID})
    wrong |= Q(state=State.VOID) & ~Q(outcome=Outcome.VOID)
    for match in Match.objects.filter(wrong).iterator():
        yield Damage(MATCHES, match.pk, f"it is {match.state} with the outcome {match.outcome!r}")
    for match in Match.objects.filter(Q(state__in=ENDED_STATES) ^ ~Q(ending="")).iterator():
        yield Damage(MATCHES, match.pk, f"it is {match.state} with the ending {match.ending!r}")
    for side in Side.objects.select_related("match").order_by("match_id", "seat").iterator():
        outcome = side.match.outcome
        right = RESULT_WORDS[result_for(Outcome(outcome), side.seat)] if outcome in set(Outcome) else ""
        if side.result != right:
            yield Damage(
                SIDES, side.pk, f"its result is {side.result!r}, by the outcome of match {side.match_id} {right!r}"
            )


def rating_rows(now: datetime) -> Iterator[Damage]:
    """A match that counts has moved each side's rating once; the newest row of each has the result that stands."""
    rows = RatingChange.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    each = Side.objects.select_related("match").annotate(
        firsts=Subquery(rows.filter(corrects=None).order_by().values("match").annotate(n=Count("pk")).values("n")),
        newest=Subquery(rows.order_by("-pk").values("pk")[:1]),
        newest_result=Subquery(rows.order_by("-pk").values("result")[:1]),
    )
    for side in each.order_by("match_id", "seat").iterator():
        result = RESULTS.get(side.result)
        if side.newest is None:
            if result is not None:
                yield Damage(SIDES, side.pk, f"match {side.match_id} counts, but has moved no rating of this side")
            continue
        if side.firsts != 1:
            yield Damage(SIDES, side.pk, f"match {side.match_id} has moved this side's rating {side.firsts or 0} times")
        stands = None if side.newest_result is None else float(side.newest_result)
        if side.result == "":
            yield Damage(CHANGES, side.newest, f"it moved a rating for match {side.match_id}, which hasn't ended")
        elif stands != result:
            yield Damage(CHANGES, side.newest, f"it is for {stands}, but the side's result is {side.result!r}")


def engagements(now: datetime) -> Iterator[Damage]:
    """Whoever a match needs is held by it and by nothing else; whoever it doesn't need is free."""
    for side in Side.objects.filter(needed=True).exclude(player__engagement__match=F("match")).iterator():
        yield Damage(
            SIDES, side.pk, f"match {side.match_id} needs player {side.player_id}, but nothing holds the player"
        )
    needing = Side.objects.filter(player=OuterRef("player"), match=OuterRef("match"), needed=True)
    for row in Engagement.objects.filter(~Exists(needing), match__isnull=False).iterator():
        yield Damage(ENGAGEMENTS, row.pk, f"match {row.match_id} holds the player, but doesn't need them")
    holding = Match.objects.annotate(holding=Count("sides", filter=Q(sides__needed=True)))
    wrong = Q(state__in=BOTH_NEEDED) & ~Q(holding=2) | Q(state__in=ONE_NEEDED) & ~Q(holding=1)
    wrong |= Q(state__in=NOBODY_NEEDED) & ~Q(holding=0)
    for match in holding.filter(wrong).iterator():
        yield Damage(MATCHES, match.pk, f"it needs {match.holding} players in {match.state}")


def clocks(now: datetime) -> Iterator[Damage]:
    """No clock has run out for long without being applied, and what runs has one."""
    late = site_now(now) - STUCK_AFTER
    for match in Match.objects.filter(deadline_at__lte=late).iterator():
        yield Damage(MATCHES, match.pk, f"it is stuck in {match.state}: its clock ran out at {match.deadline_at:%F %T}")
    for match in Match.objects.filter(Q(state__in=RUNNING_STATES) ^ Q(deadline_at__isnull=False)).iterator():
        yield Damage(MATCHES, match.pk, f"it is {match.state} with the deadline {match.deadline_at}")
    for row in Engagement.objects.filter(match=None, expires_at__lte=late).iterator():
        yield Damage(ENGAGEMENTS, row.pk, f"the player still waits; the time ran out at {row.expires_at:%F %T}")


def logs(now: datetime) -> Iterator[Damage]:
    """Each line of a log goes on from the state where the one before it led; the last led to where the match is."""
    events = MatchEvent.objects.order_by("match_id", "pk").annotate(stands=F("match__state"))
    for match, lines in groupby(events.iterator(), attrgetter("match_id")):
        state = ""
        for line in lines:
            if line.state_from != state:
                yield Damage(
                    EVENTS, line.pk, f"it goes on from {line.state_from!r}, but match {match} was in {state!r}"
                )
            state, stands = line.state_to, line.stands
        if state != stands:
            yield Damage(MATCHES, match, f"it is {stands}, but its log ends in {state}")
    for pk in Match.objects.filter(events=None).values_list("pk", flat=True).iterator():
        yield Damage(MATCHES, pk, "it has no log")
