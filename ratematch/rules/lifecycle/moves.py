"""The players' moves, in the order of rules §3: who may make each, what it makes of the match, where it can lead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from common.errors import Conflict, Invalid
from ratematch.rules.lifecycle.match import (
    Durations,
    Match,
    agreement,
    ended,
    freed,
    to_evidence,
    to_review,
    weighed,
    won_by,
)
from ratematch.rules.lifecycle.words import Answer, Cause, Claim, Ending, Outcome, State, Verb, Who

ROOM_NUMBER = re.compile(r"[0-9A-Za-z-]{1,20}")


def check_room_number(number: str) -> str:
    """The number, if it can be one: 1 to 20 letters, digits or hyphens (§3.1).

    Raises:
        Invalid: it can't.
    """
    if not ROOM_NUMBER.fullmatch(number):
        raise Invalid("bad_room_number", field="room_number")
    return number


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


@dataclass(frozen=True, slots=True)
class Turn:
    """One move being made: by whom, when, with what. `value` is a room number or a claim."""

    verb: Verb
    seat: int
    now: datetime
    durations: Durations
    value: str = ""


def _set_room(match: Match, turn: Turn) -> Match:
    return replace(match, room_number=check_room_number(turn.value))


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
    return ended(match.with_side(turn.seat, left_at=turn.now), Outcome.VOID, Ending.LEFT)


def _not_in_room(match: Match, turn: Turn) -> Match:
    assert match.playing_at
    if turn.now >= match.playing_at + turn.durations.not_in_room:
        raise Conflict("too_late")
    return replace(match, state=State.ROOM, playing_at=None, deadline_at=turn.now + turn.durations.room)


def _leave_play(match: Match, turn: Turn) -> Match:
    left = match.with_side(turn.seat, left_at=turn.now)
    return freed(replace(left, state=State.ABANDONED, deadline_at=turn.now + turn.durations.abandoned), turn.seat)


def _open_report(match: Match, turn: Turn) -> Match:
    pressed = match.with_side(turn.seat, pressed_at=turn.now)
    return replace(pressed, state=State.REPORTING, reporter=turn.seat, deadline_at=turn.now + turn.durations.press)


def _report_abandoned(match: Match, turn: Turn) -> Match:
    # §3.3: the stayer says the game was over. The leaver was freed on leaving and may still answer.
    pressed = match.with_side(turn.seat, pressed_at=turn.now)
    return to_evidence(replace(pressed, reporter=turn.seat), Cause.OWN_CHOICE, turn.now, turn.durations)


def _leave_abandoned(match: Match, turn: Turn) -> Match:
    return ended(match, Outcome.VOID, Ending.NOT_FINISHED)


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
        return ended(declared, agreed, Ending.AGREED)
    return replace(declared, state=State.RECONFIRM, deadline_at=turn.now + turn.durations.reconfirm)


def _prove_instead(match: Match, turn: Turn) -> Match:
    if match.sides[1 - turn.seat].claim:
        raise Conflict("other_declared")
    return to_evidence(match, Cause.OWN_CHOICE, turn.now, turn.durations)


def _not_over(match: Match, turn: Turn) -> Match:
    if match.sides[turn.seat].pressed_at:
        raise Conflict("already_reported")
    withdrawn = match
    for seat in (0, 1):
        withdrawn = withdrawn.with_side(seat, pressed_at=None, claim=None, claimed_at=None)
    withdrawn = replace(withdrawn, withdrawals=match.withdrawals + 1)
    if withdrawn.withdrawals >= 2:  # 4f: the second time in a match
        return to_review(replace(withdrawn, cause=Cause.NOT_OVER_TWICE))
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
        return ended(declared, agreed, Ending.AGREED)
    return to_evidence(declared, Cause.DISPUTE, turn.now, turn.durations)


def _answer(match: Match, turn: Turn) -> Match:
    if match.sides[turn.seat].answer:
        raise Conflict("already_answered")
    answer = Answer.SUBMITTED if turn.verb == Verb.SUBMIT else Answer.NONE
    answered = freed(match.with_side(turn.seat, answer=answer, answered_at=turn.now), turn.seat)
    if answer is Answer.NONE and match.cause is not Cause.DISPUTE and turn.seat == match.reporter:
        return ended(answered, won_by(1 - turn.seat), Ending.NO_PROOF)  # §3.6, first row
    if all(side.answer for side in answered.sides):
        return weighed(answered)
    return answered


def _claim(turn: Turn) -> Claim:
    try:
        return Claim(turn.value)
    except ValueError:
        raise Invalid("bad_claim", field="claim") from None


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
