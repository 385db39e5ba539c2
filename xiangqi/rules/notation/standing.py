"""Where a piece stands among its like, and where its move leads, both as its own side sees them.

Every notation of xiangqi but ICCS tells a move in two halves: which piece, by its file or by its place among others
of its kind on that file, and which way it goes. Files are counted 1 to 9 from one's own right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xiangqi.rules.pieces import Kind, Side
from xiangqi.rules.squares import FILES, RANKS, SQUARES, Move, file_of, rank_of

AHEAD, BACK, ACROSS = "+", "-", "="
"""The three ways to go, in the letters of WXF."""

ALONG_LINES = frozenset({Kind.KING, Kind.ROOK, Kind.CANNON, Kind.PAWN})
"""Kinds that stay on their file when they go ahead or back: for these the steps are counted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one piece can be told from others of its kind.

    Args:
        kind: what it is.
        file: 1 to 9 from its own side's right.
        nth: 1 for the foremost of its kind on its file.
        of: how many of its kind stand on its file.
        elsewhere: whether another file also holds two or more of its kind.
        overall: its number among all that share a file, counted from the right file to the left and from the front;
            0 when it stands alone.
        told_by_way: of two advisors or elephants on one file, as they stand in a game, one can only advance and the
            other only retreat.
    """

    kind: Kind
    file: int
    nth: int
    of: int
    elsewhere: bool
    overall: int
    told_by_way: bool


def standing(square: int, kind: Kind, side: Side, like: Iterable[int]) -> Standing:
    """How the piece on `square` stands among `like`, the squares of all of its side's pieces of that kind."""
    files, ranks = _OWN_FILES[side], _OWN_RANKS[side]
    by_file: dict[int, list[int]] = {}
    for other in like:
        by_file.setdefault(files[other], []).append(ranks[other])
    file = files[square]
    crowded = sorted(each for each, found in by_file.items() if len(found) > 1)
    nth = 1 + sum(rank > ranks[square] for rank in by_file[file])
    overall = 0
    if file in crowded:
        overall = nth + sum(len(by_file[each]) for each in crowded if each < file)
    elsewhere = any(each != file for each in crowded)
    # Set up by hand, advisors may also stand next to each other; then both may be able to advance.
    told_by_way = kind in (Kind.ADVISOR, Kind.ELEPHANT) and max(by_file[file]) - min(by_file[file]) > 1
    return Standing(kind, file, nth, len(by_file[file]), elsewhere, overall, told_by_way)


def way(move: Move, kind: Kind, side: Side) -> str:
    """The second half of a move: `+`, `-` or `=`, and the file that it leads to or the steps that it takes."""
    source, target = move
    files, ranks = _OWN_FILES[side], _OWN_RANKS[side]
    steps = ranks[target] - ranks[source]
    if steps == 0:
        return f"{ACROSS}{files[target]}"
    sign = AHEAD if steps > 0 else BACK
    return f"{sign}{abs(steps) if kind in ALONG_LINES else files[target]}"


_OWN_FILES = {
    Side.RED: tuple(FILES - file_of(square) for square in SQUARES),
    Side.BLACK: tuple(file_of(square) + 1 for square in SQUARES),
}
_OWN_RANKS = {
    Side.RED: tuple(rank_of(square) for square in SQUARES),
    Side.BLACK: tuple(RANKS - 1 - rank_of(square) for square in SQUARES),
}
