"""What happens in each state of a match when time is up (rules §3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ratematch.rules.lifecycle.match import Durations, Match, ended, freed, outcome_of, to_evidence, weighed
from ratematch.rules.lifecycle.words import Cause, Claim, Ending, Outcome, State


def _never_entered(match: Match, now: datetime, durations: Durations) -> Match:
    return ended(match, Outcome.VOID, Ending.NEVER_ENTERED)


def _never_reported(match: Match, now: datetime, durations: Durations) -> Match:
    return ended(match, Outcome.VOID, Ending.NEVER_REPORTED)


def _never_answered(match: Match, now: datetime, durations: Durations) -> Match:
    return ended(match, Outcome.VOID, Ending.ABANDONED)


def _silent_report(match: Match, now: datetime, durations: Durations) -> Match:
    silent = [seat for seat in (0, 1) if not match.sides[seat].pressed_at]
    if silent:  # 4a
        return to_evidence(freed(match, *silent), Cause.NO_RESPONSE, now, durations)
    return _one_claim_stands(match, [side.claim for side in match.sides], Ending.SILENT_REPORT, now, durations)


def _silent_reconfirm(match: Match, now: datetime, durations: Durations) -> Match:
    return _one_claim_stands(match, [side.reclaim for side in match.sides], Ending.SILENT_RECONFIRM, now, durations)


def _one_claim_stands(
    match: Match, claims: list[Claim | None], ending: Ending, now: datetime, durations: Durations
) -> Match:
    for seat, claim in enumerate(claims):
        if claim:  # 4c and 5: the one declaration stands
            return ended(match, outcome_of(claim, seat), ending)
    return to_evidence(freed(match, 0, 1), Cause.DISPUTE, now, durations)  # 4e and 5: both were silent


def _evidence_over(match: Match, now: datetime, durations: Durations) -> Match:
    return weighed(match)


ClockFunction = Callable[[Match, datetime, Durations], Match]

CLOCKS: dict[State, ClockFunction] = {
    State.ROOM: _never_entered,
    State.PLAYING: _never_reported,
    State.ABANDONED: _never_answered,
    State.REPORTING: _silent_report,
    State.RECONFIRM: _silent_reconfirm,
    State.EVIDENCE: _evidence_over,
}


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
