"""WXF: `C2=5`, `H8+7`, and for pieces on one file `+C.2`.

The forms of tandem pawns are those of the federation's page: front, file and rear for three, `++` and `--` at the ends
of four or five, and the file in place of the letter when two files have tandem pawns.
"""

from __future__ import annotations

import re

from xiangqi.rules.notation.standing import Standing
from xiangqi.rules.pieces import Kind

LETTERS = {
    Kind.KING: "K",
    Kind.ADVISOR: "A",
    Kind.ELEPHANT: "E",
    Kind.HORSE: "H",
    Kind.ROOK: "R",
    Kind.CANNON: "C",
    Kind.PAWN: "P",
}
OTHER_LETTERS = {"N": "H", "B": "E", "G": "K", "S": "P"}
"""Letters of other programs: knight, bishop, general, soldier."""

PIECE = r"[KGAEBHNRCPS]"
PATTERN = rf"(?:{PIECE}[1-9+-]|[+-]{PIECE}|\+\+|--|[1-9][1-9+-])[=.+-][1-9]"
"""What a move looks like in capitals; also what the reader of records looks for."""

_WXF = re.compile(PATTERN)
_TO_OURS = str.maketrans(OTHER_LETTERS | {".": "="})


def read(text: str) -> tuple[str, str] | None:
    """A tidied text as (name of a piece, way), None when it isn't WXF."""
    capitals = text.upper()
    if not _WXF.fullmatch(capitals):
        return None
    ours = capitals.translate(_TO_OURS)
    return ours[:2], ours[2:]


def print_move(standing: Standing, way: str) -> str:
    """The move as it is printed: `=` is written `.` after a tandem form, as in `C2=5` and `+C.2`."""
    name = names(standing)[0]
    plain = name[0].isalpha() and name[1].isdigit()
    return name + (way if plain else way.replace("=", "."))


def names(standing: Standing) -> tuple[str, ...]:
    """What the piece may be called; the first is what we print.

    No other piece of the position has that first name, except two advisors or elephants that the way tells apart.
    """
    letter, file = LETTERS[standing.kind], str(standing.file)
    by_file = letter + file
    if standing.of == 1:
        return (by_file,)
    place = _place(standing)
    marked = (place + letter, letter + place) if place else ()
    if standing.told_by_way:
        return (by_file, *marked)
    if standing.kind is Kind.PAWN and standing.elsewhere:
        return (file + (place or file), *marked, by_file)
    if standing.of > 3 and standing.nth in (1, standing.of):
        return (place + place, *marked, by_file)
    if standing.of > 3 and place:
        return (letter + place, place + letter, by_file)
    return (*marked, by_file)


def _place(standing: Standing) -> str:
    """`+` in front, `-` in the rear, nothing for the one in the middle."""
    middle = (standing.of + 1) / 2
    if standing.nth == middle:
        return ""
    return "+" if standing.nth < middle else "-"
