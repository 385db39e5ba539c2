"""Marks, words of results and claims, and numbers with their sign."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache

from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from ratematch.models import Side
from ratematch.rules.lifecycle import Claim
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


def length_words(length: timedelta) -> str:
    """5 minutes or 45 seconds, as a part of a sentence."""
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    if seconds:
        n = minutes * 60 + seconds
        return ngettext("%(n)s second", "%(n)s seconds", n) % {"n": n}
    return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}


def signed(number: int) -> str:
    """+8, −24 or 0, with a real minus."""
    if number == 0:
        return "0"
    return f"+{number}" if number > 0 else f"{MINUS}{-number}"


def move_words(stake: Stake) -> str:
    """A change and where it leads: −13 (1612 → 1599)."""
    facts = {"change": signed(stake.applied), "before": stake.after - stake.applied, "after": stake.after}
    return _("%(change)s (%(before)s → %(after)s)") % facts


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
