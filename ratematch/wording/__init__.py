"""A match in words, as one viewer sees it: every state of rules §3 in plain language."""

from ratematch.wording.banner import at_zero, clock_label, headline, result_headline, summary
from ratematch.wording.choices import Choice, claim_choices
from ratematch.wording.endings import ending_words, ruled_words
from ratematch.wording.log import event_words, next_words
from ratematch.wording.marks import (
    CLAIMS,
    LETTERS,
    MARKS,
    MINUS,
    MY_CLAIMS,
    RESULTS,
    claim_words,
    length_words,
    move_words,
    signed,
    stars,
    stars_spoken,
)

__all__ = [
    "CLAIMS",
    "LETTERS",
    "MARKS",
    "MINUS",
    "MY_CLAIMS",
    "RESULTS",
    "Choice",
    "at_zero",
    "claim_choices",
    "claim_words",
    "clock_label",
    "ending_words",
    "event_words",
    "headline",
    "length_words",
    "move_words",
    "next_words",
    "result_headline",
    "ruled_words",
    "signed",
    "stars",
    "stars_spoken",
    "summary",
]
