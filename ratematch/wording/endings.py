"""Why a match ended as it did."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ratematch.models import Ruling
from ratematch.rules.lifecycle import Ending, Outcome
from ratematch.selectors import MatchView


def ending_words(view: MatchView) -> str:
    """Why it ended as it did, in a sentence or two."""
    ending = Ending(view.match.ending)
    if ending is Ending.AGREED:
        return _("Both declared the same result.") if view.seat is None else _("You both declared the same result.")
    if ending in (Ending.SILENT_REPORT, Ending.SILENT_RECONFIRM):
        return _who_was_silent(view, ending)
    if ending in (Ending.NO_PROOF, Ending.PROOF_TOO_LATE):
        return _who_had_no_proof(view, ending)
    if ending in (Ending.LEFT, Ending.NOT_FINISHED, Ending.ABANDONED):
        return _who_left(view, ending)
    if ending is Ending.RULED:
        return _("A moderator decided this match.")
    return {
        Ending.NEVER_ENTERED: _("Nobody entered the room in time. No rating changes."),
        Ending.NEVER_REPORTED: _("Nobody reported a result in time. No rating changes."),
        Ending.NOTHING_PROVEN: _("The claims differed, and neither side handed in evidence. No rating changes."),
    }[ending]


def _who_was_silent(view: MatchView, ending: Ending) -> str:
    claim = "claim" if ending is Ending.SILENT_REPORT else "reclaim"
    silent = next(side for side in view.match.seats if not getattr(side, claim))
    if silent.seat == view.seat:
        return _("You didn't declare in time, so your opponent's claim became the result.")
    if view.seat is None:
        return _("%(name)s didn't declare in time, so the other claim became the result.") % {"name": silent.player}
    return _("%(name)s didn't declare in time, so your claim became the result.") % {"name": silent.player}


def _who_had_no_proof(view: MatchView, ending: Ending) -> str:
    reporter = view.match.seats[view.match.reporter or 0]
    pressed = ending is Ending.NO_PROOF
    if reporter.seat == view.seat:
        return (
            _("You reported the match but had no evidence, so it counts as lost.")
            if pressed
            else _("You reported the match but handed in no evidence in time, so it counts as lost.")
        )
    name = {"name": reporter.player}
    if pressed:
        return _("%(name)s reported the match but had no evidence, so it counts as lost for them.") % name
    return _("%(name)s reported the match but handed in no evidence in time, so it counts as lost for them.") % name


def _who_left(view: MatchView, ending: Ending) -> str:
    leaver = next((side for side in view.match.seats if side.left_at), view.match.seats[0])
    name = {"name": leaver.player}
    mine = leaver.seat == view.seat
    if ending is Ending.LEFT:
        return (
            _("You left before the game began. No rating changes.")
            if mine
            else _("%(name)s left before the game began. No rating changes.") % name
        )
    if ending is Ending.NOT_FINISHED:
        return (
            _("You left during play, and the game wasn't over. No rating changes.")
            if mine
            else _("%(name)s left during play, and the game wasn't over. No rating changes.") % name
        )
    return (
        _("You left during play, and no result was reported. No rating changes.")
        if mine
        else _("%(name)s left during play, and no result was reported. No rating changes.") % name
    )


def ruled_words(ruling: Ruling, view: MatchView) -> str:
    """What a ruling decided."""
    names = {"one": view.match.seats[0].player, "two": view.match.seats[1].player}
    return {
        Outcome.PLAYER1: _("%(one)s won") % names,
        Outcome.PLAYER2: _("%(two)s won") % names,
        Outcome.DRAW: _("A draw"),
        Outcome.VOID: pgettext("ruling", "Void"),
    }[Outcome(ruling.outcome)]
