"""A match as a value, and the ways in which it ends or goes to evidence (rules §3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from ratematch.rules.lifecycle.words import Answer, Cause, Claim, Ending, Outcome, State


@dataclass(frozen=True, slots=True)
class Durations:
    """Every length of time of §3. [seed] are the game's; the others are ours: RATEMATCH["DURATIONS_S"] sets them."""

    leave_opens: timedelta = timedelta(minutes=2)  # [seed]
    room: timedelta = timedelta(minutes=15)
    playing: timedelta = timedelta(hours=3)
    not_in_room: timedelta = timedelta(minutes=5)
    abandoned: timedelta = timedelta(minutes=10)
    press: timedelta = timedelta(minutes=5)  # [seed] 4a
    declare: timedelta = timedelta(minutes=2)  # [seed] 4c
    both_silent: timedelta = timedelta(minutes=5)  # 4e
    reconfirm: timedelta = timedelta(minutes=2)  # [seed]
    evidence: timedelta = timedelta(minutes=5)  # [seed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one player has done in a match. `needed` holds the player out of the queue (§2)."""

    needed: bool = True
    pressed_at: datetime | None = None
    claim: Claim | None = None
    claimed_at: datetime | None = None
    reclaim: Claim | None = None
    reclaimed_at: datetime | None = None
    answer: Answer | None = None
    answered_at: datetime | None = None
    left_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between `sides[0]` (Player 1) and `sides[1]` (Player 2). A seat is an index into `sides`."""

    made_at: datetime
    state: State = State.ROOM
    deadline_at: datetime | None = None
    room_number: str = ""
    playing_at: datetime | None = None
    cause: Cause | None = None
    reporter: int | None = None
    withdrawals: int = 0
    outcome: Outcome | None = None
    ending: Ending | None = None
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))

    def with_side(self, seat: int, **changes: object) -> Match:
        """The same match with something changed on one side."""
        sides = list(self.sides)
        sides[seat] = replace(sides[seat], **changes)  # type: ignore[arg-type]
        return replace(self, sides=(sides[0], sides[1]))


def new_match(now: datetime, durations: Durations = Durations()) -> Match:
    """A match as pairing makes it: ROOM, with its clock running."""
    return Match(made_at=now, deadline_at=now + durations.room)


def outcome_of(claim: Claim, seat: int) -> Outcome:
    """The outcome that a claim by `seat` says."""
    if claim is Claim.DRAW:
        return Outcome.DRAW
    return won_by(seat if claim is Claim.WIN else 1 - seat)


def agreement(one: Claim, two: Claim) -> Outcome | None:
    """The outcome both claims say, or None if they contradict each other."""
    outcome = outcome_of(one, 0)
    return outcome if outcome is outcome_of(two, 1) else None


def result_for(outcome: Outcome, seat: int) -> float | None:
    """What an outcome gives a seat: 1, 0.5 or 0, or None for a void match, which moves no rating."""
    if outcome is Outcome.VOID:
        return None
    if outcome is Outcome.DRAW:
        return 0.5
    return 1.0 if outcome is won_by(seat) else 0.0


def won_by(seat: int) -> Outcome:
    return Outcome.PLAYER1 if seat == 0 else Outcome.PLAYER2


def ended(match: Match, outcome: Outcome, ending: Ending) -> Match:
    state = State.VOID if outcome is Outcome.VOID else State.SETTLED
    return freed(replace(match, state=state, deadline_at=None, outcome=outcome, ending=ending), 0, 1)


def freed(match: Match, *seats: int) -> Match:
    for seat in seats:
        match = match.with_side(seat, needed=False)
    return match


def to_evidence(match: Match, cause: Cause, now: datetime, durations: Durations) -> Match:
    return replace(match, state=State.EVIDENCE, cause=cause, deadline_at=now + durations.evidence)


def to_review(match: Match) -> Match:
    return freed(replace(match, state=State.REVIEW, deadline_at=None), 0, 1)


def weighed(match: Match) -> Match:
    """The end of EVIDENCE: both have answered, or the time is up (§3.6)."""
    submitted = [side.answer is Answer.SUBMITTED for side in match.sides]
    if match.cause is not Cause.DISPUTE:
        assert match.reporter is not None
        if not submitted[match.reporter]:
            return ended(match, won_by(1 - match.reporter), Ending.PROOF_TOO_LATE)
        return to_review(match)
    if not any(submitted):
        return ended(match, Outcome.VOID, Ending.NOTHING_PROVEN)
    return to_review(match)
