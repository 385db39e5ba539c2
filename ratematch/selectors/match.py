"""One match, as one viewer sees it at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import F, Q, QuerySet

from common.errors import Refusal
from ratematch.conf import durations
from ratematch.models import Contest, Match, MatchEvent, Picture, Player, RatingChange, Report, Ruling, Side
from ratematch.policies import HALF, can_look_inside, check_contest, check_reportable, gain_factor
from ratematch.rules import elo, lifecycle
from ratematch.rules.lifecycle import BY_SILENCE, RUNNING, Answer, Claim, Ending, Outcome, State, Verb

if TYPE_CHECKING:
    from ratematch.policies import Viewer


@dataclass(frozen=True, slots=True)
class Stake:
    """What a result would do to a rating: before the floor, after it, and whether a gain was halved."""

    result: float
    computed: int
    applied: int
    after: int


def stakes(player: Player, own: int, opponent: int) -> dict[str, Stake]:
    """What a win, a draw and a loss would do: `own` and `opponent` are the ratings that enter the formula (§1)."""
    halved = gain_factor(player) == HALF
    made = {}
    for word, result in (("win", 1.0), ("draw", 0.5), ("loss", 0.0)):
        computed = elo.rating_change(own, opponent, result, halved=halved)
        after = elo.apply_change(player.rating, computed)
        made[word] = Stake(result, computed, after - player.rating, after)
    return made


@dataclass(frozen=True)
class MatchView:
    """A match as one viewer sees it at one moment. `seat` is the viewer's, None for anybody but the two."""

    match: Match
    viewer: Viewer
    now: datetime

    @cached_property
    def value(self) -> lifecycle.Match:
        """The match as the rules see it."""
        return self.match.value()

    @cached_property
    def state(self) -> State:
        """The present state."""
        return self.value.state

    @cached_property
    def seat(self) -> int | None:
        """The viewer's seat."""
        return self.match.seat_of(self.viewer.pk)

    @cached_property
    def me(self) -> Side:
        """The viewer's side; Player 1's for anybody else."""
        return self.match.seats[self.seat or 0]

    @cached_property
    def other(self) -> Side:
        """The other side."""
        return self.match.seats[1 - (self.seat or 0)]

    @property
    def sides(self) -> tuple[Side, Side]:
        """Me left, opponent right."""
        return self.me, self.other

    @cached_property
    def running(self) -> bool:
        """Whether a clock runs."""
        return self.state in RUNNING

    @cached_property
    def possible(self) -> list[Verb]:
        """The moves that the viewer can make now."""
        if self.seat is None:
            return []
        return lifecycle.possible(self.value, self.seat, self.now, durations())

    @cached_property
    def leave_opens_at(self) -> datetime | None:
        """When leaving becomes possible, if the viewer has to wait for it."""
        if self.seat is None or self.state is not State.ROOM:
            return None
        no = lifecycle.refusal(self.value, Verb.LEAVE, self.seat, self.now, durations())
        return no.facts["available_at"] if no else None

    @cached_property
    def leave_opens_s(self) -> int:
        """Seconds until then."""
        return -int(-(self.leave_opens_at - self.now).total_seconds() // 1) if self.leave_opens_at else 0

    @cached_property
    def awaited(self) -> bool:
        """Whether the running clock waits for the viewer."""
        return self.seat in lifecycle.awaited(self.value)

    @cached_property
    def remaining_s(self) -> int | None:
        """Whole seconds until the clock runs out, rounded up; None without a clock."""
        if self.match.deadline_at is None:
            return None
        return max(0, -int(-(self.match.deadline_at - self.now).total_seconds() // 1))

    @cached_property
    def total_s(self) -> int:
        """Seconds that the running clock had when it started, for the bar beside it."""
        since = max((event.at for event in self.events), default=self.match.made_at)
        assert self.match.deadline_at
        return max(1, self.remaining_s or 0, round((self.match.deadline_at - since).total_seconds()))

    @cached_property
    def at_zero(self) -> lifecycle.Match | None:
        """What the match becomes if nobody does anything."""
        return lifecycle.expire(self.value, self.now, durations()) if self.running else None

    @cached_property
    def stakes(self) -> dict[str, Stake]:
        """What each result does to the viewer's rating (Player 1's for anybody else)."""
        return stakes(self.me.player, self.me.rating, self.other.rating)

    def stake_of(self, outcome: Outcome | None) -> Stake | None:
        """What an outcome does to the viewer's rating."""
        if outcome in (None, Outcome.VOID):
            return None
        result = lifecycle.result_for(outcome, self.me.seat)
        return next(stake for stake in self.stakes.values() if stake.result == result)

    def after_claim(self, claim: Claim) -> lifecycle.Match | None:
        """What the match becomes if the viewer declares `claim` now; None if that can't be done."""
        assert self.seat is not None
        try:
            return lifecycle.play(
                self.value, Verb.DECLARE, self.seat, self.now, value=claim.value, durations=durations()
            )
        except Refusal:
            return None

    @cached_property
    def expected(self) -> float:
        """The viewer's expected score."""
        return elo.expected_score(self.me.rating, self.other.rating)

    @cached_property
    def inside(self) -> bool:
        """Whether the viewer may see what is between the two."""
        return can_look_inside(self.match, self.viewer)

    @property
    def visible_events(self) -> QuerySet[MatchEvent]:
        """The log as the viewer may see it: outsiders only changes of state, players not what the other attaches."""
        if not self.inside:
            return self.match.events.exclude(state_from=F("state_to"))
        if self.seat is None:
            return self.match.events.all()
        return self.match.events.exclude(Q(verb="attach") & ~Q(seat=self.seat))

    @cached_property
    def events(self) -> list[MatchEvent]:
        """What happened, as far as the viewer may see it, the oldest first."""
        return list(self.visible_events)

    @cached_property
    def pictures(self) -> list[Picture]:
        """The viewer's own screenshots, also those being checked or refused."""
        return [picture for picture in self._pictures if picture.seat == self.seat]

    @cached_property
    def can_attach(self) -> bool:
        """Whether the viewer may still attach screenshots."""
        return self.seat is not None and self.state in lifecycle.ATTACHING and not self.me.answer

    @cached_property
    def kept_pictures(self) -> list[Picture]:
        """The viewer's own that can be handed in."""
        return [picture for picture in self.pictures if picture.status != Picture.REFUSED]

    @cached_property
    def other_pictures(self) -> list[Picture]:
        """What the opponent has handed in."""
        if self.seat is None or self.other.answer != Answer.SUBMITTED:
            return []
        return [p for p in self._pictures if p.seat != self.seat and p.status == Picture.READY]

    @property
    def unchecked_since(self) -> datetime | None:
        """When the oldest screenshot came that is still being checked; only while some can be attached."""
        if self.state not in lifecycle.ATTACHING:
            return None
        return min((p.received_at for p in self._pictures if p.status == Picture.NEW), default=None)

    @cached_property
    def _pictures(self) -> list[Picture]:
        return list(self.match.pictures.evidence())

    @cached_property
    def _rating_changes(self) -> list[RatingChange]:
        return list(self.match.rating_changes.all())

    @cached_property
    def applied(self) -> dict[int, int]:
        """What the match has done to each seat's rating so far."""
        sums: dict[int, int] = {}
        for row in self._rating_changes:
            seat = self.me.seat if row.player_id == self.me.player_id else self.other.seat
            sums[seat] = sums.get(seat, 0) + row.applied
        return sums

    @cached_property
    def changes(self) -> list[RatingChange]:
        """The history rows of the viewer's side, the oldest first."""
        return [row for row in self._rating_changes if row.player_id == self.me.player_id]

    @property
    def last_change(self) -> RatingChange:
        """The newest of them: what the result in force did."""
        return self.changes[-1]

    @property
    def applied_before(self) -> int:
        """What the earlier ones had done."""
        return sum(row.applied for row in self.changes[:-1])

    @cached_property
    def rulings(self) -> list[Ruling]:
        """The moderators' rulings, the newest first: the first one is in force."""
        return list(self.match.rulings.order_by("-pk")) if self.match.ending == Ending.RULED else []

    @cached_property
    def contest(self) -> Contest | None:
        """The contest of the result, as far as the viewer may know of it: only a loss by silence can have one (§9)."""
        may_have_one = self.match.ending in (*BY_SILENCE, Ending.RULED)
        return Contest.objects.filter(match=self.match).first() if may_have_one and self.inside else None

    @cached_property
    def exact_change(self) -> float | None:
        """The exact change behind the viewer's result, before halving and rounding."""
        result = lifecycle.result_for(Outcome(self.match.outcome), self.me.seat) if self.match.outcome else None
        return None if result is None else elo.exact_change(self.me.rating, self.other.rating, result)


def can_report(view: MatchView) -> bool:
    """Whether the viewer can report the opponent now: the match is over, not long ago, and it hasn't been done."""
    if view.seat is None:
        return False
    try:
        check_reportable(view.match, view.now)
    except Refusal:
        return False
    return not Report.objects.filter(match=view.match, reporter=view.me.player_id).exists()


def can_contest(view: MatchView) -> bool:
    """Whether the viewer can contest the match now (§9)."""
    if view.seat is None or view.state is not State.SETTLED:
        return False
    try:
        check_contest(view.match, view.seat, view.now)
    except Refusal:
        return False
    return True


def can_answer(view: MatchView) -> bool:
    """Whether the viewer can answer a contest of the match now."""
    contest = view.contest
    if contest is None or view.seat is None or contest.seat == view.seat:
        return False
    return not contest.answered_at and not contest.ruling_id and view.now < contest.answer_until


def match_view(match_id: int, viewer: Viewer, now: datetime) -> MatchView | None:
    """The match as `viewer` sees it, or None if there is none."""
    # `match__id`, since with `match` alone a number too large for the column is an error of the database.
    sides = list(Side.objects.filter(match__id=match_id).select_related("match", "player__user").order_by("seat"))
    if not sides:
        return None
    match = sides[0].match
    match.seats = sides
    for side in sides:
        side.match = match
    return MatchView(match, viewer, now)
