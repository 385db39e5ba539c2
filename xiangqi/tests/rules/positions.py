"""Positions written as lists of pieces, and what the referee makes of moves in them."""

from xiangqi.rules import Board, Move
from xiangqi.rules.squares import NAMES, file_of, rank_of, square_at


def board_of(men: str, turn: str = "w") -> Board:
    """A board with these pieces, such as `Kd0 Ra3 kf9 nb5` (letters as in a FEN)."""
    letters = {word[1:]: word[0] for word in men.split()}
    rows = ["".join(letters.get(f"{file}{rank}", "1") for file in "abcdefghi") for rank in reversed(range(10))]
    return Board(f"{'/'.join(rows)} {turn}")


def play(board: Board, moves: str) -> Board:
    """The same board after these moves in ICCS."""
    for move in moves.split():
        board.push_iccs(move)
    return board


def chased(men: str, move: str) -> dict[str, set[str]]:
    """What a move chases, by which pieces, as names of squares after the move."""
    on = {word[1:]: word[0] for word in men.split()}
    board = play(board_of(men, "w" if on[move[:2]].isupper() else "b"), move)
    return {NAMES[run.victim]: {NAMES[square] for square in run.by} for run in board._tally.mover.chases}


def mirrored(move: Move) -> Move:
    """The move on a board with left and right exchanged."""
    return Move(*(square_at(8 - file_of(square), rank_of(square)) for square in move))


def turned(move: Move) -> Move:
    """The move on a board with the colours exchanged."""
    return Move(*(square_at(file_of(square), 9 - rank_of(square)) for square in move))


def mirrored_fen(fen: str) -> str:
    """The position with left and right exchanged."""
    rows, rest = fen.split(" ", 1)
    return "/".join(row[::-1] for row in rows.split("/")) + " " + rest


def turned_fen(fen: str) -> str:
    """The position with the colours exchanged."""
    rows, turn, rest = fen.split(" ", 2)
    return "/".join(reversed(rows.swapcase().split("/"))) + (" b " if turn == "w" else " w ") + rest
