"""Reads, shaped for a page or an answer of the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q, QuerySet, Sum

from accounts.services import blocks, presence
from common.errors import Refusal
from ratematch import charts, standings
from ratematch.conf import durations
from ratematch.models import Engagement, Match, MatchEvent, Picture, Player, RatingChange, Ruling, Side
from ratematch.policies import HALF, gain_factor
from ratematch.rules import elo, lifecycle, pairing
from ratematch.rules.lifecycle import RUNNING, Answer, Claim, Ending, Outcome, State, Verb
from ratematch.standings import Standings

if TYPE_CHECKING:
    from accounts.models import User
    from ratematch.policies import Viewer

# --- stakes ---


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


# --- one match ---


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
    def events(self) -> list[MatchEvent]:
        """What happened, the oldest first."""
        return list(self.match.events.all())

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
        return list(self.match.pictures.all())

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
    def exact_change(self) -> float | None:
        """The exact change behind the viewer's result, before halving and rounding."""
        result = lifecycle.result_for(Outcome(self.match.outcome), self.me.seat) if self.match.outcome else None
        return None if result is None else elo.exact_change(self.me.rating, self.other.rating, result)


def match_view(match_id: int, viewer: Viewer, now: datetime) -> MatchView | None:
    """The match as `viewer` sees it, or None if there is none."""
    # `match__id`, since with `match` alone a number too large for the column is an error of the database.
    sides = Side.objects.filter(match__id=match_id).select_related("match", "player__user").order_by("seat")
    if not sides:
        return None
    match = sides[0].match
    for side in sides:
        side.match = match
    match._prefetched_objects_cache = {"sides": sides}  # type: ignore[attr-defined]  # as with_sides() does in two queries
    return MatchView(match, viewer, now)


# --- lists of matches ---


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


# --- the queue ---

LIMITS = {Engagement.NEAR: pairing.NEAR, Engagement.ANY: None}
"""Rating points of each condition."""


def waiting_entries(now: datetime) -> list[pairing.Entry]:
    """Those waiting whose page is open, as pairing sees them."""
    waiting = list(Engagement.objects.waiting().select_related("player"))
    users = {entry.player.user_id for entry in waiting}
    gone = presence.away(users, now, after_s=settings.RATEMATCH["QUEUE_GONE_S"])
    blocked = blocks.between(users)
    by_user = {entry.player.user_id: entry.player_id for entry in waiting}
    return [
        pairing.Entry(
            id=entry.player_id,
            rating=entry.player.rating,
            limit=LIMITS[entry.condition],
            joined_at=entry.joined_at,
            last_opponent=entry.player.last_opponent_id,
            blocked=frozenset(by_user[user] for user in blocked.get(entry.player.user_id, ())),
        )
        for entry in waiting
        if entry.player.user_id not in gone
    ]


@dataclass(frozen=True, slots=True)
class Lobby:
    """What somebody who waits, or thinks of it, wants to know."""

    entry: Engagement | None
    waited_s: int
    expires_s: int
    others: int
    in_range: int
    would_suit_any: int
    estimate_s: int | None
    estimate_from: int


def lobby(player: Player | None, now: datetime) -> Lobby:
    """The queue as seen by one player (None: somebody who has never played)."""
    rating, own = (player.rating, player.pk) if player else (elo.INITIAL, None)
    entry = Engagement.objects.waiting().filter(player=player).first() if player else None
    others = [other for other in waiting_entries(now) if other.id != own]
    near = pairing.Entry(own or 0, rating, pairing.NEAR, 0.0)
    anyone = pairing.Entry(own or 0, rating, None, 0.0)
    waits = _recent_waits(now)
    return Lobby(
        entry=entry,
        waited_s=int((now - entry.joined_at).total_seconds()) if entry else 0,
        expires_s=max(0, int((entry.expires_at - now).total_seconds())) if entry and entry.expires_at else 0,
        others=len(others),
        in_range=sum(pairing.suits(near, other) for other in others),
        would_suit_any=sum(pairing.suits(anyone, other) for other in others),
        estimate_s=round(median(waits)) if len(waits) >= ESTIMATE_NEEDS else None,
        estimate_from=len(waits) // 2,
    )


ESTIMATE_NEEDS = 6
"""Fewer waits than these say nothing honest about the next one."""


def _recent_waits(now: datetime) -> list[int]:
    """Seconds waited by everybody who was paired in the last hour."""
    recent = Side.objects.filter(match__made_at__gt=now - timedelta(hours=1))
    return list(recent.values_list("waited_s", flat=True)[:1000])


# --- the ladder ---


def ladder(now: datetime, *, name: str = "", within_days: int | None = None) -> QuerySet[Player]:
    """Players by rating. `within_days`: only who had a rated match in that time; None: anybody who ever had one."""
    players = _rated(now, within_days).filter(user__is_active=True)
    if name:
        players = players.filter(user__display_name__icontains=name)
    return players.order_by("-rating", "pk")


def _rated(now: datetime, within_days: int | None) -> QuerySet[Player]:
    """Those on a ladder, and whose account was closed: the index `player_ladder` alone answers how many they are."""
    if within_days is None:
        return Player.objects.filter(last_rated_at__isnull=False)
    return Player.objects.filter(last_rated_at__gte=now - timedelta(days=within_days))


def _is_listed(player: Player, now: datetime, within_days: int | None) -> bool:
    """Whether `ladder` has the player, without asking the database again."""
    if player.last_rated_at is None or not player.user.is_active:
        return False
    return within_days is None or player.last_rated_at >= now - timedelta(days=within_days)


@dataclass(frozen=True, slots=True)
class LongLadder:
    """A ladder to be shown page by page, of which nobody counts how many come before a page."""

    players: QuerySet[Player]
    counted: Standings

    def count(self) -> int:
        """All players of the ladder."""
        return self.counted.total

    def __getitem__(self, part: slice) -> QuerySet[Player]:
        rating, skipped = self.counted.seek(part.start)
        return self.players.filter(rating__lte=rating)[skipped : skipped + part.stop - part.start]


def ladder_pages(now: datetime, *, name: str, within_days: int | None) -> QuerySet[Player] | LongLadder:
    """The ladder with its users, for a Paginator."""
    players = ladder(now, name=name, within_days=within_days).select_related("user")
    counted = None if name else standings.kept(within_days)
    return LongLadder(players, counted) if counted else players


def place_of(player: Player, now: datetime, *, within_days: int | None = None) -> int | None:
    """The player's place on the ladder, None if not on it. On a very long one it is as old as the last count."""
    listed_now = ladder(now, within_days=within_days)
    if not _is_listed(player, now, within_days):
        return None
    equals = Q(rating=player.rating, pk__lt=player.pk)
    if counted := standings.kept(within_days):
        return counted.ahead_of(player.rating) + _rated(now, within_days).filter(equals).count() + 1
    return listed_now.filter(Q(rating__gt=player.rating) | equals).count() + 1


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of the ladder. `weight` is 1 to 5, the higher the place the heavier the hand."""

    place: int
    player: Player
    since_yesterday: int
    weight: int
    ends_tier: bool
    me: bool


def ladder_rows(players: Iterable[Player], first_place: int, viewer: Viewer, now: datetime) -> list[LadderRow]:
    """Lines for consecutive players of the ladder, with one more query for all of them."""
    page = list(players)
    ids = [player.pk for player in page]
    moved = dict(
        RatingChange.objects.filter(player__in=ids, at__gt=now - timedelta(days=1))
        .values_list("player")
        .annotate(sum=Sum("applied"))
    )
    return [
        LadderRow(
            place=place,
            player=player,
            since_yesterday=moved.get(player.pk, 0),
            weight=1 if place == 1 else 2 if place <= 3 else 3 if place <= 10 else 4,
            ends_tier=place in (1, 3, 10),
            me=player.user_id == viewer.pk,
        )
        for place, player in enumerate(page, first_place)
    ]


# --- one player ---


CHART_MATCHES = 15


def rating_chart(player: Player, count: int = CHART_MATCHES) -> charts.Chart | None:
    """The newest changes of a rating as a chart: where it started, and where each match led."""
    rows = player.rating_changes.order_by("-at", "-pk").values_list("at", "before", "after")[:count]
    course = list(rows)[::-1]
    if not course:
        return None
    start, before, _after = course[0]
    return charts.rating_chart([(start, before), *((at, after) for at, _before, after in course)])


def strength_bars(player: Player, count: int = 500) -> list[charts.Bar]:
    """Results of the newest matches by how strong the opponent was when the match was made."""
    sides = Side.objects.filter(player=player, result__in=["win", "draw", "loss"]).order_by("-match_id")[:count]
    own = {side.match_id: side for side in sides}
    others = Side.objects.filter(match__in=own).exclude(player=player).values_list("match_id", "rating")
    return charts.by_strength([(rating - own[match].rating, own[match].result) for match, rating in others])


# --- home ---


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page shows of rated matches."""

    player: Player | None
    place: int | None
    waiting: int
    entry: Engagement | None
    open: list[MatchView]
    chart: charts.Chart | None


def home(user: User, now: datetime) -> Home:
    """For a signed-in user's home page."""
    player = Player.objects.select_related("user").filter(user=user).first()
    return Home(
        player=player,
        place=place_of(player, now, within_days=settings.RATEMATCH["LADDER_DAYS"]) if player else None,
        waiting=waiting_count(),
        entry=Engagement.objects.waiting().filter(player=player).first() if player else None,
        open=open_matches(user, now) if player else [],
        chart=rating_chart(player) if player else None,
    )


def waiting_count() -> int:
    """How many are in the queue."""
    return Engagement.objects.waiting().count()


def doing(user_ids: list[int]) -> dict[int, str]:
    """What those of the users who are busy here do: "waiting" or "playing"."""
    rows = Engagement.objects.filter(player__user__in=user_ids).values_list("player__user_id", "match_id")
    return {user: "waiting" if match is None else "playing" for user, match in rows}
