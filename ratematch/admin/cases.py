"""What the moderators' pages read: the queue of cases, and everything about one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Max, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import User
from common.errors import Conflict, Forbidden, Refusal
from ratematch import wording
from ratematch.admin import words
from ratematch.models import CaseLook, Match, MatchEvent, MatchQuerySet, Picture, RatingChange, Ruling, Side
from ratematch.pictures import HASH_BITS, differing_bits
from ratematch.policies import check_rule
from ratematch.rules.lifecycle import RUNNING, Claim, Outcome, State
from ratematch.selectors import MatchView
from ratematch.services.ratings import Forecast, forecast
from ratematch.services.rulings import LOOK_LASTS

ALIKE_BITS = 18
"""Two pictures whose difference hashes differ in at most this many bits are shown as alike."""
COMPARED = 5_000
"""How many of the newest pictures a new one is compared with; the very same file is found however old it is."""
EARLIER_SHOWN = 20

# --- the queue ---


def waiting() -> MatchQuerySet:
    """Matches in REVIEW with `waiting_since`, the longest waiting first."""
    since = (
        MatchEvent.objects.filter(match=OuterRef("pk"), state_to=State.REVIEW)
        .order_by()
        .values("match")
        .values(since=Max("at"))
    )
    return (
        Match.objects.filter(state=State.REVIEW).annotate(waiting_since=Subquery(since)).order_by("waiting_since", "pk")
    )


def queue(now: datetime) -> QuerySet[Match]:
    """`waiting`, with what a line of the queue shows: both sides, and who has the case open (`open_looks`)."""
    looks = CaseLook.objects.filter(seen_at__gte=now - LOOK_LASTS).select_related("moderator").order_by("since")
    return waiting().with_sides().prefetch_related(Prefetch("looks", queryset=looks, to_attr="open_looks"))


def next_case(moderator: User, now: datetime, *, after: Match | None = None) -> Match | None:
    """The case to take up next: one that nobody else has open and that isn't the moderator's own match.

    Args:
        after: go on from this one, so that a case can be passed over; past the last one the oldest comes again.
    """
    taken = CaseLook.objects.filter(seen_at__gte=now - LOOK_LASTS).exclude(moderator=moderator)
    free = waiting().exclude(sides__player__user=moderator).exclude(looks__in=taken)
    if after is None:
        return free.first()
    free = free.exclude(pk=after.pk)
    since = after.events.filter(state_to=State.REVIEW).aggregate(since=Max("at"))["since"]
    if since is None:
        return free.first()
    later = free.filter(Q(waiting_since__gt=since) | Q(waiting_since=since, pk__gt=after.pk))
    return later.first() or free.first()


# --- pictures seen before ---


@dataclass(frozen=True, slots=True)
class Twin:
    """A picture of another match that is the same as, or much like, one of this match."""

    picture_id: int
    match_id: int
    received_at: datetime
    percent: int
    same_file: bool


def twins_of(pictures: Iterable[Picture]) -> dict[int, list[Twin]]:
    """For pictures of one match, by id: those of other matches that are the same or alike, the most alike first."""
    pictures = [picture for picture in pictures if picture.status == Picture.READY]
    if not pictures:
        return {}
    columns = ("pk", "match_id", "received_at", "sha256", "likeness")
    others = Picture.objects.filter(status=Picture.READY).exclude(match=pictures[0].match_id)
    newest = others.order_by("-pk").values_list(*columns, named=True)[:COMPARED]
    same = others.filter(sha256__in={picture.sha256 for picture in pictures}).values_list(*columns, named=True)
    rows = {row.pk: row for row in (*newest, *same)}.values()
    found: dict[int, list[Twin]] = {}
    for picture in pictures:
        twins = []
        for row in rows:
            same_file = row.sha256 == picture.sha256
            bits = 0 if same_file else differing_bits(row.likeness, picture.likeness)
            if bits <= ALIKE_BITS:
                percent = round(100 * (HASH_BITS - bits) / HASH_BITS)
                twins.append(Twin(row.pk, row.match_id, row.received_at, percent, same_file))
        found[picture.pk] = sorted(twins, key=lambda twin: (not twin.same_file, -twin.percent, twin.picture_id))
    return found


# --- one case ---


@dataclass(frozen=True, slots=True)
class CaseSide:
    """One player's half of a case. `earlier` are rulings on the player's other matches, `waiting` cases still open."""

    side: Side
    number: int
    claims: list[tuple[str, datetime]]
    pictures: list[tuple[Picture, list[Twin]]]
    refused: int
    earlier: list[tuple[Ruling, str]]
    waiting: list[Match]

    @property
    def alike(self) -> bool:
        """Whether one of the pictures was seen before, in another match."""
        return any(twins for _picture, twins in self.pictures)


@dataclass(frozen=True, slots=True)
class Option:
    """An outcome as the form offers it, with what it would do: to each side with a note, and in short."""

    value: str
    label: str
    changes: list[tuple[Forecast, str]]
    preview: str


@dataclass(frozen=True)
class Case:
    """A match as a moderator looks at it."""

    match: Match
    moderator: User
    now: datetime

    @cached_property
    def obstacle(self) -> Refusal | None:
        """Why this moderator can't rule on it now, or None."""
        try:
            check_rule(self.match, self.moderator)
        except Forbidden as no:
            return no
        return Conflict("still_running", state=self.match.state) if self.match.state in RUNNING else None

    @cached_property
    def rulings(self) -> list[tuple[Ruling, str, list[RatingChange]]]:
        """Every ruling on this match, the newest (which is in force) first: its outcome in words, what it moved."""
        rows = self.match.rulings.select_related("moderator").prefetch_related("rating_changes__player__user")
        return [
            (row, words.outcome(row.outcome, self.match), list(row.rating_changes.all()))
            for row in rows.order_by("-pk")
        ]

    @property
    def in_force(self) -> Ruling | None:
        """The ruling that counts."""
        return self.rulings[0][0] if self.rulings else None

    @property
    def seen_ruling(self) -> int | None:
        """What the form has to carry: the id of the ruling in force."""
        return self.in_force.pk if self.in_force else None

    @cached_property
    def waiting_since(self) -> datetime | None:
        """When it came to REVIEW, if it waits there now."""
        if self.match.state != State.REVIEW:
            return None
        return max((row.at for row, _text in self.events if row.state_to == State.REVIEW), default=None)

    @cached_property
    def events(self) -> list[tuple[MatchEvent, str]]:
        """What happened, the oldest first, in words."""
        view = MatchView(self.match, self.moderator, self.now)
        return [(row, words.event(row, view)) for row in view.events]

    @cached_property
    def how_it_ended(self) -> str:
        """What decided the match before any moderator did; nothing for one that hasn't ended."""
        return wording.ending_words(MatchView(self.match, self.moderator, self.now)) if self.match.ending else ""

    @cached_property
    def options(self) -> list[Option]:
        """The four outcomes, each with the exact change that it would bring."""
        made = []
        for value in Outcome:
            changes = forecast(self.match, value)
            explained = [(change, words.why(change)) for change in changes]
            made.append(Option(value.value, words.outcome(value, self.match), explained, words.changes(changes)))
        return made

    @cached_property
    def sides(self) -> list[CaseSide]:
        """Both sides, Player 1 first."""
        pictures = list(self.match.pictures.all())
        twins = twins_of(pictures)
        earlier, waiting = self._earlier()
        made = []
        for side in self.match.seats:
            own = [picture for picture in pictures if picture.seat == side.seat]
            declared = [(side.claim, side.claimed_at), (side.reclaim, side.reclaimed_at)]
            made.append(
                CaseSide(
                    side=side,
                    number=side.seat + 1,
                    claims=[(str(wording.MY_CLAIMS[Claim(claim)]), at) for claim, at in declared if claim and at],
                    pictures=[(row, twins[row.pk]) for row in own if row.status == Picture.READY],
                    refused=sum(row.status == Picture.REFUSED for row in own),
                    earlier=[
                        (row, words.outcome(row.outcome, row.match)) for row in earlier if _played(side, row.match)
                    ],
                    waiting=[row for row in waiting if _played(side, row)],
                )
            )
        return made

    def _earlier(self) -> tuple[list[Ruling], list[Match]]:
        """The newest rulings in force on other matches of the two, and their other matches that wait for one."""
        theirs = Side.objects.filter(player__in=[side.player_id for side in self.match.seats]).values("match")
        others = Match.objects.with_sides().filter(pk__in=theirs).exclude(pk=self.match.pk)
        ruled = Ruling.objects.filter(replaced_by=None, match__in=others.values("pk")).order_by("-pk")
        rulings = list(ruled.prefetch_related(Prefetch("match", Match.objects.with_sides()))[:EARLIER_SHOWN])
        return rulings, list(others.filter(state=State.REVIEW).order_by("pk")[:EARLIER_SHOWN])


def _played(side: Side, match: Match) -> bool:
    return any(other.player_id == side.player_id for other in match.sides.all())
