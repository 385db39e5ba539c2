"""Positions for tests of properties: reached by playing, and set up crowded, where notation is hard."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from xiangqi.rules import START, BadFen, Board, Move

CROWDED = [
    "3k5/2P6/2P3P2/2P3P2/9/9/9/9/9/4K4 w - - 0 1",
    "3k5/2P6/2P6/2P6/2P6/9/9/9/9/4K4 w - - 0 1",
    "3k5/2P6/2P6/2P6/2P6/2P6/9/9/9/4K4 w - - 0 1",
    "4k4/9/9/9/9/4p4/4p1p2/6p2/6p2/3K5 b - - 0 1",
    "3k5/9/9/9/3N5/3N1C3/3R1C3/3R5/9/4K4 w - - 0 1",
    "4ka3/5a3/9/9/9/9/9/9/9/3K5 b - - 0 1",
    "3ak1b2/9/3a5/9/6b2/9/9/9/9/3K5 b - - 0 1",
]


@st.composite
def walked(draw: st.DrawFn, most_plies: int = 60) -> Board:
    """A board after a game of legal moves from the start or from a crowded position."""
    board = Board(draw(st.sampled_from([START, START, *CROWDED])))
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=most_plies)):
        if not board.legal_moves:
            break
        board.push(chosen(board, choice))
    return board


def chosen(board: Board, choice: int) -> Move:
    """The legal move that a number picks."""
    return board.legal_moves[choice % len(board.legal_moves)]


@st.composite
def crowded(draw: st.DrawFn) -> Board:
    """Up to eleven men of the side to move on three files beyond the river, and hardly anybody else."""
    files = draw(st.permutations([0, 1, 2, 3, 5, 6, 7, 8]))[:3]
    places = draw(st.permutations([9 * rank + file for rank in range(5, 9) for file in files]))
    men = dict(zip(places, draw(st.permutations("PPPPPRRHHCC")), strict=False))
    men |= {4: "K", 13: "A", draw(st.sampled_from([84, 85, 86])): "k"}
    red = draw(st.booleans())
    letters = [men.get(square, "1") for square in range(90)]
    if not red:
        letters = [letter.swapcase() for letter in reversed(letters)]
    rows = ["".join(letters[9 * rank : 9 * rank + 9]) for rank in reversed(range(10))]
    try:
        return Board(f"{'/'.join(rows)} {'w' if red else 'b'}")
    except BadFen:
        assume(False)
        raise
