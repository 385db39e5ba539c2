"""Chinese notation: 炮二平五, 馬８進７, 前車進一, and the forms of pawns on one file.

Red's files and steps are written in Chinese numerals and Black's in digits; read, either does for either side, and so
do traditional and simplified characters, wide and narrow digits.
"""

from __future__ import annotations

import re

from xiangqi.rules.notation.standing import ACROSS, AHEAD, BACK, Standing
from xiangqi.rules.pieces import Kind, Side

PIECES = {
    Kind.KING: "帥帅將将",
    Kind.ADVISOR: "仕士",
    Kind.ELEPHANT: "相象",
    Kind.HORSE: "馬马傌",
    Kind.ROOK: "車车俥",
    Kind.CANNON: "炮砲包",
    Kind.PAWN: "兵卒",
}
"""Every character of a kind that is read."""

PRINTED = {
    Side.RED: dict(zip(Kind, "兵車馬炮仕相帥", strict=True)),
    Side.BLACK: dict(zip(Kind, "卒車馬炮士象將", strict=True)),
}
SIMPLER = str.maketrans("帥將馬車後進", "帅将马车后进")
"""From what we print in traditional characters to simplified ones."""

WAYS = {AHEAD: "進进上", BACK: "退下", ACROSS: "平"}
FRONT, MIDDLE, REAR = "前", "中", "後"
NUMERALS = "一二三四五六七八九"
NARROW, WIDE = "123456789", "１２３４５６７８９"

_TO_OURS = str.maketrans(
    {character: PRINTED[Side.RED][kind] for kind, characters in PIECES.items() for character in characters}
    | {character: sign for sign, characters in WAYS.items() for character in characters}
    | dict(zip(NUMERALS, NARROW, strict=True))
    | {"后": REAR}
)
_PIECES_OF = {
    side: str.maketrans("".join(PRINTED[Side.RED].values()), "".join(pieces.values()))
    for side, pieces in PRINTED.items()
}
_ANY = "".join(PIECES.values())
_NUMBER = f"[{NARROW}{WIDE}{NUMERALS}]"
_PLACE = f"[{FRONT}{MIDDLE}{REAR}后]"
PATTERN = (
    f"(?:[{_ANY}](?:{_NUMBER}|{_PLACE})|(?:{_PLACE}|{_NUMBER})[{_ANY}]{_NUMBER}?|{_PLACE}{_NUMBER}[{_ANY}]?)"
    f"[{''.join(WAYS.values())}]{_NUMBER}"
)
"""What a move looks like; also what the reader of records looks for."""

_CHINESE = re.compile(PATTERN)


def read(text: str) -> tuple[str, str] | None:
    """A tidied text as (name of a piece, way), None when it isn't Chinese notation."""
    if not _CHINESE.fullmatch(text):
        return None
    ours = text.translate(_TO_OURS)
    return ours[:-2], ours[-2:]


def print_move(standing: Standing, way: str, side: Side, *, simplified: bool) -> str:
    """The move in the characters and digits of its side; simplified characters go with narrow digits [ours]."""
    digits = NUMERALS if side is Side.RED else NARROW if simplified else WIDE
    numbered = str.maketrans(NARROW, digits)
    name = names(standing)[0].translate(_PIECES_OF[side])
    # Which pawn of four or five is told in numerals by both sides: 二卒平5.
    head, tail = name[0].translate(str.maketrans(NARROW, NUMERALS)), name[1:].translate(numbered)
    whole = head + tail + WAYS[way[0]][0] + way[1].translate(numbered)
    return whole.translate(SIMPLER) if simplified else whole


def names(standing: Standing) -> tuple[str, ...]:
    """What the piece may be called, in Red's characters with narrow digits; the first is what we print.

    No other piece of the position has that first name, except two advisors or elephants that the way tells apart.
    """
    piece, file = PRINTED[Side.RED][standing.kind], str(standing.file)
    by_file = piece + file
    if standing.of == 1:
        return (by_file,)
    places = [place + piece for place in _places(standing)] + [piece + place for place in _places(standing)]
    if standing.told_by_way:
        return (by_file, *places)
    if standing.kind is not Kind.PAWN:
        return (*places, by_file)
    with_file = [f"{place}{form}" for place in _places(standing) for form in (file, piece + file, file + piece)]
    if standing.elsewhere:
        return (*with_file, *places, f"{standing.overall}{piece}", by_file)
    numbered = f"{standing.nth}{piece}"
    if standing.of > 3:
        return (numbered, *places, by_file)
    return (*places, numbered, *with_file, by_file)


def _places(standing: Standing) -> tuple[str, ...]:
    if standing.nth == 1:
        return (FRONT,)
    if standing.nth == standing.of:
        return (REAR,)
    return (MIDDLE,) if 2 * standing.nth == standing.of + 1 else ()
