"""How the kernel says no. Every error is a `common.errors.Invalid` with a code of docs/errors.md and facts."""

from __future__ import annotations

from common.errors import Invalid


class BadFen(Invalid):
    """The text describes no position; its code says why, its facts where."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, field="fen", **facts)


class BadMove(Invalid):
    """The text isn't a move; `facts["text"]` is its beginning."""

    def __init__(self, text: str) -> None:
        super().__init__("bad_move", field="move", text=text[:20])


class IllegalMove(Invalid):
    """A move that the position doesn't allow; its code says why, `facts["move"]` which in ICCS."""

    def __init__(self, code: str, move: str, **facts: object) -> None:
        super().__init__(code, field="move", move=move, **facts)
