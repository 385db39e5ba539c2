"""Sides and pieces, and the small numbers that stand for pieces on the board.

A piece on the board is one int: a bit for its side and a number for its kind, so that "is it mine" is one `&` and an
empty square is 0.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple


class Side(Enum):
    """A side. Red moves first."""

    RED = "red"
    BLACK = "black"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.RED else Side.RED


class Kind(IntEnum):
    """The seven kinds of piece."""

    PAWN = 1
    ROOK = 2
    HORSE = 3
    CANNON = 4
    ADVISOR = 5
    ELEPHANT = 6
    KING = 7


RED, BLACK = 8, 16
"""The bit of a side."""

BOTH = RED | BLACK
"""`BOTH ^ bit` is the other side's."""

KIND = 7
"""The bits of a kind: `code & KIND`."""

PAWN, ROOK, HORSE, CANNON, ADVISOR, ELEPHANT, KING = (int(kind) for kind in Kind)
ATTACKERS = (PAWN, ROOK, HORSE, CANNON)
"""What can cross the river, and so win (§1.2 row 7)."""


class Piece(NamedTuple):
    """A piece as others see it."""

    side: Side
    kind: Kind

    @property
    def letter(self) -> str:
        """Its letter in a FEN: upper case for Red."""
        return LETTERS[self.code]

    @property
    def code(self) -> int:
        """Its number on the board."""
        return BITS[self.side] | self.kind


BITS = {Side.RED: RED, Side.BLACK: BLACK}
SIDES = {RED: Side.RED, BLACK: Side.BLACK}
_LETTERS = dict(zip(Kind, "PRNCABK", strict=True))
LETTERS: dict[int, str] = {
    bit | kind: letter if bit == RED else letter.lower() for bit in (RED, BLACK) for kind, letter in _LETTERS.items()
}
CODES: dict[str, int] = {letter: code for code, letter in LETTERS.items()} | {
    # Other programs' letters for elephant and horse.
    "E": RED | ELEPHANT,
    "e": BLACK | ELEPHANT,
    "H": RED | HORSE,
    "h": BLACK | HORSE,
}
PIECES: dict[int, Piece] = {bit | kind: Piece(side, kind) for side, bit in BITS.items() for kind in Kind}
