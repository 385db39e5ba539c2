"""What happened in a match, line by line."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratematch.models import MatchEvent
from ratematch.rules.lifecycle import State, Verb
from ratematch.selectors import MatchView

_MINE = {
    Verb.SET_ROOM: gettext_lazy("You entered the room number"),
    Verb.ENTER: gettext_lazy("You entered the room; the game began"),
    Verb.WRONG_NUMBER: gettext_lazy("You said that the room number is wrong"),
    Verb.LEAVE: gettext_lazy("You left the match"),
    Verb.NOT_IN_ROOM: gettext_lazy("You said that you aren't both in the room yet"),
    Verb.REPORT: gettext_lazy("You reported the result"),
    Verb.NOT_OVER: gettext_lazy("You said that the game isn't over"),
    Verb.PROVE_INSTEAD: gettext_lazy("You chose to hand in evidence instead"),
    Verb.SUBMIT: gettext_lazy("You handed in evidence"),
    Verb.NO_EVIDENCE: gettext_lazy("You said that you have no evidence"),
    "attach": gettext_lazy("You attached a picture"),
    "contest": gettext_lazy("You contested the result"),
}
_THEIRS = {
    Verb.SET_ROOM: gettext_lazy("%(name)s entered the room number"),
    Verb.ENTER: gettext_lazy("%(name)s entered the room; the game began"),
    Verb.WRONG_NUMBER: gettext_lazy("%(name)s said that the room number is wrong"),
    Verb.LEAVE: gettext_lazy("%(name)s left the match"),
    Verb.NOT_IN_ROOM: gettext_lazy("%(name)s said that the two aren't in the room yet"),
    Verb.REPORT: gettext_lazy("%(name)s reported the result"),
    Verb.NOT_OVER: gettext_lazy("%(name)s said that the game isn't over"),
    Verb.PROVE_INSTEAD: gettext_lazy("%(name)s chose to hand in evidence instead"),
    Verb.SUBMIT: gettext_lazy("%(name)s handed in evidence"),
    Verb.NO_EVIDENCE: gettext_lazy("%(name)s has no evidence"),
    "attach": gettext_lazy("%(name)s attached a picture"),
    "contest": gettext_lazy("%(name)s contested the result"),
}
_MY_DECLARED = {
    "win": gettext_lazy("You declared that you won"),
    "loss": gettext_lazy("You declared that you lost"),
    "draw": gettext_lazy("You declared a draw"),
}
_THEIR_DECLARED = {
    "win": gettext_lazy("%(name)s declared that they won"),
    "loss": gettext_lazy("%(name)s declared that they lost"),
    "draw": gettext_lazy("%(name)s declared a draw"),
}
_CLOCK = {
    State.VOID: gettext_lazy("Time ran out: the match is void"),
    State.SETTLED: gettext_lazy("Time ran out: this clock decided the match"),
    State.EVIDENCE: gettext_lazy("Time ran out: evidence is asked for"),
    State.REVIEW: gettext_lazy("Time ran out: a moderator decides"),
}


_OUTSIDE = {
    State.ROOM: gettext_lazy("The two are not in the room yet"),
    State.PLAYING: gettext_lazy("The game is on"),
    State.ABANDONED: gettext_lazy("One player left the game"),
    State.REPORTING: gettext_lazy("The result is being reported"),
    State.RECONFIRM: gettext_lazy("The two claims differ"),
    State.EVIDENCE: gettext_lazy("Evidence is asked for"),
    State.REVIEW: gettext_lazy("A moderator decides"),
    State.SETTLED: gettext_lazy("The match was settled"),
    State.VOID: gettext_lazy("The match became void"),
}


def event_words(event: MatchEvent, view: MatchView) -> str:
    """One line of the log."""
    if event.verb == "matched":
        return _("The match was made")
    if not view.inside:
        return str(_OUTSIDE[State(event.state_to)])
    if event.verb == "clock":
        return str(_CLOCK[State(event.state_to)])
    if event.verb == "ruling":
        return _("A moderator ruled")
    mine = event.seat == view.seat
    name = {"name": str(view.match.seats[event.seat or 0].player)}
    if event.verb == Verb.DECLARE:
        return str((_MY_DECLARED if mine else _THEIR_DECLARED)[event.facts["claim"]]) % name
    return str((_MINE if mine else _THEIRS)[event.verb]) % name


def next_words(view: MatchView) -> str:
    """The dashed end of the log: what is waited for."""
    if view.awaited:
        return _("You are awaited")
    if view.seat is None:
        return _("The players are awaited")
    return _("%(name)s is awaited") % {"name": view.other.player}
