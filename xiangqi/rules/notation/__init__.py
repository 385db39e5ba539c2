"""Moves in words: ICCS (`h2e2`), WXF (`C2=5`) and Chinese (炮二平五), printed and read.

What we print in a position is always read back as the same move. Reading is wider than printing: each piece has
several names (`names` in `wxf` and `chinese`), and a name that fits more pieces than one is taken if only one of them
can legally make the move.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from xiangqi.rules.errors import AmbiguousMove, BadMove, IllegalMove, NoSuchPiece
from xiangqi.rules.notation import chinese, wxf
from xiangqi.rules.notation.standing import Standing, standing, way
from xiangqi.rules.pieces import Side
from xiangqi.rules.squares import SQUARES, Move

if TYPE_CHECKING:
    from xiangqi.rules.board import Board

LONGEST = 16
"""Characters; no move in any notation is longer."""

_DASHES = str.maketrans("−–—‐‑", "-----")


def to_wxf(board: Board, move: Move) -> str:
    """A legal move in WXF; raises `IllegalMove`."""
    _check_legal(board, move)
    ours = _Men(board)
    return wxf.print_move(ours.standing(move.source), ours.way(move))


def to_chinese(board: Board, move: Move, *, simplified: bool = False) -> str:
    """A legal move in Chinese: 馬８進７, or simplified 马8进7; raises `IllegalMove`."""
    _check_legal(board, move)
    ours = _Men(board)
    return chinese.print_move(ours.standing(move.source), ours.way(move), board.turn, simplified=simplified)


def parse(board: Board, text: str) -> Move:
    """The legal move that `text` names in any of the three notations.

    Raises:
        BadMove: it is none of them.
        NoSuchPiece: no piece is called so.
        AmbiguousMove: several pieces are, and can go there.
        IllegalMove: the piece can't go there.
    """
    text = text.strip() if len(text) <= 2 * LONGEST else text[: 2 * LONGEST]
    if len(text) > LONGEST:
        raise BadMove(text)
    tidy = unicodedata.normalize("NFKC", text).translate(_DASHES)
    if told := wxf.read(tidy):
        return _find(board, text, told, wxf.names)
    if told := chinese.read(tidy):
        return _find(board, text, told, chinese.names)
    move = Move.from_iccs(tidy)
    _check_legal(board, move)
    return move


def _check_legal(board: Board, move: Move) -> None:
    if move not in board.legal_moves:
        board.push(move)  # which says why it can't be


class _Men:
    """The pieces of the side to move, by kind."""

    def __init__(self, board: Board) -> None:
        self._side: Side = board.turn
        self._kinds = {square: piece.kind for square, piece in board.pieces(board.turn).items()}

    def __iter__(self) -> Iterator[int]:
        return iter(self._kinds)

    def standing(self, square: int) -> Standing:
        kind = self._kinds[square]
        return standing(square, kind, self._side, [other for other, its in self._kinds.items() if its is kind])

    def way(self, move: Move) -> str:
        return way(move, self._kinds[move.source], self._side)


def _find(board: Board, text: str, told: tuple[str, str], names: Callable[[Standing], tuple[str, ...]]) -> Move:
    """The legal move of a piece that may be called so, in the way that was told."""
    name, way_told = told
    men = _Men(board)
    printed, possible = [], []
    for move in board.legal_moves:
        if men.way(move) == way_told:
            called = names(men.standing(move.source))
            if name == called[0]:
                printed.append(move)
            elif name in called:
                possible.append(move)
    found = printed or possible
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousMove(text, ", ".join(move.iccs() for move in found))
    meant = [square for square in men if name in names(men.standing(square))]
    if not meant:
        raise NoSuchPiece(text)
    moves = (Move(source, target) for source in meant for target in SQUARES if target != source)
    raise _why_not(board, text, [move for move in moves if men.way(move) == way_told])


def _why_not(board: Board, text: str, moves: list[Move]) -> IllegalMove:
    """What is wrong with moves of which none is legal: that one would leave the king to be taken, or all else."""
    for move in moves:
        try:
            board.push(move)
        except IllegalMove as refusal:
            if refusal.code == "move_exposes_king":
                return refusal
    return IllegalMove("move_impossible", text)
