"""The banner of a match: what it is, what to do, and what happens at zero."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from ratematch.rules.lifecycle import Cause, Ending, State
from ratematch.selectors import MatchView
from ratematch.wording.endings import ending_words
from ratematch.wording.marks import move_words


def headline(view: MatchView) -> tuple[str, str]:
    """The heading and the sentence of the banner."""
    if view.seat is None:
        return _outside(view), ""
    words = {
        State.ROOM: _room,
        State.PLAYING: _playing,
        State.ABANDONED: _abandoned,
        State.REPORTING: _reporting,
        State.RECONFIRM: _reconfirm,
        State.EVIDENCE: _evidence,
        State.REVIEW: _review,
        State.SETTLED: _over,
        State.VOID: _over,
    }
    return words[view.state](view)


def _outside(view: MatchView) -> str:
    return {
        State.ROOM: _("The two are meeting in the game"),
        State.PLAYING: _("The game is being played"),
        State.ABANDONED: _("One player has left the game"),
        State.REPORTING: _("The players report the result"),
        State.RECONFIRM: _("The players' claims differ; both declare once more"),
        State.EVIDENCE: _("The players are asked for evidence"),
        State.REVIEW: _("A moderator decides"),
        State.SETTLED: _("The match is settled"),
        State.VOID: _("The match is void"),
    }[view.state]


def _room(view: MatchView) -> tuple[str, str]:
    opponent, number = str(view.other.player), view.value.room_number
    if view.seat == 0:
        if not number:
            return (
                _("Open a room and enter its number"),
                _("Open a room in the game. %(name)s sees the number as soon as you enter it here.")
                % {"name": opponent},
            )
        return (
            _("Waiting for %(name)s to come in") % {"name": opponent},
            _("They see room number %(number)s. You can correct it at any time.") % {"number": number},
        )
    if not number:
        return (
            _("Waiting for the room number"),
            _("%(name)s opens a room in the game and enters its number here.") % {"name": opponent},
        )
    return (
        _("Enter room %(number)s") % {"number": number},
        _("Go into the room in the game, then press “enter room” here."),
    )


def _playing(view: MatchView) -> tuple[str, str]:
    return (
        _("The game is on"),
        _("Play it to the end. Take a screenshot of the result before you leave the screen, then report it here."),
    )


def _abandoned(view: MatchView) -> tuple[str, str]:
    if view.me.left_at:
        return (
            _("You have left the match"),
            _("%(name)s now says whether the game was over. You are free to queue.") % {"name": view.other.player},
        )
    return (
        _("%(name)s has left the match") % {"name": view.other.player},
        _("Was the game over, and can you prove how it ended? Then report it. If it wasn't over, leave too."),
    )


def _reporting(view: MatchView) -> tuple[str, str]:
    me, other, name = view.me, view.other, {"name": str(view.other.player)}
    if not me.pressed_at:
        return (
            _("%(name)s says that the game is over") % name,
            _("If it is, report it too. If it isn't, say so."),
        )
    if not me.claim:
        if other.claim:
            return _("Your claim is awaited"), _("You have both reported, and %(name)s has declared first.") % name
        if other.pressed_at:
            return _("How did it end for you?"), _("You have both reported. Each of you now declares the result.")
        return (
            _("How did it end for you?"),
            _("%(name)s has been asked to report too. You can declare already.") % name,
        )
    if not other.pressed_at:
        return (
            _("Waiting for %(name)s to report") % name,
            _("You have declared. They have been asked to report too."),
        )
    return _("Waiting for the claim of %(name)s") % name, _("You have declared. When both agree, the match is settled.")


def _reconfirm(view: MatchView) -> tuple[str, str]:
    name = {"name": str(view.other.player)}
    if view.me.reclaim:
        return _("Waiting for %(name)s to declare again") % name, _("You have confirmed your claim.")
    return (
        _("Your claims differ. How did it end?"),
        _("Only what you both declare now counts. If you differ again, both are asked for evidence."),
    )


def _evidence(view: MatchView) -> tuple[str, str]:
    name = {"name": str(view.other.player)}
    if view.me.answer:
        return (
            _("Waiting for %(name)s to answer") % name,
            _("You have answered. There is nothing more for you to do, and you are free to queue."),
        )
    if view.me.handing_in_at:
        return _("Your pictures are being checked"), _("They are handed in as soon as they are through.")
    if view.value.cause is Cause.DISPUTE:
        return (
            _("Show how it ended"),
            _("Your claims don't agree. Hand in a screenshot, and a moderator decides."),
        )
    if view.seat == view.value.reporter:
        return _("Prove the result"), _("You reported this match. Without a screenshot you lose it.")
    return (
        _("Have you a screenshot?"),
        _("%(name)s reported the match and has to prove the result. You can hand in evidence of your own.") % name,
    )


def _review(view: MatchView) -> tuple[str, str]:
    return (
        _("A moderator decides"),
        _("There is nothing for you to do, and you are free to queue. You get a notice when the match is decided."),
    )


def _over(view: MatchView) -> tuple[str, str]:
    return result_headline(view), ending_words(view)


def result_headline(view: MatchView) -> str:
    """How it ended, in one line."""
    if view.state is State.VOID:
        return _("This match is void")
    if view.seat is None:
        return _("The match is settled")
    return {
        "win": _("You won"),
        "loss": _("You lost"),
        "draw": _("You drew"),
    }[view.me.result]


def clock_label(view: MatchView) -> str:
    """What the running clock is for, under the figure."""
    if view.seat is None:
        return _("left in this part")
    if not view.awaited:
        return _("left for your opponent")
    return {
        State.ROOM: _("left until play must begin"),
        State.PLAYING: _("left to play and report"),
        State.ABANDONED: _("left to answer"),
        State.REPORTING: _("left to declare") if view.me.pressed_at else _("left to report too"),
        State.RECONFIRM: _("left to declare again"),
        State.EVIDENCE: _("left for your evidence"),
    }[view.state]


def at_zero(view: MatchView) -> str:
    """The consequence of doing nothing, said to one of the two before it happens."""
    after = view.at_zero
    assert after
    stake = view.stake_of(after.outcome)
    if after.state is State.VOID:
        return _("At zero the match is void, and no rating changes.")
    if after.state is State.REVIEW:
        return _("At zero a moderator decides on what has been handed in.")
    if after.state is State.EVIDENCE:
        if after.cause is Cause.DISPUTE:
            return _("At zero both of you are asked for evidence.")
        if after.reporter == view.seat:
            return _("At zero you are asked to prove the result. Without a screenshot you lose.")
        return _("At zero your opponent is asked to prove the result. Without a screenshot they lose.")
    assert stake
    what = {1.0: _("you win"), 0.5: _("it is a draw"), 0.0: _("you lose")}[stake.result]
    words = {"what": what, "change": move_words(stake)}
    if after.ending is Ending.PROOF_TOO_LATE:
        return _("At zero the result counts as unproven: %(what)s, %(change)s.") % words
    if view.awaited:
        return _("At zero their claim stands: %(what)s, %(change)s.") % words
    return _("At zero your claim stands: %(what)s, %(change)s.") % words


def summary(view: MatchView) -> dict[str, Any]:
    """The banner's words, for a page that shows several matches."""
    heading, sentence = headline(view)
    words = {"view": view, "heading": heading, "sentence": sentence}
    if view.running:
        words |= {"clock_label": clock_label(view), "at_zero": at_zero(view)}
    return words
