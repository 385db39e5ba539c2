"""Three equal answers to “how did it end”."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ratematch.rules.lifecycle import Claim, Outcome, State
from ratematch.selectors import MatchView
from ratematch.wording.marks import MARKS, move_words


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
