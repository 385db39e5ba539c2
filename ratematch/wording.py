"""A match in words, as one viewer sees it. What, how long, what then: every state of rules §3 in plain language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from ratematch.models import MatchEvent, Ruling, Side
from ratematch.rules.lifecycle import Cause, Claim, Ending, Outcome, State, Verb
from ratematch.selectors import MatchView, Stake

MINUS = "\u2212"

MARKS = {"win": "○", "loss": "●", "draw": "△", "void": "—"}
RESULTS = {
    "win": pgettext_lazy("result", "won"),
    "loss": pgettext_lazy("result", "lost"),
    "draw": pgettext_lazy("result", "drew"),
    "void": pgettext_lazy("result", "void"),
}
CLAIMS = {
    Claim.WIN: pgettext_lazy("claim of the other side", "They won"),
    Claim.LOSS: pgettext_lazy("claim of the other side", "They lost"),
    Claim.DRAW: pgettext_lazy("claim of the other side", "A draw"),
}
MY_CLAIMS = {
    Claim.WIN: pgettext_lazy("my claim", "I won"),
    Claim.LOSS: pgettext_lazy("my claim", "I lost"),
    Claim.DRAW: pgettext_lazy("my claim", "We drew"),
}
LETTERS = {"w": "win", "l": "loss", "d": "draw"}


def signed(number: int) -> str:
    """+8, −24 or 0, with a real minus."""
    if number == 0:
        return "0"
    return f"+{number}" if number > 0 else f"{MINUS}{-number}"


def move_words(stake: Stake) -> str:
    """A change and where it leads: −13 (1612 → 1599)."""
    facts = {"change": signed(stake.applied), "before": stake.after - stake.applied, "after": stake.after}
    return _("%(change)s (%(before)s → %(after)s)") % facts


# --- the banner: what, and what to do ---


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


# --- what happens at zero ---


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


# --- choices ---


@dataclass(frozen=True, slots=True)
class Choice:
    """One of three equal answers to "how did it end", with what it leads to."""

    claim: str
    mark: str
    label: str
    leads_to: str


def claim_choices(view: MatchView) -> list[Choice]:
    """Won, lost, drew: each says what it leads to, and all look alike."""
    labels = {Claim.WIN: _("I won"), Claim.LOSS: _("I lost"), Claim.DRAW: _("We drew")}
    made = []
    for claim, label in labels.items():
        after = view.after_claim(claim)
        if after:
            made.append(Choice(claim.value, MARKS[claim.value], label, _leads_to(view, after.state, after.outcome)))
    return made


def _leads_to(view: MatchView, state: State, outcome: Outcome | None) -> str:
    if state is State.SETTLED:
        stake = view.stake_of(outcome)
        return _("Agrees with them, so it is settled at once: %(change)s.") % {
            "change": move_words(stake) if stake else ""
        }
    if state is State.RECONFIRM and view.state is not state:
        return _("Differs from what they declared, so both declare once more.")
    if state is State.EVIDENCE:
        return _("Differs again, so both are asked for evidence.")
    return _("They see it at once, and declare too.")


# --- what happened ---

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


def event_words(event: MatchEvent, view: MatchView) -> str:
    """One line of the log."""
    if event.verb == "matched":
        return _("The match was made")
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


def ending_words(view: MatchView) -> str:
    """Why it ended as it did, in a sentence or two."""
    ending = Ending(view.match.ending)
    names = {"one": str(view.match.seats[0].player), "two": str(view.match.seats[1].player)}
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
    }[ending] % names


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


def stars(recent: str) -> str:
    """A record's newest results as marks: ○●△."""
    return "".join(MARKS[LETTERS[letter]] for letter in recent)


def stars_spoken(recent: str) -> str:
    """The same for those who can't see the marks."""
    return _stars_spoken(recent, get_language())


@lru_cache(maxsize=2048)
def _stars_spoken(recent: str, language: str | None) -> str:
    return ", ".join(str(RESULTS[LETTERS[letter]]) for letter in recent)


def claim_words(side: Side, claim: str, view: MatchView) -> str:
    """A claim on its card."""
    words = MY_CLAIMS if side.seat == view.seat else CLAIMS
    return str(words[Claim(claim)])
