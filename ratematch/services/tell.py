"""Which notices a change of a match sends, and to whom. A step: called inside a command's transaction.

The page that is open shows everything live, and reading it marks these as read; they are for whoever looked away.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from accounts.services import notices
from ratematch.models import Match, RatingChange, Side
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb

BY_NEW_STATE = {
    State.RECONFIRM: "reconfirm",
    State.EVIDENCE: "evidence",
    State.REVIEW: "review",
    State.SETTLED: "ended",
    State.VOID: "ended",
}
BY_VERB = {
    Verb.SET_ROOM: "number_given",
    Verb.WRONG_NUMBER: "wrong_number",
    Verb.LEAVE: "opponent_left",
    Verb.NOT_IN_ROOM: "back_to_room",
    Verb.REPORT: "reported",
    Verb.NOT_OVER: "not_over",
    Verb.DECLARE: "declared",
}


def players(
    match: Match,
    old: lifecycle.Match,
    new: lifecycle.Match,
    verb: str,
    changes: Iterable[RatingChange],
    *,
    seat: int | None,
    now: datetime,
) -> None:
    """Notify the other side of what `seat` did, or both of what the clock or a moderator did.

    Args:
        changes: what it has just done to ratings.
    """
    if verb == "ruling":
        kind = "ruled"
    elif new.state is not old.state and new.state in BY_NEW_STATE:
        kind = BY_NEW_STATE[new.state]
    elif verb == Verb.REPORT and old.state is State.REPORTING:
        kind = ""  # the other side has reported before, and sees the page change
    else:
        kind = BY_VERB.get(verb, "")  # type: ignore[call-overload]  # verbs are words
    if not kind:
        return
    moved = {row.player_id: row for row in changes}
    told = {}
    for side in match.seats:
        if side.seat != seat:
            ending = _ending(match, side, moved.get(side.player_id)) if match.outcome else {}
            told[side.player.user_id] = _facts(match, side, **ending)
    _notify(match, kind, told, now)


def _ending(match: Match, side: Side, change: RatingChange | None) -> dict[str, Any]:
    return {
        "ending": match.ending,
        "result": side.result,
        "applied": change.applied if change else 0,
        "before": change.before if change else side.player.rating,
        "after": change.after if change else side.player.rating,
    }


def both(match: Match, kind: str, *, now: datetime) -> None:
    """One notice about a match to both sides."""
    _notify(match, kind, {side.player.user_id: _facts(match, side) for side in match.seats}, now)


def send(match: Match, side: Side, kind: str, *, now: datetime, **more: Any) -> None:
    """One notice about a match to one side."""
    _notify(match, kind, {side.player.user_id: _facts(match, side, **more)}, now)


def _notify(match: Match, kind: str, told: dict[int, dict[str, Any]], now: datetime) -> None:
    notices.notify_each(told, f"ratematch.{kind}", url=match.get_absolute_url(), now=now)


def _facts(match: Match, side: Side, **more: Any) -> dict[str, Any]:
    """What the notice's template needs, so that a list of notices costs one query."""
    facts = {"match": match.pk, "opponent": str(match.seats[1 - side.seat].player), **more}
    if match.cause and not match.outcome:
        facts["cause"] = match.cause
    return facts
