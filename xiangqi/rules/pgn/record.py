"""What a game record holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from xiangqi.rules.errors import BadRecord
from xiangqi.rules.fen import START
from xiangqi.rules.squares import Move

UNKNOWN = "*"


class Format(StrEnum):
    """The notation of a record's moves, as its `[Format]` names it."""

    ICCS = "ICCS"
    WXF = "WXF"
    CHINESE = "Chinese"


@dataclass(slots=True)
class Record:
    """One game.

    Args:
        tags: as written, but for `Format`, `FEN` and `Result`, which have places of their own.
        fen: the position before the first move.
        moves: all that could be read.
        comments: by how many plies stand before them.
        result: `1-0` Red won, `0-1`, `1/2-1/2`, or `*` unknown.
        error: why there are no more moves, when there should be; None for a whole record.
    """

    tags: dict[str, str] = field(default_factory=dict)
    fen: str = START
    moves: list[Move] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    result: str = UNKNOWN
    error: BadRecord | None = None
