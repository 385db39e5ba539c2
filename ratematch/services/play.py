"""The players' moves in a match (rules §3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from common.errors import Conflict, Invalid, Refusal
from ratematch.conf import durations
from ratematch.models import Match
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import deadlines, penalties
from ratematch.services.transition import advance, locked, seat_of

if TYPE_CHECKING:
    from accounts.models import User


def make_move(*, match_id: int, actor: User, verb: Verb, seen: str, now: datetime, value: str = "") -> Match:
    """Make one move of §3 for `actor`; answers the match as it then stands.

    Args:
        seen: the state that the actor's page showed; a move meant for another state is refused.
        value: the room number (set_room_number) or the claim (declare).

    Raises:
        Missing: no such match.
        Forbidden: not the actor's match.
        Conflict: elsewhere by now, not this player's to do, or not now; `state` is among the facts.
        Invalid: the value can't be used.
    """
    if verb == Verb.SUBMIT:
        raise Invalid("use_submit", field="verb")  # evidence.submit knows whether there is something to submit
    with acting(match_id, actor, now) as (match, seat):
        check_seen(match, seen)
        new = played(match, verb, seat, now, value)
        facts = {"claim": value} if verb == Verb.DECLARE else {}
        advance(match, new, verb, now=now, seat=seat, actor=actor, facts=facts)
        if new.sides[seat].left_at == now:
            penalties.note_leaving(match.seats[seat].player, now)
    return match


@contextmanager
def acting(match_id: int, actor: User, now: datetime) -> Iterator[tuple[Match, int]]:
    """The frame of every player's command: the locked match and the actor's seat, in one durable transaction.

    A clock that has run out is applied first, and committed: the late click then finds the match elsewhere.

    Raises:
        Missing: no such match.
        Forbidden: not the actor's match.
    """
    deadlines.settle(match_id, now)
    with transaction.atomic(durable=True):
        match = locked(match_id)
        yield match, seat_of(match, actor)


def played(match: Match, verb: Verb, seat: int, now: datetime, value: str = "") -> lifecycle.Match:
    """Step: what a move makes of the locked match; a refusal says in which state it is."""
    try:
        return lifecycle.play(match.value(), verb, seat, now, value=value, durations=durations())
    except Refusal as refusal:
        refusal.facts.setdefault("state", match.state)
        raise


def check_seen(match: Match, seen: str) -> None:
    """Raise Conflict if the match isn't in the state that the actor's page showed."""
    if seen not in set(State):
        raise Invalid("bad_state", field="state")
    if seen != match.state:
        raise Conflict("match_moved", state=match.state)
