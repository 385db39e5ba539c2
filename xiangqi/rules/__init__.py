"""Xiangqi for programs: the board, its rules, and the referee. Pure Python, usable by itself.

>>> from xiangqi.rules import Board
>>> board = Board()
>>> board.push_iccs("h2e2").iccs()
'h2e2'
>>> len(board.legal_moves), board.is_check(), board.outcome()
(45, False, None)
"""

from xiangqi.rules.board import Board
from xiangqi.rules.errors import AmbiguousMove, BadFen, BadMove, BadRecord, IllegalMove, NoSuchPiece
from xiangqi.rules.fen import START
from xiangqi.rules.outcome import Detail, LimitWarning, Man, Offence, Outcome, Run, Termination
from xiangqi.rules.perft import perft
from xiangqi.rules.pieces import Kind, Piece, Side
from xiangqi.rules.squares import Move

__all__ = [
    "START",
    "AmbiguousMove",
    "BadFen",
    "BadMove",
    "BadRecord",
    "Board",
    "Detail",
    "IllegalMove",
    "Kind",
    "LimitWarning",
    "Man",
    "Move",
    "NoSuchPiece",
    "Offence",
    "Outcome",
    "Piece",
    "Run",
    "Side",
    "Termination",
    "perft",
]
