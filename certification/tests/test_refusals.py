"""Every error of the rules and of the hand has a code of its own, words for it, and says whose fault it is."""

import pytest

from certification.hand import errors as of_hands
from certification.refusals import TEXTS
from certification.rules import errors as of_rules
from common.errors import Refusal
from common.problems import text_for

BASES = (Refusal, of_rules.Impossible, of_hands.NotLegal)
ERRORS = {
    error
    for module in (of_rules, of_hands)
    for error in vars(module).values()
    if isinstance(error, type) and issubclass(error, (of_rules.Impossible, of_hands.NotLegal)) and error not in BASES
}
FACTS = dict.fromkeys(
    (
        "player",
        "other",
        "seat",
        "turn",
        "rank",
        "table",
        "version",
        "amount",
        "expected",
        "place",
        "chips",
        "needed",
        "card",
    ),
    "x",
)


def test_every_error_has_a_code_of_its_own_and_words():
    assert sorted(error.code for error in ERRORS) == sorted(TEXTS)
    assert len({error.code for error in ERRORS}) == len(ERRORS)


@pytest.mark.parametrize("error", sorted(ERRORS, key=lambda error: error.code), ids=lambda error: error.code)
def test_words_ask_only_for_facts_that_there_are(error):
    words = text_for(error(**FACTS))
    assert "%(" not in words
    asked = {fact for fact in FACTS if f"%({fact})s" in str(TEXTS[error.code])}
    assert all(f"`{fact}`" in error.__doc__ for fact in asked)
