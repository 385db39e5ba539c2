"""The life of a match (rules §3): states, moves and clocks, as data that can be read beside the page.

A `Match` here is a frozen value. `play` answers what a player's move makes of it, `expire` what its clock makes of
it; both return a new value or raise a `Refusal`. `MOVES` says who may do what in which state and where it can lead,
`CLOCKS` what happens in each state when time is up.
"""

from __future__ import annotations

from datetime import datetime

from common.errors import Conflict
from ratematch.rules.lifecycle.clocks import CLOCKS, awaited
from ratematch.rules.lifecycle.match import (
    Durations,
    Match,
    Side,
    agreement,
    ended,
    new_match,
    outcome_of,
    result_for,
)
from ratematch.rules.lifecycle.moves import MOVES, Move, Turn, is_for
from ratematch.rules.lifecycle.words import (
    ATTACHING,
    BY_SILENCE,
    RUNNING,
    Answer,
    Cause,
    Claim,
    Ending,
    Outcome,
    State,
    Verb,
    Who,
)

__all__ = [
    "ATTACHING",
    "BY_SILENCE",
    "CLOCKS",
    "MOVES",
    "RUNNING",
    "Answer",
    "Cause",
    "Claim",
    "Durations",
    "Ending",
    "Match",
    "Move",
    "Outcome",
    "Side",
    "State",
    "Verb",
    "Who",
    "agreement",
    "awaited",
    "expire",
    "is_due",
    "is_for",
    "new_match",
    "outcome_of",
    "play",
    "possible",
    "refusal",
    "result_for",
    "ruled",
]


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
    return ended(match, outcome, Ending.RULED)


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
