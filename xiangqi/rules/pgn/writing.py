"""Records written, as other programs for xiangqi write and read them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from xiangqi.rules.board import Board
from xiangqi.rules.fen import START
from xiangqi.rules.pgn.record import Format, Record
from xiangqi.rules.pieces import Side
from xiangqi.rules.squares import Move

GAME = "Chinese Chess"
"""What `[Game]` says in every record of xiangqi."""

ALWAYS = ("Event", "Site", "Date", "Round", "Red", "Black")
UNKNOWN_DATE = "????.??.??"
_BRACES = str.maketrans("{}", "()")


def write(record: Record, notation: Format = Format.CHINESE, *, simplified: bool = False) -> str:
    """The record as text, one move of both sides a line. What is missing of its usual tags is written as unknown.

    Braces in comments become round brackets, for nothing can stand for them there.
    """
    return "".join(f"{line}\n" for line in chain(_tags(record, notation), [""], _moves(record, notation, simplified)))


def _tags(record: Record, notation: Format) -> Iterator[str]:
    unknown = dict.fromkeys(ALWAYS, "?") | {"Date": UNKNOWN_DATE}
    tags = {"Game": GAME} | unknown | record.tags | {"Result": record.result, "Format": notation.value}
    if record.fen != START:
        tags["FEN"] = record.fen
    for name, value in tags.items():
        flat = " ".join(value.split())
        escaped = flat.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'


def _moves(record: Record, notation: Format, simplified: bool) -> Iterator[str]:
    board = Board(record.fen)
    number = board.setup.number
    line = ""
    if 0 in record.comments:
        yield _comment(record.comments[0])
    for ply, move in enumerate(record.moves, 1):
        if board.turn is Side.RED:
            line = f"{number}. {_printed(board, move, notation, simplified)}"
        else:
            line = f"{line or f'{number}. ...'} {_printed(board, move, notation, simplified)}"
            number += 1
        board.push(move)
        comment = record.comments.get(ply)
        if comment is not None or board.turn is Side.RED:
            yield line
            line = ""
        if comment is not None:
            yield _comment(comment)
    if line:
        yield line
    yield record.result


def _comment(text: str) -> str:
    return f"{{{text.translate(_BRACES)}}}"


def _printed(board: Board, move: Move, notation: Format, simplified: bool) -> str:
    if notation is Format.WXF:
        return board.wxf(move)
    if notation is Format.CHINESE:
        return board.chinese(move, simplified=simplified)
    source, target = move.iccs()[:2], move.iccs()[2:]
    return f"{source}-{target}".upper()
