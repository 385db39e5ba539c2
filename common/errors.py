"""How a rule says no.

A `Refusal` is an answer, not a failure: it carries a stable code that programs can test, facts that a sentence
needs (a time, a state), and which kind of no it is. Its words are written elsewhere, in the reader's language
(`common.problems`), because rules know no language.
"""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """A request that is turned down. Nothing has changed when one is raised.

    Args:
        code: stable, snake_case; every code is listed in docs/errors.md.
        field: the input that has to change, when it is one.
        facts: values that the sentence or a program needs, such as ``state`` or ``available_at``.
    """

    status = 409

    def __init__(self, code: str, *, field: str | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.facts = facts


class Conflict(Refusal):
    """Right in itself, but not now: the thing asked about is in another state (HTTP 409)."""


class Invalid(Refusal):
    """The input itself can't be used, whatever the state (HTTP 400)."""

    status = 400


class Forbidden(Refusal):
    """Not for this user (HTTP 403)."""

    status = 403


class TooMany(Refusal):
    """Too often in a short time (HTTP 429)."""

    status = 429


class Missing(Refusal):
    """There is no such thing, or none that this user may know of (HTTP 404)."""

    status = 404
