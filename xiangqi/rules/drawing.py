"""A position as a picture: an SVG file that stands alone, for pages of text and for whoever has no board at hand.

Red sits below. Files and ranks are lettered as ICCS has them. Red's men are light and round, Black's dark octagons, so
that nobody needs the colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from xiangqi.rules.notation.chinese import PRINTED
from xiangqi.rules.pieces import Piece, Side
from xiangqi.rules.squares import FILES, RANKS, SQUARES, Move, file_of, rank_of, square_at

if TYPE_CHECKING:
    from xiangqi.rules.board import Board

CELL = 40
LEFT, TOP = 48, 32
WIDTH, HEIGHT = LEFT + CELL * (FILES - 1) + 32, TOP + CELL * (RANKS - 1) + 48
MAN = 17.5
CORNER = MAN * 0.414
"""Half a side of the octagon that a black man is: its height times the tangent of 22.5 degrees."""

RING = 20

PAPER, LINE, FAINT = "#efeee6", "#45464b", "#5f6066"
RED_FACE, RED_GLYPH, BLACK_FACE, BLACK_GLYPH, EDGE = "#fffdf8", "#b3240f", "#1d1e22", "#fbfaf5", "#18191c"
LAST, ARROW = "#c2311b", "#1f4f93"
CJK = "Noto Serif CJK TC, Noto Serif TC, Songti TC, PMingLiU, Noto Serif CJK SC, SimSun, serif"
SANS = "system-ui, sans-serif"

MARKED = tuple(square_at(file, rank) for rank, files in ((2, (1, 7)), (3, range(0, 9, 2))) for file in files)
"""Where Red's cannons and pawns begin; Black's are opposite."""


def svg(board: Board, *, title: str, last_move: Move | None = None, arrows: Iterable[Move] = ()) -> str:
    """The position of `board` as a whole SVG document.

    Args:
        title: what the picture shows, in words, for those who don't see it.
        last_move: its two squares get corners.
        arrows: threats to point at, each from the attacker to the victim, which gets a ring; they pass under men.
    """
    men = [(square, piece) for square in SQUARES if (piece := board.piece_at(square))]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        *_board(),
        *(part for arrow in arrows for part in _arrow(arrow)),
        *(part for square, piece in men for part in _man(square, piece)),
        *(_corners(square) for square in last_move or ()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(square: int) -> int:
    return LEFT + CELL * file_of(square)


def _y(square: int) -> int:
    return TOP + CELL * (RANKS - 1 - rank_of(square))


def _board() -> Iterator[str]:
    left, right = LEFT, LEFT + CELL * (FILES - 1)
    top, bottom = TOP, TOP + CELL * (RANKS - 1)
    bank, other_bank = top + 4 * CELL, top + 5 * CELL
    across = "".join(f"M{left} {top + CELL * row}H{right}" for row in range(RANKS))
    banks = "".join(
        f"M{left + CELL * file} {top}V{bank}M{left + CELL * file} {other_bank}V{bottom}" for file in range(9)
    )
    edges = f"M{left} {bank}V{other_bank}M{right} {bank}V{other_bank}"
    x, across_palace, palace = left + 3 * CELL, 2 * CELL, ""
    for y in (top, bottom - 2 * CELL):
        palace += f"M{x} {y}l{across_palace} {across_palace}M{x + across_palace} {y}l{-across_palace} {across_palace}"
    marks = "".join(_mark(square) + _mark(89 - square) for square in MARKED)
    yield f'<path d="{across}{banks}{edges}{palace}{marks}" fill="none" stroke="{LINE}"/>'
    yield (
        f'<rect x="{left - 4}" y="{top - 4}" width="{right - left + 8}" height="{bottom - top + 8}" fill="none" '
        f'stroke="{LINE}" stroke-width="2"/>'
    )
    for file, words in ((1.5, "楚河"), (6.5, "漢界")):
        yield _text(left + CELL * file, (bank + other_bank) / 2, words, 22, FAINT, CJK)
    for file in range(FILES):
        yield _text(left + CELL * file, bottom + 34, "abcdefghi"[file], 13, FAINT, SANS)
    for rank in range(RANKS):
        yield _text(left - 32, bottom - CELL * rank, str(rank), 13, FAINT, SANS)


def _mark(square: int) -> str:
    """The four small angles around a point where a cannon or pawn begins; two at the edge."""
    sides = [way for way in (-1, 1) if 0 <= file_of(square) + way < FILES]
    return "".join(
        f"M{_x(square) + 4 * way} {_y(square) + 10 * up}v{-6 * up}h{6 * way}" for way in sides for up in (-1, 1)
    )


def _man(square: int, piece: Piece) -> Iterator[str]:
    x, y = _x(square), _y(square)
    red = piece.side is Side.RED
    for size, face, edge in (
        (MAN, RED_FACE if red else BLACK_FACE, EDGE),
        (MAN - 3, "none", RED_GLYPH if red else BLACK_GLYPH),
    ):
        if red:
            yield f'<circle cx="{x}" cy="{y}" r="{size:g}" fill="{face}" stroke="{edge}"/>'
        else:
            half = size / MAN * CORNER
            points = [(half, size), (size, half), (size, -half), (half, -size)]
            points += [(-across, -up) for across, up in points]
            yield f'<polygon points="{_points(points, x, y)}" fill="{face}" stroke="{edge}"/>'
    yield _text(x, y, PRINTED[piece.side][piece.kind], 20, RED_GLYPH if red else BLACK_GLYPH, CJK)


def _corners(square: int) -> str:
    x, y, reach, length = _x(square), _y(square), 19, 7
    path = "".join(
        f"M{x + reach * way} {y + (reach - length) * up}v{length * up}h{-length * way}"
        for way in (-1, 1)
        for up in (-1, 1)
    )
    return f'<path d="{path}" fill="none" stroke="{LAST}" stroke-width="2.5"/>'


def _arrow(move: Move) -> Iterator[str]:
    """From the middle of one man to the edge of the other."""
    x, y = _x(move.source), _y(move.source)
    across, down = _x(move.target) - x, _y(move.target) - y
    length = hypot(across, down)
    unit_x, unit_y = across / length, down / length
    tip = length - RING

    def at(along: float, aside: float) -> tuple[float, float]:
        return along * unit_x - aside * unit_y, along * unit_y + aside * unit_x

    shape = [at(0, -2), at(tip - 11, -2), at(tip - 11, -7), at(tip, 0), at(tip - 11, 7), at(tip - 11, 2), at(0, 2)]
    yield f'<polygon points="{_points(shape, x, y)}" fill="{ARROW}"/>'
    yield (
        f'<circle cx="{_x(move.target)}" cy="{_y(move.target)}" r="{RING}" fill="none" stroke="{ARROW}" '
        f'stroke-width="3"/>'
    )


def _points(offsets: Iterable[tuple[float, float]], x: float, y: float) -> str:
    return " ".join(f"{x + across:.1f},{y + down:.1f}" for across, down in offsets)


def _text(x: float, y: float, words: str, size: int, colour: str, family: str) -> str:
    # A third of the size below the middle is where most fonts have the line that capitals and glyphs stand on.
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-size="{size}" font-family="{family}" text-anchor="middle" '
        f'fill="{colour}">{words}</text>'
    )
