"""The database afterwards, against the rules and against what players were told."""

import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count
from django.utils import timezone
from PIL import Image

from accounts.models import Notice
from ratematch.conf import durations
from ratematch.models import Engagement, Match, MatchEvent, Picture, Player, RatingChange
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import RUNNING, Outcome, State, Verb
from survival.players import Ledger, Move
from survival.players import Player as Program
from survival.stories import Table

NO_TIME = timedelta()


class Outage(NamedTuple):
    """When pages could be reached again, and by how much open deadlines moved then."""

    at: datetime
    gap: timedelta


class Replayed(NamedTuple):
    """A match as the rules make it from its log, and how late its latest clock was applied."""

    value: lifecycle.Match
    late: timedelta


def running(matches: Iterable[int]) -> list[int]:
    """Those of `matches` whose clock still runs."""
    return list(Match.objects.filter(pk__in=list(matches), state__in=RUNNING).values_list("pk", flat=True))


class Time:
    """How time was made to pass: deadlines that were moved by hand, and the site's own outages."""

    def __init__(self) -> None:
        self.outages: list[Outage] = []
        self._hurried: dict[int, list[tuple[datetime, datetime]]] = {}

    def hurry(self, matches: Iterable[int], deadline: datetime) -> None:
        """Let the running clocks of `matches` end at `deadline`, if that is earlier."""
        for (pk, _moves), old in deadlines(matches).items():
            now = timezone.now()
            if old > deadline and Match.objects.filter(pk=pk, deadline_at=old).update(deadline_at=deadline):
                self._hurried.setdefault(pk, []).append((now, deadline))

    def passed(self, match: int, deadline: datetime, since: datetime, until: datetime) -> datetime:
        """What has become of a deadline of `match` between two events."""
        changes = [*self._hurried.get(match, ()), *self.outages]
        for at, change in sorted(changes, key=lambda change: change[0]):
            if since < at <= until:
                deadline = change if isinstance(change, datetime) else deadline + change
        return deadline

    def lost(self, since: datetime, until: datetime) -> timedelta:
        """By how much outages moved all open clocks between two events."""
        return sum((gap for at, gap in self.outages if since < at <= until), NO_TIME)


def unchecked() -> int:
    """How many pictures wait for their check."""
    return Picture.objects.filter(status=Picture.NEW).count()


def deadlines(matches: Iterable[int]) -> dict[tuple[int, int], datetime]:
    """The open deadlines of `matches`, by match and number of events, which tell whether it has moved on."""
    rows = Match.objects.filter(pk__in=list(matches), deadline_at__isnull=False).annotate(moves=Count("events"))
    return {(pk, moves): at for pk, moves, at in rows.values_list("pk", "moves", "deadline_at") if at}


def states_of(user_id: int, matches: Iterable[int]) -> dict[int, str]:
    """The states of those of `matches` that are a user's."""
    rows = Match.objects.filter(pk__in=list(matches), sides__player__user=user_id)
    return dict(rows.values_list("pk", "state"))


def stories_ended_right(tables: list[Table]) -> list[str]:
    """What didn't end as the rules say."""
    problems = []
    for table in tables:
        match, story = Match.objects.get(pk=table.match), table.story
        got = (match.state, match.ending, match.outcome)
        due = (story.state, story.ending or "", story.outcome or "")
        if got != due:
            problems.append(f"{table} ended as {' '.join(got)}, not as {' '.join(due)}")
    return problems


def log_is_told(matches: set[int], ledger: Ledger) -> list[str]:
    """Each move that was accepted is in the log once, and nothing else is there but calls that had no answer."""
    rows = MatchEvent.objects.filter(match__in=matches, seat__isnull=False).values_list("match", "seat", "verb")
    log, accepted = Counter(Move(*row) for row in rows), Counter(ledger.accepted)
    accepted = Counter({move: times for move, times in accepted.items() if move.match in matches})
    for submit in [
        move for move in accepted if move.verb == Verb.SUBMIT
    ]:  # may wait for the check, and then be cut off
        log.setdefault(submit, 0)
    problems = [f"{move} was accepted and is lost" for move in (accepted - log).elements()]
    return problems + [
        f"{move} is in the log, but nobody was told so" for move in (log - accepted - ledger.unsure).elements()
    ]


def logs_are_lawful(matches: set[int], time: Time) -> tuple[list[str], timedelta, int]:
    """Play each log again by the rules; answers problems, how late the latest clock was, and how many there were."""
    problems, late, clocks = [], NO_TIME, 0
    for match in Match.objects.with_sides().filter(pk__in=matches).prefetch_related("events"):
        events = list(match.events.all())
        clocks += sum(event.verb == "clock" for event in events)
        try:
            again = _replay(match, events, time)
        except Exception as error:
            told = " ".join(f"{event.verb}@{event.at:%M:%S.%f}" for event in events)
            problems.append(f"match {match.pk}: its log can't be played again: {error!r}: {told}")
            continue
        late = max(late, again.late)
        problems += [f"match {match.pk}: {difference}" for difference in _differences(again.value, match.value())]
    return problems, late, clocks


def _replay(match: Match, events: list[MatchEvent], time: Time) -> Replayed:
    made, *rest = events
    assert made.verb == "matched"
    value, late, set_at = lifecycle.new_match(match.made_at, durations()), NO_TIME, made.at
    for event in rest:
        if value.deadline_at:
            value = replace(value, deadline_at=time.passed(match.pk, value.deadline_at, set_at, event.at))
        if value.state is lifecycle.State.PLAYING and value.playing_at:
            value = replace(value, playing_at=value.playing_at + time.lost(set_at, event.at))
        due = lifecycle.is_due(value, event.at)
        if event.verb == "clock":
            assert due, f"the clock was applied {value.deadline_at and value.deadline_at - event.at} early"
            assert value.deadline_at
            late = max(late, event.at - value.deadline_at)
            value = lifecycle.expire(value, event.at, durations())
        elif event.verb != "attach":
            # What was handed in in time counts, also if it was checked later.
            assert event.verb == Verb.SUBMIT or not due, f"{event.verb} came after the deadline {value.deadline_at}"
            told = event.facts.get("claim") or match.room_number
            assert event.seat is not None
            value = lifecycle.play(value, Verb(event.verb), event.seat, event.at, value=told, durations=durations())
        assert event.state_to == value.state
        set_at = event.at
    return Replayed(value, late)


def _differences(due: lifecycle.Match, got: lifecycle.Match) -> list[str]:
    return [
        f"{field.name} is {getattr(got, field.name)}, by its log it should be {getattr(due, field.name)}"
        for field in fields(lifecycle.Match)
        if getattr(due, field.name) != getattr(got, field.name)
    ]


def ratings_add_up(matches: set[int]) -> list[str]:
    """Two rows for a match that is settled, none for others; each rating equals its history; records count the rows."""
    problems = []
    for match in Match.objects.filter(pk__in=matches).annotate(rows=Count("rating_changes")):
        due = 2 if match.state == State.SETTLED else 0
        if match.rows != due:
            problems.append(f"match {match.pk} ({match.state}) has {match.rows} rating rows, not {due}")
        if match.state == State.SETTLED and match.outcome == Outcome.VOID:
            problems.append(f"match {match.pk} is settled on nothing")
    for player in Player.objects.all():
        rows = list(RatingChange.objects.filter(player=player).order_by("pk"))
        history = [1200, *(row.after for row in rows)]
        if player.rating != history[-1] or [row.before for row in rows] != history[:-1]:
            problems.append(f"player {player.pk} has {player.rating}, by history {history}")
        if player.wins + player.losses + player.draws != len(rows):
            problems.append(f"player {player.pk} has a record of other matches than those rated")
    return problems


def nobody_is_held() -> list[str]:
    """Who still waits or is needed."""
    return [f"left over: {engagement}" for engagement in Engagement.objects.all()]


def notices_came_once(matches: set[int]) -> list[str]:
    """Each player of a match that has ended was told so, once."""
    told = Counter(
        (notice.facts["match"], notice.user_id)
        for notice in Notice.objects.filter(kind__in=("ratematch.ended", "ratematch.review"))
    )
    problems = []
    for match in Match.objects.with_sides().filter(pk__in=matches):
        last = match.events.last()
        for side in match.seats:
            due = 0 if last and last.seat == side.seat else 1  # who ended it sees it on the page
            if told[match.pk, side.player.user_id] != due:
                times = told[match.pk, side.player.user_id]
                problems.append(f"match {match.pk}: seat {side.seat} was told of its end {times} times, not {due}")
    return problems


def pictures_open(tables: list[Table]) -> tuple[list[str], int]:
    """Each picture was checked, and its owner can open it; answers problems, and how many there are."""
    owners: dict[tuple[int, int], Program] = {
        (table.match, seat): player for table in tables for seat, player in enumerate(table.players)
    }
    problems, count = [], 0
    for picture in Picture.objects.filter(match__in=[table.match for table in tables]):
        count += 1
        if picture.status != Picture.READY:
            problems.append(f"{picture} is {picture.status} {picture.refusal}")
            continue
        try:
            Image.open(io.BytesIO(owners[picture.match_id, picture.seat].picture(picture.pk))).verify()
        except Exception as error:
            problems.append(f"{picture} can't be opened: {error!r}")
    return problems, count
