"""Random positions with few pieces, and cycles of moves in them that check and chase."""

from __future__ import annotations

import random
from collections.abc import Iterator

from xiangqi.rules import BadFen, Board, Move

SQUARES = [(file, rank) for file in range(9) for rank in range(10)]
PLACES = {
    "K": [(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)],
    "A": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
    "B": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
}
WINDOWS = [
    SQUARES,
    [(file, rank) for file, rank in SQUARES if 2 <= file <= 6],
    [(file, rank) for file, rank in SQUARES if 3 <= rank <= 7 or 3 <= file <= 5],
]
"""Where pieces stand: the closer together, the more they have to do with each other."""


def sparse_board(dice: random.Random) -> Board:
    """A board with one to five attackers a side, kings, and some advisors and elephants."""
    while True:
        rows = _rows(_men(dice))
        try:
            board = Board(f"{'/'.join(rows)} {dice.choice('wb')}")
        except BadFen:
            continue
        if not board.outcome():
            return board


def _men(dice: random.Random) -> dict[tuple[int, int], str]:
    men: dict[tuple[int, int], str] = {}
    window = dice.choice(WINDOWS)
    for red in (True, False):
        attackers = dice.sample("RRHHCCPP", dice.randint(1, 5))
        defenders = dice.sample("AABB", dice.choice([0, 0, 1, 2, 3]))
        for letter in ("K", *attackers, *defenders):
            places = PLACES.get(letter, window)
            square = dice.choice(places)
            if not red and letter in PLACES:
                square = (square[0], 9 - square[1])
            if square not in men:
                men[square] = letter if red else letter.lower()
    return men


def _rows(men: dict[tuple[int, int], str]) -> list[str]:
    return ["".join(men.get((file, rank), "1") for file in range(9)) for rank in range(9, -1, -1)]


def cycles(board: Board, dice: random.Random) -> Iterator[list[Move]]:
    """Moves of either side, there and back, of which at least one side's all check or chase."""
    for there in _quiet(board):
        board.push(there)
        if not _idle(board):
            replies = _quiet(board)
            for reply in dice.sample(replies, min(len(replies), 6)):
                cycle = [there, reply, _back(there), _back(reply)]
                if _offends(board, cycle[1:]):
                    yield cycle
        board.pop()


def _offends(board: Board, moves: list[Move]) -> bool:
    """Whether these moves can be made, and the second of them checks or chases."""
    made = 0
    idle = False
    for move in moves:
        if move not in _quiet(board):
            break
        board.push(move)
        made += 1
        idle = idle or (made == 2 and _idle(board))
    for _ in range(made):
        board.pop()
    return made == len(moves) and not idle


def _quiet(board: Board) -> list[Move]:
    return [move for move in board.legal_moves if not board.piece_at(move.target)]


def _idle(board: Board) -> bool:
    return not (board._tally.mover.checks or board._tally.mover.chases)


def _back(move: Move) -> Move:
    return Move(move.target, move.source)
