"""Counting the leaves of the tree of legal moves: how a move generator is compared with others."""

from __future__ import annotations

from xiangqi.rules.board import Board
from xiangqi.rules.movegen import legal_moves
from xiangqi.rules.pieces import BOTH, KIND, KING


def perft(board: Board, depth: int) -> int:
    """How many sequences of `depth` legal moves there are; the last ply is counted, not played. No rule of §1.2."""
    if depth < 1:
        return 1
    setup = board.setup
    squares = list(setup.squares)
    kings = {bit: squares.index(bit | KING) for bit in (setup.turn, BOTH ^ setup.turn)}
    return _count(squares, setup.turn, kings, depth)


def _count(squares: list[int], turn: int, kings: dict[int, int], depth: int) -> int:
    moves = legal_moves(squares, turn, kings[turn])
    if depth == 1:
        return len(moves)
    leaves, king = 0, kings[turn]
    for source, target in moves:
        piece, taken = squares[source], squares[target]
        squares[source], squares[target] = 0, piece
        if piece & KIND == KING:
            kings[turn] = target
        leaves += _count(squares, BOTH ^ turn, kings, depth - 1)
        squares[source], squares[target] = piece, taken
        kings[turn] = king
    return leaves
