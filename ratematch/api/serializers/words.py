"""Fields for words of the rules: closed lists, with null where a column is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from ratematch.rules import lifecycle

SEATS = ["player1", "player2"]
"""What the API calls seat 0 and seat 1; outcomes use the same words."""

STATES = [word.value for word in lifecycle.State]
CLAIMS = [word.value for word in lifecycle.Claim]
OUTCOMES = [word.value for word in lifecycle.Outcome]
ENDINGS = [word.value for word in lifecycle.Ending]
CAUSES = [word.value for word in lifecycle.Cause]
ANSWERS = [word.value for word in lifecycle.Answer]
VERBS = [word.value for word in lifecycle.Verb]
MOVES = [word for word in VERBS if word != lifecycle.Verb.SUBMIT]
"""What a player can do at a match's `moves`; evidence is handed in elsewhere."""
RESULTS = ["win", "draw", "loss", "void"]


class WordField(serializers.ChoiceField):
    """One of a closed list of words; an empty column is null."""

    def __init__(self, words: Sequence[str], **kwargs: Any) -> None:
        super().__init__(words, read_only=True, allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return value or None


class SeatField(serializers.ChoiceField):
    """A seat."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(SEATS, read_only=True, **kwargs)

    def to_representation(self, value: Any) -> str:
        return SEATS[value]
