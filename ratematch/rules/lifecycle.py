"""The life of a match (rules §3): states, moves and clocks, as data that can be read beside the page.

A `Match` here is a frozen value. `play` answers what a player's move makes of it, `expire` what its clock makes of
it; both return a new value or raise a `Refusal`. `MOVES` says who may do what in which state and where it can lead,
`CLOCKS` what happens in each state when time is up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from common.errors import Conflict, Invalid

# --- words ---


class State(StrEnum):
    ROOM = "room"
    PLAYING = "playing"
    ABANDONED = "abandoned"
    REPORTING = "reporting"
    RECONFIRM = "reconfirm"
    EVIDENCE = "evidence"
    REVIEW = "review"
    SETTLED = "settled"
    VOID = "void"


RUNNING = (State.ROOM, State.PLAYING, State.ABANDONED, State.REPORTING, State.RECONFIRM, State.EVIDENCE)
"""The states that have a clock. REVIEW waits for a moderator; SETTLED and VOID are ends."""


ATTACHING = (State.PLAYING, State.ABANDONED, State.REPORTING, State.RECONFIRM, State.EVIDENCE)
"""The states in which screenshots may be attached."""


class Verb(StrEnum):
    SET_ROOM = "set_room_number"
    ENTER = "enter_room"
    WRONG_NUMBER = "wrong_number"
    LEAVE = "leave_match"
    NOT_IN_ROOM = "not_in_room"
    REPORT = "report_result"
    NOT_OVER = "not_over"
    DECLARE = "declare"
    PROVE_INSTEAD = "prove_instead"
    SUBMIT = "submit_evidence"
    NO_EVIDENCE = "no_evidence"


class Claim(StrEnum):
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


class Outcome(StrEnum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    DRAW = "draw"
    VOID = "void"


class Answer(StrEnum):
    SUBMITTED = "submitted"
    NONE = "none"


class Cause(StrEnum):
    """Why a match came to EVIDENCE, or straight to REVIEW."""

    NO_RESPONSE = "no_response"
    OWN_CHOICE = "own_choice"
    DISPUTE = "dispute"
    NOT_OVER_TWICE = "not_over_twice"


class Ending(StrEnum):
    """What decided a match; the "why card" tells it in words."""

    LEFT = "left"
    NEVER_ENTERED = "never_entered"
    NEVER_REPORTED = "never_reported"
    NOT_FINISHED = "not_finished"
    ABANDONED = "abandoned"
    AGREED = "agreed"
    SILENT_REPORT = "silent_report"
    SILENT_RECONFIRM = "silent_reconfirm"
    NO_PROOF = "no_proof"
    PROOF_TOO_LATE = "proof_too_late"
    NOTHING_PROVEN = "nothing_proven"
    RULED = "ruled"


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


ROOM_NUMBER = re.compile(r"[0-9A-Za-z-]{1,20}")

# --- the match as a value ---


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


# --- who may ---


class Who(StrEnum):
    """Who of the two a move is for."""

    EITHER = "either"
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    STAYER = "stayer"  # who did not leave
    FIRST = "first"  # who pressed "report result" first
    OTHER = "other"  # who did not press first


def is_for(who: Who, match: Match, seat: int) -> bool:
    """Whether `seat` is one that the move is for."""
    match who:
        case Who.EITHER:
            return True
        case Who.PLAYER1:
            return seat == 0
        case Who.PLAYER2:
            return seat == 1
        case Who.STAYER:
            return match.sides[seat].left_at is None
        case Who.FIRST:
            return seat == match.reporter
        case Who.OTHER:
            return seat != match.reporter


# --- moves, in the order of §3 ---


@dataclass(frozen=True, slots=True)
class Turn:
    """One move being made: by whom, when, with what. `value` is a room number or a claim."""

    verb: Verb
    seat: int
    now: datetime
    durations: Durations
    value: str = ""


def _end(match: Match, outcome: Outcome, ending: Ending) -> Match:
    state = State.VOID if outcome is Outcome.VOID else State.SETTLED
    return _free(replace(match, state=state, deadline_at=None, outcome=outcome, ending=ending), 0, 1)


def _free(match: Match, *seats: int) -> Match:
    for seat in seats:
        match = match.with_side(seat, needed=False)
    return match


def _set_room(match: Match, turn: Turn) -> Match:
    if not ROOM_NUMBER.fullmatch(turn.value):
        raise Invalid("bad_room_number", field="room_number")
    return replace(match, room_number=turn.value)


def _needs_number(match: Match) -> None:
    if not match.room_number:
        raise Conflict("no_room_number")


def _enter(match: Match, turn: Turn) -> Match:
    _needs_number(match)
    return replace(match, state=State.PLAYING, playing_at=turn.now, deadline_at=turn.now + turn.durations.playing)


def _wrong_number(match: Match, turn: Turn) -> Match:
    _needs_number(match)
    return match


def _leave_room(match: Match, turn: Turn) -> Match:
    opens = match.made_at + turn.durations.leave_opens
    if turn.now < opens:
        raise Conflict("too_early", available_at=opens)
    return _end(match.with_side(turn.seat, left_at=turn.now), Outcome.VOID, Ending.LEFT)


def _not_in_room(match: Match, turn: Turn) -> Match:
    assert match.playing_at
    if turn.now >= match.playing_at + turn.durations.not_in_room:
        raise Conflict("too_late")
    return replace(match, state=State.ROOM, playing_at=None, deadline_at=turn.now + turn.durations.room)


def _leave_play(match: Match, turn: Turn) -> Match:
    left = match.with_side(turn.seat, left_at=turn.now)
    return _free(replace(left, state=State.ABANDONED, deadline_at=turn.now + turn.durations.abandoned), turn.seat)


def _open_report(match: Match, turn: Turn) -> Match:
    pressed = match.with_side(turn.seat, pressed_at=turn.now)
    return replace(pressed, state=State.REPORTING, reporter=turn.seat, deadline_at=turn.now + turn.durations.press)


def _report_abandoned(match: Match, turn: Turn) -> Match:
    # §3.3: the stayer says the game was over. The leaver was freed on leaving and may still answer.
    pressed = match.with_side(turn.seat, pressed_at=turn.now)
    return _to_evidence(replace(pressed, reporter=turn.seat), Cause.OWN_CHOICE, turn.now, turn.durations)


def _leave_abandoned(match: Match, turn: Turn) -> Match:
    return _end(match, Outcome.VOID, Ending.NOT_FINISHED)


def _join_report(match: Match, turn: Turn) -> Match:
    if match.sides[turn.seat].pressed_at:
        raise Conflict("already_reported")
    return _reporting_clock(match.with_side(turn.seat, pressed_at=turn.now), turn)


def _reporting_clock(match: Match, turn: Turn) -> Match:
    """Set the clock of 4a, 4c or 4e after a press or a declaration."""
    sides = match.sides
    if not (sides[0].pressed_at and sides[1].pressed_at):
        return match  # 4a: the first press still counts
    declared = [side.claimed_at for side in sides if side.claimed_at]
    # 4c: two minutes from the declaration, or from the other's own press, if later: whichever has just happened
    return replace(match, deadline_at=turn.now + (turn.durations.declare if declared else turn.durations.both_silent))


def _declare(match: Match, turn: Turn) -> Match:
    claim = _claim(turn)
    if not match.sides[turn.seat].pressed_at:
        raise Conflict("report_first")
    if match.sides[turn.seat].claim:
        raise Conflict("already_declared")
    declared = match.with_side(turn.seat, claim=claim, claimed_at=turn.now)
    one, two = (side.claim for side in declared.sides)
    if one is None or two is None:
        return _reporting_clock(declared, turn)
    if agreed := agreement(one, two):
        return _end(declared, agreed, Ending.AGREED)
    return replace(declared, state=State.RECONFIRM, deadline_at=turn.now + turn.durations.reconfirm)


def _prove_instead(match: Match, turn: Turn) -> Match:
    if match.sides[1 - turn.seat].claim:
        raise Conflict("other_declared")
    return _to_evidence(match, Cause.OWN_CHOICE, turn.now, turn.durations)


def _not_over(match: Match, turn: Turn) -> Match:
    if match.sides[turn.seat].pressed_at:
        raise Conflict("already_reported")
    withdrawn = match
    for seat in (0, 1):
        withdrawn = withdrawn.with_side(seat, pressed_at=None, claim=None, claimed_at=None)
    withdrawn = replace(withdrawn, withdrawals=match.withdrawals + 1)
    if withdrawn.withdrawals >= 2:  # 4f: the second time in a match
        return _to_review(replace(withdrawn, cause=Cause.NOT_OVER_TWICE))
    return replace(withdrawn, state=State.PLAYING, reporter=None, deadline_at=turn.now + turn.durations.playing)


def _redeclare(match: Match, turn: Turn) -> Match:
    claim = _claim(turn)
    if match.sides[turn.seat].reclaim:
        raise Conflict("already_declared")
    declared = match.with_side(turn.seat, reclaim=claim, reclaimed_at=turn.now)
    one, two = (side.reclaim for side in declared.sides)
    if one is None or two is None:
        return replace(declared, deadline_at=turn.now + turn.durations.reconfirm)
    if agreed := agreement(one, two):
        return _end(declared, agreed, Ending.AGREED)
    return _to_evidence(declared, Cause.DISPUTE, turn.now, turn.durations)


def _answer(match: Match, turn: Turn) -> Match:
    if match.sides[turn.seat].answer:
        raise Conflict("already_answered")
    answer = Answer.SUBMITTED if turn.verb is Verb.SUBMIT else Answer.NONE
    answered = _free(match.with_side(turn.seat, answer=answer, answered_at=turn.now), turn.seat)
    if answer is Answer.NONE and match.cause is not Cause.DISPUTE and turn.seat == match.reporter:
        return _end(answered, _won_by(1 - turn.seat), Ending.NO_PROOF)  # §3.6, first row
    if all(side.answer for side in answered.sides):
        return _weigh(answered)
    return answered


MoveFunction = Callable[[Match, Turn], Match]


@dataclass(frozen=True, slots=True)
class Move:
    """Who may make a move, and every state that it can lead to."""

    who: Who
    leads_to: tuple[State, ...]
    make: MoveFunction


_S = State
MOVES: dict[tuple[State, Verb], Move] = {
    # §3.1
    (_S.ROOM, Verb.SET_ROOM): Move(Who.PLAYER1, (_S.ROOM,), _set_room),
    (_S.ROOM, Verb.ENTER): Move(Who.PLAYER2, (_S.PLAYING,), _enter),
    (_S.ROOM, Verb.WRONG_NUMBER): Move(Who.PLAYER2, (_S.ROOM,), _wrong_number),
    (_S.ROOM, Verb.LEAVE): Move(Who.EITHER, (_S.VOID,), _leave_room),
    # §3.2
    (_S.PLAYING, Verb.SET_ROOM): Move(Who.PLAYER1, (_S.PLAYING,), _set_room),
    (_S.PLAYING, Verb.REPORT): Move(Who.EITHER, (_S.REPORTING,), _open_report),
    (_S.PLAYING, Verb.LEAVE): Move(Who.EITHER, (_S.ABANDONED,), _leave_play),
    (_S.PLAYING, Verb.NOT_IN_ROOM): Move(Who.EITHER, (_S.ROOM,), _not_in_room),
    # §3.3
    (_S.ABANDONED, Verb.REPORT): Move(Who.STAYER, (_S.EVIDENCE,), _report_abandoned),
    (_S.ABANDONED, Verb.LEAVE): Move(Who.STAYER, (_S.VOID,), _leave_abandoned),
    # §3.4
    (_S.REPORTING, Verb.REPORT): Move(Who.OTHER, (_S.REPORTING,), _join_report),
    (_S.REPORTING, Verb.DECLARE): Move(Who.EITHER, (_S.REPORTING, _S.SETTLED, _S.RECONFIRM), _declare),
    (_S.REPORTING, Verb.PROVE_INSTEAD): Move(Who.FIRST, (_S.EVIDENCE,), _prove_instead),
    (_S.REPORTING, Verb.NOT_OVER): Move(Who.OTHER, (_S.PLAYING, _S.REVIEW), _not_over),
    # §3.5
    (_S.RECONFIRM, Verb.DECLARE): Move(Who.EITHER, (_S.RECONFIRM, _S.SETTLED, _S.EVIDENCE), _redeclare),
    # §3.6
    (_S.EVIDENCE, Verb.SUBMIT): Move(Who.EITHER, (_S.EVIDENCE, _S.REVIEW), _answer),
    (_S.EVIDENCE, Verb.NO_EVIDENCE): Move(Who.EITHER, (_S.EVIDENCE, _S.REVIEW, _S.SETTLED, _S.VOID), _answer),
}

# --- clocks ---


def _to_evidence(match: Match, cause: Cause, now: datetime, durations: Durations) -> Match:
    return replace(match, state=State.EVIDENCE, cause=cause, deadline_at=now + durations.evidence)


def _to_review(match: Match) -> Match:
    return _free(replace(match, state=State.REVIEW, deadline_at=None), 0, 1)


def _never_entered(match: Match, now: datetime, durations: Durations) -> Match:
    return _end(match, Outcome.VOID, Ending.NEVER_ENTERED)


def _never_reported(match: Match, now: datetime, durations: Durations) -> Match:
    return _end(match, Outcome.VOID, Ending.NEVER_REPORTED)


def _never_answered(match: Match, now: datetime, durations: Durations) -> Match:
    return _end(match, Outcome.VOID, Ending.ABANDONED)


def _silent_report(match: Match, now: datetime, durations: Durations) -> Match:
    silent = [seat for seat in (0, 1) if not match.sides[seat].pressed_at]
    if silent:  # 4a
        return _to_evidence(_free(match, *silent), Cause.NO_RESPONSE, now, durations)
    return _one_claim_stands(match, [side.claim for side in match.sides], Ending.SILENT_REPORT, now, durations)


def _silent_reconfirm(match: Match, now: datetime, durations: Durations) -> Match:
    return _one_claim_stands(match, [side.reclaim for side in match.sides], Ending.SILENT_RECONFIRM, now, durations)


def _one_claim_stands(
    match: Match, claims: list[Claim | None], ending: Ending, now: datetime, durations: Durations
) -> Match:
    for seat, claim in enumerate(claims):
        if claim:  # 4c and 5: the one declaration stands
            return _end(match, outcome_of(claim, seat), ending)
    return _to_evidence(_free(match, 0, 1), Cause.DISPUTE, now, durations)  # 4e and 5: both were silent


def _evidence_over(match: Match, now: datetime, durations: Durations) -> Match:
    return _weigh(match)


def _weigh(match: Match) -> Match:
    """The end of EVIDENCE: both have answered, or the time is up (§3.6)."""
    submitted = [side.answer is Answer.SUBMITTED for side in match.sides]
    if match.cause is not Cause.DISPUTE:
        assert match.reporter is not None
        if not submitted[match.reporter]:
            return _end(match, _won_by(1 - match.reporter), Ending.PROOF_TOO_LATE)
        return _to_review(match)
    if not any(submitted):
        return _end(match, Outcome.VOID, Ending.NOTHING_PROVEN)
    return _to_review(match)


ClockFunction = Callable[[Match, datetime, Durations], Match]

CLOCKS: dict[State, ClockFunction] = {
    State.ROOM: _never_entered,
    State.PLAYING: _never_reported,
    State.ABANDONED: _never_answered,
    State.REPORTING: _silent_report,
    State.RECONFIRM: _silent_reconfirm,
    State.EVIDENCE: _evidence_over,
}

# --- the public face ---


def _claim(turn: Turn) -> Claim:
    try:
        return Claim(turn.value)
    except ValueError:
        raise Invalid("bad_claim", field="claim") from None


def outcome_of(claim: Claim, seat: int) -> Outcome:
    """The outcome that a claim by `seat` says."""
    if claim is Claim.DRAW:
        return Outcome.DRAW
    return _won_by(seat if claim is Claim.WIN else 1 - seat)


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
    return 1.0 if outcome is _won_by(seat) else 0.0


def _won_by(seat: int) -> Outcome:
    return Outcome.PLAYER1 if seat == 0 else Outcome.PLAYER2


def is_due(match: Match, now: datetime) -> bool:
    """Whether the clock has run out: at the deadline itself it has."""
    return match.deadline_at is not None and now >= match.deadline_at


def play(
    match: Match, verb: Verb, seat: int, now: datetime, *, value: str = "", durations: Durations = Durations()
) -> Match:
    """The match after `seat` has made the move `verb`.

    Raises:
        Conflict: the state has no such move, it isn't this player's, or not now.
        Invalid: the room number or the claim can't be used.
    """
    move = MOVES.get((match.state, verb))
    if move is None:
        raise Conflict("wrong_state")
    if not is_for(move.who, match, seat):
        raise Conflict("not_yours_to_do")
    return move.make(match, Turn(verb, seat, now, durations, value))


def expire(match: Match, now: datetime, durations: Durations = Durations()) -> Match:
    """The match after its clock has run out. A period that starts by this starts at `now`."""
    return CLOCKS[match.state](match, now, durations)


def ruled(match: Match, outcome: Outcome) -> Match:
    """The match after a moderator's ruling, whether it was in REVIEW or had ended otherwise (§3.7, §3.8).

    Raises:
        Conflict: it still runs.
    """
    if match.state in RUNNING:
        raise Conflict("still_running")
    return _end(match, outcome, Ending.RULED)


_SAMPLE = {Verb.SET_ROOM: "1", Verb.DECLARE: Claim.WIN.value}


def refusal(match: Match, verb: Verb, seat: int, now: datetime, durations: Durations = Durations()) -> Conflict | None:
    """Why `seat` can't make the move `verb` now, or None if it can. The page's buttons ask this."""
    try:
        play(match, verb, seat, now, value=_SAMPLE.get(verb, ""), durations=durations)
    except Conflict as no:
        return no
    return None


def possible(match: Match, seat: int, now: datetime, durations: Durations = Durations()) -> list[Verb]:
    """The moves that `seat` can make now, in the order of §3."""
    return [
        verb for state, verb in MOVES if state is match.state and refusal(match, verb, seat, now, durations) is None
    ]


def awaited(match: Match) -> tuple[int, ...]:
    """The seats whose act the running clock waits for."""
    sides = match.sides
    match match.state:
        case State.ROOM:
            return (1,) if match.room_number else (0,)
        case State.PLAYING:
            return (0, 1)
        case State.ABANDONED:
            return tuple(seat for seat in (0, 1) if sides[seat].left_at is None)
        case State.REPORTING:
            if not all(side.pressed_at for side in sides):
                return tuple(seat for seat in (0, 1) if not sides[seat].pressed_at)
            return tuple(seat for seat in (0, 1) if not sides[seat].claim)
        case State.RECONFIRM:
            return tuple(seat for seat in (0, 1) if not sides[seat].reclaim)
        case State.EVIDENCE:
            return tuple(seat for seat in (0, 1) if not sides[seat].answer)
        case _:
            return ()
