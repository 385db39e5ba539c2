"""Who attacks what: the questions the referee asks. "Reaches" leaves aside whether the mover's king is safe then."""

from __future__ import annotations

from collections.abc import Iterator

from xiangqi.rules.pieces import ADVISOR, CANNON, ELEPHANT, HORSE, KIND, KING, PAWN, ROOK
from xiangqi.rules.tables import ADVISOR as ADVISOR_STEPS
from xiangqi.rules.tables import ELEPHANT as ELEPHANT_STEPS
from xiangqi.rules.tables import HORSE as HORSE_STEPS
from xiangqi.rules.tables import HORSE_TO, LINES, PAWN_TO
from xiangqi.rules.tables import KING as KING_STEPS
from xiangqi.rules.tables import PAWN as PAWN_STEPS


def targets(squares: list[int], source: int) -> Iterator[int]:
    """The occupied squares that the piece on `source` reaches, its own side's among them."""
    piece = squares[source]
    kind = piece & KIND
    if kind in (ROOK, CANNON):
        for line in LINES[source]:
            met = [square for square in line if squares[square]]
            yield from met[:1] if kind == ROOK else met[1:2]
    elif kind == HORSE:
        for leg, ends in HORSE_STEPS[source]:
            if not squares[leg]:
                yield from (target for target, _ in ends if squares[target])
    elif kind == ELEPHANT:
        yield from (target for eye, target, _ in ELEPHANT_STEPS[source] if squares[target] and not squares[eye])
    else:
        steps = {PAWN: PAWN_STEPS[piece ^ kind], ADVISOR: ADVISOR_STEPS, KING: KING_STEPS}[kind]
        yield from (target for target, _ in steps[source] if squares[target])


def attackers(squares: list[int], target: int, side: int) -> Iterator[int]:
    """The squares of a side's pieces that reach the occupied square `target`.

    Kings are among them where they stand next to it; two kings who see each other are not.
    """
    rook, cannon, horse = side | ROOK, side | CANNON, side | HORSE
    for line in LINES[target]:
        ahead = iter(line)
        for first in ahead:
            if piece := squares[first]:
                if piece == rook:
                    yield first
                for second in ahead:
                    if piece := squares[second]:
                        if piece == cannon:
                            yield second
                        break
                break
    for leg, horses in HORSE_TO[target]:
        if not squares[leg]:
            yield from (square for square in horses if squares[square] == horse)
    yield from (square for square in PAWN_TO[side][target] if squares[square] == side | PAWN)
    yield from (square for square, _ in ADVISOR_STEPS[target] if squares[square] == side | ADVISOR)
    yield from (square for square, _ in KING_STEPS[target] if squares[square] == side | KING)
    for eye, square, _ in ELEPHANT_STEPS[target]:
        if squares[square] == side | ELEPHANT and not squares[eye]:
            yield square


def checkers(squares: list[int], king: int, side: int) -> Iterator[int]:
    """The squares of a side's pieces that could take the king on `king`: its own king too, on an open file."""
    yield from attackers(squares, king, side)
    for line in LINES[king]:
        first = next((square for square in line if squares[square]), None)
        if first is not None and squares[first] == side | KING:
            yield first
