"""Where each piece could go from each square of an empty board, worked out once.

Tables hold pairs of a square and the `Move` that leads there, so that the generator makes no object of its own.
"""

from __future__ import annotations

from xiangqi.rules.pieces import BLACK, RED
from xiangqi.rules.squares import FILES, RANKS, SQUARES, Move, file_of, rank_of, square_at

Step = tuple[int, Move]

ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
HOME = {RED: range(5), BLACK: range(5, 10)}
"""The ranks on a side's own bank of the river."""
PALACE = {
    RED: frozenset(square_at(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)),
    BLACK: frozenset(square_at(file, rank) for file in (3, 4, 5) for rank in (7, 8, 9)),
}
FORWARD = {RED: 1, BLACK: -1}


def _beside(square: int, file_step: int, rank_step: int) -> int | None:
    """The square so many files and ranks away, None beyond the edge."""
    file, rank = file_of(square) + file_step, rank_of(square) + rank_step
    return square_at(file, rank) if 0 <= file < FILES and 0 <= rank < RANKS else None


def _steps(square: int, directions: tuple[tuple[int, int], ...]) -> list[int]:
    found = (_beside(square, *direction) for direction in directions)
    return [target for target in found if target is not None]


def _to(square: int, targets: list[int]) -> tuple[Step, ...]:
    return tuple((target, Move(square, target)) for target in targets)


def _ray(square: int, file_step: int, rank_step: int) -> tuple[Step, ...]:
    targets = []
    target = _beside(square, file_step, rank_step)
    while target is not None:
        targets.append(target)
        target = _beside(target, file_step, rank_step)
    return _to(square, targets)


def _horse(square: int) -> list[tuple[int, tuple[Step, ...]]]:
    """For each leg: the square that must be empty, and the one or two squares behind it."""
    found = []
    for file_step, rank_step in ORTHOGONAL:
        leg = _beside(square, file_step, rank_step)
        if leg is not None:
            sideways = ((1, 0), (-1, 0)) if rank_step else ((0, 1), (0, -1))
            ends = tuple((2 * file_step + file, 2 * rank_step + rank) for file, rank in sideways)
            found.append((leg, _to(square, _steps(square, ends))))
    return [(leg, ends) for leg, ends in found if ends]


def _elephant(square: int) -> list[tuple[int, int, Move]]:
    """The eye that must be empty, and the square behind it on the same bank."""
    bank = range(5) if rank_of(square) < 5 else range(5, 10)
    found = []
    for file_step, rank_step in DIAGONAL:
        eye, target = _beside(square, file_step, rank_step), _beside(square, 2 * file_step, 2 * rank_step)
        if eye is not None and target is not None and rank_of(target) in bank:
            found.append((eye, target, Move(square, target)))
    return found


def _pawn(square: int, bit: int) -> list[int]:
    crossed = rank_of(square) not in HOME[bit]
    return _steps(square, ((0, FORWARD[bit]), *(((1, 0), (-1, 0)) if crossed else ())))


def _within(squares: frozenset[int], square: int, directions: tuple[tuple[int, int], ...]) -> list[int]:
    """Steps that stay in the palace."""
    return [target for target in _steps(square, directions) if square in squares and target in squares]


RAYS = tuple(tuple(ray for way in ORTHOGONAL if (ray := _ray(square, *way))) for square in SQUARES)
"""For each square the lines from it to the edge, nearest square first."""
HORSE = tuple(tuple(_horse(square)) for square in SQUARES)
ELEPHANT = tuple(tuple(_elephant(square)) for square in SQUARES)
ADVISOR = tuple(
    _to(square, _within(PALACE[RED], square, DIAGONAL) + _within(PALACE[BLACK], square, DIAGONAL)) for square in SQUARES
)
KING = tuple(
    _to(square, _within(PALACE[RED], square, ORTHOGONAL) + _within(PALACE[BLACK], square, ORTHOGONAL))
    for square in SQUARES
)
PAWN = {bit: tuple(_to(square, _pawn(square, bit)) for square in SQUARES) for bit in (RED, BLACK)}

HORSE_TO = tuple(
    tuple(
        (leg, tuple(source for source in SQUARES for at, ends in HORSE[source] if at == leg and square in dict(ends)))
        for leg in _steps(square, DIAGONAL)
    )
    for square in SQUARES
)
"""For each square the legs that horses attacking it use, each with the squares where those horses stand."""
PAWN_TO = {
    bit: tuple(tuple(source for source in SQUARES if square in dict(PAWN[bit][source])) for square in SQUARES)
    for bit in (RED, BLACK)
}
"""For each square where a side's pawns stand that attack it."""

LINES = tuple(tuple(tuple(target for target, _ in ray) for ray in rays) for rays in RAYS)
"""`RAYS` without the moves, for looking along them."""
