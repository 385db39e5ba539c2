"""Everything about one match as a case: what was claimed and shown, what may be ruled, and what a ruling does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Prefetch

from accounts.models import User
from common.errors import Conflict, Forbidden, Refusal
from ratematch import wording
from ratematch.admin import queue, words
from ratematch.admin.standings import Standing, reports, standing
from ratematch.admin.twins import Twin, twins_of
from ratematch.models import (
    Case,
    ChatLine,
    Contest,
    Match,
    MatchEvent,
    Penalty,
    Picture,
    RatingChange,
    Report,
    Ruling,
    Side,
)
from ratematch.policies import check_rule
from ratematch.rules.lifecycle import RUNNING, Claim, Outcome
from ratematch.selectors import MatchView
from ratematch.services.ratings import Forecast, forecast

EARLIER_SHOWN = 20
LINES_SHOWN = 200


@dataclass(frozen=True, slots=True)
class CaseSide:
    """One player's half of a case. `earlier` are rulings on the player's other matches, `waiting` cases still open."""

    side: Side
    number: int
    claims: list[tuple[str, datetime]]
    pictures: list[tuple[Picture, list[Twin]]]
    refused: int
    earlier: list[tuple[Ruling, str]]
    waiting: list[Case]
    standing: Standing

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
class MatchCase:
    """A match as a moderator looks at it."""

    match: Match
    moderator: User
    now: datetime

    @cached_property
    def open(self) -> Case | None:
        """The case that a ruling would close."""
        return queue.open_on(self.match)

    @cached_property
    def contest(self) -> Contest | None:
        """The loser's contest of the result, decided or not."""
        return Contest.objects.filter(match=self.match).first()

    @property
    def answer_until(self) -> datetime | None:
        """Until when the opponent may answer a contest, while that is still possible."""
        contest = self.contest
        if contest is None or contest.ruling_id or contest.answered_at or contest.answer_until <= self.now:
            return None
        return contest.answer_until

    @cached_property
    def obstacle(self) -> Refusal | None:
        """Why this moderator can't rule on it now, or None."""
        try:
            check_rule(self.match, self.moderator)
        except Forbidden as no:
            return no
        if self.match.state in RUNNING:
            return Conflict("still_running", state=self.match.state)
        if self.answer_until:
            return Conflict("contest_unanswered", state=self.match.state, until=self.answer_until)
        if self.open and self.open.taken_by_id not in (None, self.moderator.pk):
            return Conflict("case_taken", moderator=str(self.open.taken_by))
        return None

    @property
    def own(self) -> bool:
        """Whether it is the moderator's own match: then its chat and company are nobody's to moderate here."""
        return self.match.seat_of(self.moderator.pk) is not None

    @cached_property
    def rulings(self) -> list[tuple[Ruling, str, list[RatingChange], list[Penalty]]]:
        """Every ruling on this match, the newest (which is in force) first: in words, what it moved, whom it cost."""
        rows = self.match.rulings.select_related("moderator").prefetch_related(
            "rating_changes__player__user", "penalties__player__user"
        )
        return [
            (row, words.outcome(row.outcome, self.match), list(row.rating_changes.all()), list(row.penalties.all()))
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

    @property
    def going(self) -> list[Penalty]:
        """Penalties that a new ruling withdraws with the one in force."""
        return [row for row in self.rulings[0][3] if row.withdrawn_at is None] if self.rulings else []

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
    def chat(self) -> list[ChatLine]:
        """What the two said, the oldest first; the newest `LINES_SHOWN` lines."""
        rows = self.match.chat.select_related("author__user", "hidden_by").order_by("-pk")[:LINES_SHOWN]
        return list(rows)[::-1]

    @cached_property
    def reports(self) -> list[Report]:
        """What the two reported of each other in this match."""
        return list(reports().filter(match=self.match))

    @cached_property
    def contest_pictures(self) -> list[Picture]:
        """Pictures that came with the contest or its answer."""
        return [row for row in self._pictures if row.contest_id and row.status == Picture.READY]

    @cached_property
    def _pictures(self) -> list[Picture]:
        return list(self.match.pictures.filter(report=None))

    @cached_property
    def sides(self) -> list[CaseSide]:
        """Both sides, Player 1 first."""
        pictures = [row for row in self._pictures if not row.contest_id]
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
                    waiting=[row for row in waiting if row.match and _played(side, row.match)],
                    standing=standing(side.player, self.now, replaced=self.in_force),
                )
            )
        return made

    def _earlier(self) -> tuple[list[Ruling], list[Case]]:
        """The newest rulings in force on other matches of the two, and cases on their other matches that wait."""
        theirs = Side.objects.filter(player__in=[side.player_id for side in self.match.seats]).values("match")
        others = Prefetch("match", Match.objects.with_sides())
        ruled = Ruling.objects.filter(replaced_by=None, match__in=theirs).exclude(match=self.match).order_by("-pk")
        waiting = Case.objects.open().filter(kind__in=queue.BY_MATCH, match__in=theirs).exclude(match=self.match)
        return list(ruled.prefetch_related(others)[:EARLIER_SHOWN]), list(
            waiting.prefetch_related(others)[:EARLIER_SHOWN]
        )


def _played(side: Side, match: Match) -> bool:
    return any(other.player_id == side.player_id for other in match.sides.all())
