"""What a choice leads to, said before it is made."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from ratematch import wording
from ratematch.rules.lifecycle import State, Verb
from ratematch.selectors import MatchView
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db

TOLD = "They see it at once, and declare too."
EVIDENCE = "Differs again, so both are asked for evidence."


def leads_to(table: Table, seat: int) -> list[str]:
    choices = wording.claim_choices(MatchView(table.row, table.user(seat), table.now))
    return [choice.leads_to for choice in choices]


def test_first_of_two_to_declare_again_contradicts_nobody():
    table = Table().to(State.RECONFIRM)
    assert leads_to(table, 0) == [TOLD] * 3


def test_second_to_declare_again_settles_it_or_goes_to_evidence():
    table = Table().to(State.RECONFIRM)
    table.move(0, Verb.DECLARE, "win")
    won, lost, drew = leads_to(table, 1)
    assert lost.startswith("Agrees with them")
    assert won == drew == EVIDENCE


@pytest.mark.parametrize(
    ("seconds", "words"), [(300, "5 minutes"), (60, "1 minute"), (45, "45 seconds"), (90, "90 seconds")]
)
def test_notice_names_the_time_that_is_set(settings, seconds, words):
    settings.RATEMATCH = settings.RATEMATCH | {"DURATIONS_S": {"evidence": seconds}}
    facts = {"opponent": "tobira-04", "match": 7}
    text = render_to_string("ratematch/notices/evidence.html", {"facts": facts})
    assert f"You have {words}." in text
