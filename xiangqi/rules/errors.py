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


class NoSuchPiece(Invalid):
    """A move in WXF or Chinese of a piece that isn't there; `facts["text"]` is the move."""

    def __init__(self, text: str) -> None:
        super().__init__("no_such_piece", field="move", text=text)


class AmbiguousMove(Invalid):
    """A move in WXF or Chinese that fits several pieces; `facts["moves"]` lists them in ICCS."""

    def __init__(self, text: str, moves: str) -> None:
        super().__init__("ambiguous_move", field="move", text=text, moves=moves)


class BadRecord(Invalid):
    """A game record that can't be read to its end; `facts["ply"]` is the first ply that is missing, 0 before any.

    What was read before stands. Its `__cause__` is the error of the move or of the FEN, if it is one of these.
    """

    def __init__(self, code: str, ply: int, **facts: object) -> None:
        super().__init__(code, field="record", ply=ply, **facts)
