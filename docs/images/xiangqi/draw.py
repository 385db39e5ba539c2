"""Draws the positions of docs/xiangqi-referee.md beside this file: `python -m docs.images.xiangqi.draw`.

The suite plays each of them to its end, and compares the pictures and the page with what this says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, cycle
from pathlib import Path

from xiangqi.rules import Board, Move
from xiangqi.rules.drawing import svg
from xiangqi.rules.outcome import Outcome

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Diagram:
    """A position, and how it goes on.

    Args:
        name: of the file, without its end.
        title: what the picture shows, for those who don't see it.
        fen: where the moves begin.
        lead: moves in ICCS that are made once.
        cycle: moves that are then repeated until the game ends.
        arrows: what the last of the drawn moves threatens, as attacker and victim.
        shown: after how many moves the picture is drawn.
    """

    name: str
    title: str
    fen: str
    lead: str
    cycle: str
    arrows: str
    shown: int = 1


DIAGRAMS = (
    Diagram(
        "check-one",
        "Red's rook on e7 gives check to the king on e9.",
        "4k4/9/3R5/9/9/9/9/9/9/3K5 w",
        "d7e7",
        "e9f9 e7f7 f9e9 f7e7",
        "e7e9",
    ),
    Diagram(
        "check-two",
        "Red's rook on e7 and, over it, the cannon on e1 give check to the king on e9.",
        "4k4/9/3R5/9/9/9/9/9/4C4/3K5 w",
        "d7e7",
        "e9f9 e7f7 f9e9 f7e7",
        "e1e9",
    ),
    Diagram(
        "check-both",
        "Red's cannon on f3 has given check over Black's rook; the rook has gone to e6 and answers with check by the "
        "cannon on e8.",
        "9/4c4/5k3/5r3/9/9/4C4/9/4K4/5R3 w",
        "",
        "e3f3 f6e6 f3e3 e6f6",
        "e8e1",
        shown=2,
    ),
    Diagram(
        "check-against-chase",
        "Red's pawn on e7 gives check; the king on e8 goes back to d8 and is the screen over which Black's cannon on "
        "d9 attacks the horse on d5.",
        "3c5/3k5/3P5/9/3N5/9/9/9/9/5K3 b",
        "d8e8 d7e7",
        "e8d8 e7d7 d8e8 d7e7",
        "d9d5",
        shown=3,
    ),
    Diagram(
        "chase",
        "Red's rook on b3 attacks the unprotected cannon on b6.",
        "3k5/9/9/1c7/9/9/R8/9/9/4K4 w",
        "",
        "a3b3 b6a6 b3a3 a6b6",
        "b3b6",
    ),
    Diagram(
        "chase-both",
        "Red's rook on b6 attacks the horse, which has gone to d7 and attacks the rook.",
        "4k4/1n7/9/2R6/9/9/9/9/9/3K5 w",
        "c6b6",
        "b8d7 b6b7 d7c5 b7c7 c5a6 c7c6 a6b8 c6b6",
        "d7b6",
        shown=2,
    ),
    Diagram(
        "protected",
        "Red's rook on b3 attacks the cannon on b6, which the rook on i6 protects.",
        "3k5/9/9/1c6r/9/9/R8/9/9/4K4 w",
        "",
        "a3b3 b6a6 b3a3 a6b6",
        "b3b6 i6b6",
    ),
    Diagram(
        "protector-pinned",
        "Red's rook on g1 attacks the cannon on g5; the elephant on e7 reaches g5 but stands between its king and "
        "Red's rook on e3.",
        "4k4/9/4b4/9/6c2/9/4R4/9/R8/3K5 w",
        "a1g1",
        "g5c5 g1c1 c5g5 c1g1",
        "g1g5",
    ),
    Diagram(
        "rook-by-cannon",
        "Over the pawn on b5, Red's cannon on b2 attacks the rook on b6, which the rook on i6 protects.",
        "3k5/9/9/1r6r/1PP6/9/9/C8/9/4K4 w",
        "a2b2",
        "b6c6 b2c2 c6b6 c2b2",
        "b2b6",
    ),
    Diagram(
        "exchange",
        "Red's rook on b3 attacks the rook on b6, which could take it.",
        "3k5/9/9/1r7/9/9/R8/9/9/4K4 w",
        "",
        "a3b3 b6a6 b3a3 a6b6",
        "b3b6",
    ),
    Diagram(
        "stood-before",
        "Red's rook has gone from b3 to b2 and attacks the cannon on b6, as it did before.",
        "3k5/9/9/1c7/9/9/R8/9/9/4K4 w",
        "a3b3",
        "d9d8 b3b2 d8d9 b2b3",
        "b2b6",
        shown=3,
    ),
    Diagram(
        "pawn",
        "Red's pawn on c5 attacks the cannon on c6.",
        "3k5/9/9/2c6/1P7/9/9/9/9/4K4 w",
        "",
        "b5c5 c6b6 c5b5 b6c6",
        "c5c6",
    ),
    Diagram(
        "two-victims",
        "Red's rook on i3 attacks the cannon on i6; before, on a3, it attacked the one on a6.",
        "4k4/9/9/c7c/9/9/R8/9/9/3K5 w",
        "",
        "a3i3 e9e8 i3a3 e8e9",
        "i3i6",
    ),
    Diagram(
        "check-and-chase",
        "Red's rook, which gave check on e3, has gone to a3 and attacks the cannon on a6.",
        "4k4/9/9/c8/9/9/R8/9/9/3K5 w",
        "a3e3",
        "e9f9 e3a3 f9e9 a3e3",
        "a3a6",
        shown=3,
    ),
)


def picture(diagram: Diagram) -> str:
    """The diagram as SVG."""
    board = Board(diagram.fen)
    for iccs in (*diagram.lead.split(), *diagram.cycle.split())[: diagram.shown]:
        board.push_iccs(iccs)
    arrows = map(Move.from_iccs, diagram.arrows.split())
    return svg(board, title=diagram.title, last_move=board.move_stack[-1], arrows=arrows)


def end(diagram: Diagram) -> Outcome:
    """How the game ends when the moves go on."""
    board = Board(diagram.fen)
    for iccs in chain(diagram.lead.split(), cycle(diagram.cycle.split())):
        board.push_iccs(iccs)
        if outcome := board.outcome():
            return outcome
    raise AssertionError("a cycle has no end")


def verdict(diagram: Diagram) -> str:
    """The end in words, as the page has it."""
    outcome = end(diagram)
    loser = f"{outcome.winner.other.value.title()} loses" if outcome.winner else "Draw"
    return f"{loser}, by row {outcome.detail.rule}, with ply {outcome.detail.plies[-1]}."


def main() -> None:
    """Write every picture."""
    for diagram in DIAGRAMS:
        (FOLDER / f"{diagram.name}.svg").write_text(picture(diagram), encoding="utf-8")


if __name__ == "__main__":
    main()
