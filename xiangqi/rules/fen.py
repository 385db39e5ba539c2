"""FENs read and written. What can't be a position is a `BadFen` that says why."""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.rules.errors import BadFen
from xiangqi.rules.movegen import attacked
from xiangqi.rules.pieces import (
    ADVISOR,
    BLACK,
    BOTH,
    CODES,
    ELEPHANT,
    KIND,
    KING,
    LETTERS,
    PAWN,
    RED,
)
from xiangqi.rules.squares import FILES, NAMES, RANKS, SQUARES, rank_of, square_at
from xiangqi.rules.tables import ELEPHANT as ELEPHANT_STEPS
from xiangqi.rules.tables import PALACE

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
LONGEST = 120
"""Characters; no FEN of a position is longer."""
_TURNS = {"w": RED, "r": RED, "b": BLACK}
_FIRST_RANK = {RED: 0, BLACK: RANKS - 1}
_CLOCK_DIGITS = 4


class Setup(NamedTuple):
    """What a FEN says."""

    squares: list[int]
    turn: int
    """The bit of the side to move."""
    quiet: int
    """Effective plies since the last capture (§1.2 row 5)."""
    number: int
    """Of the move, from 1."""


def read(fen: str) -> Setup:
    """Read a FEN: the board, `w` or `r` or `b`, and, if they are there, `- -` and two clocks. Raises `BadFen`."""
    if len(fen) > LONGEST:
        raise BadFen("fen_too_long", limit=LONGEST)
    fields = fen.split()
    if len(fields) not in (2, 4, 6) or fields[2:4] not in ([], ["-", "-"]):
        raise BadFen("fen_fields")
    if fields[1] not in _TURNS:
        raise BadFen("fen_turn", text=fields[1])
    squares, turn = _read_board(fields[0]), _TURNS[fields[1]]
    quiet, number = (_read_clock(text) for text in fields[4:] or ("0", "1"))
    _check_places(squares)
    _check_counts(squares)
    if attacked(squares, squares.index(BOTH ^ turn | KING), turn):
        raise BadFen("fen_check")
    return Setup(squares, turn, quiet, max(number, 1))


def write(setup: Setup) -> str:
    """The FEN of a position, with `w` for Red."""
    ranks = []
    for rank in reversed(range(RANKS)):
        text, gap = "", 0
        for code in setup.squares[rank * FILES : (rank + 1) * FILES]:
            if code:
                text += (str(gap) if gap else "") + LETTERS[code]
                gap = 0
            else:
                gap += 1
        ranks.append(text + (str(gap) if gap else ""))
    return f"{'/'.join(ranks)} {'w' if setup.turn == RED else 'b'} - - {setup.quiet} {setup.number}"


def _read_board(text: str) -> list[int]:
    ranks = text.split("/")
    if len(ranks) != RANKS:
        raise BadFen("fen_ranks", found=len(ranks))
    squares: list[int] = []
    for rank, row in zip(reversed(range(RANKS)), ranks, strict=True):
        codes: list[int] = []
        for letter in row:
            if letter in CODES:
                codes.append(CODES[letter])
            elif letter in "123456789":
                codes += [0] * int(letter)
            else:
                raise BadFen("fen_letter", letter=letter, rank=rank)
        if len(codes) != FILES:
            raise BadFen("fen_files", rank=rank, found=len(codes))
        squares = codes + squares
    return squares


def _read_clock(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _CLOCK_DIGITS):
        raise BadFen("fen_clock", text=text)
    return int(text)


def _check_places(squares: list[int]) -> None:
    """No piece stands where it can't have come."""
    for square, code in enumerate(squares):
        if code and square not in _PLACES[code]:
            raise BadFen("fen_place", piece=LETTERS[code], square=NAMES[square])


def _check_counts(squares: list[int]) -> None:
    """One king a side, and no more of the others than there are in the set."""
    for code, letter in LETTERS.items():
        found = squares.count(code)
        if code & KIND == KING and found != 1:
            raise BadFen("fen_kings", piece=letter, found=found)
        if found > (5 if code & KIND == PAWN else 2):
            raise BadFen("fen_too_many", piece=letter, found=found)


def _places(code: int) -> frozenset[int]:
    """Where a piece can ever stand."""
    kind, bit = code & KIND, code & BOTH
    # Published positions have advisors on any square of the palace, and pawns on their own bank where none can have
    # come. They do no harm there, so they are let in.
    if kind in (KING, ADVISOR):
        return PALACE[bit]
    if kind == ELEPHANT:
        reached: set[int] = set()
        new = {square_at(2, _FIRST_RANK[bit])}
        while new:
            reached |= new
            new = {target for source in new for _, target, _ in ELEPHANT_STEPS[source]} - reached
        return frozenset(reached)
    if kind == PAWN:
        return frozenset(s for s in SQUARES if rank_of(s) != _FIRST_RANK[bit])
    return frozenset(SQUARES)


_PLACES = {code: _places(code) for code in LETTERS}
