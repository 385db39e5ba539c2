"""The board's 90 squares, their ICCS names, and `Move`.

A square is an int from 0 (a0, Red's left corner) to 89 (i9): `9 * rank + file`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from xiangqi.rules.errors import BadMove

FILES, RANKS = 9, 10
SQUARES = range(FILES * RANKS)
NAMES = tuple(f"{file}{rank}" for rank in range(RANKS) for file in "abcdefghi")
_BY_NAME = {name: square for square, name in enumerate(NAMES)}
_ICCS = re.compile(r"([a-iA-I][0-9])-?([a-iA-I][0-9])")


def square_at(file: int, rank: int) -> int:
    """The square on a file (0 is a) and a rank (0 is Red's own)."""
    return FILES * rank + file


def file_of(square: int) -> int:
    """0 for the a-file to 8 for the i-file."""
    return square % FILES


def rank_of(square: int) -> int:
    """0 for Red's own rank to 9 for Black's."""
    return square // FILES


def name_of(square: int) -> str:
    """Its name, such as `e0`."""
    return NAMES[square]


class Move(NamedTuple):
    """From one square to another. What moves, and what is captured, the board knows."""

    source: int
    target: int

    @classmethod
    def from_iccs(cls, text: str) -> Move:
        """Read `h2e2`, also `H2-E2`; raises `BadMove`."""
        match = _ICCS.fullmatch(text)
        if not match:
            raise BadMove(text)
        return cls(_BY_NAME[match[1].lower()], _BY_NAME[match[2].lower()])

    def iccs(self) -> str:
        """The move as `h2e2`."""
        return NAMES[self.source] + NAMES[self.target]

    def __str__(self) -> str:
        return self.iccs()
