"""Attacks and legal moves (§1.1) on a bare list of squares.

Nearly all the kernel's time goes here, so loops are written out. Only moves that can matter to one's own king are
tried out: his own, those of pieces that stand in a line or on a horse's leg before him, those onto a line between
him and a bare cannon, and all while he is in check.
"""
# ruff: noqa: SIM109, SIM110  (`in (a, b)` and `any` cost a third more here)

from __future__ import annotations

from xiangqi.rules.pieces import ADVISOR, BOTH, CANNON, ELEPHANT, HORSE, KIND, KING, PAWN, ROOK
from xiangqi.rules.squares import Move
from xiangqi.rules.tables import ADVISOR as ADVISOR_STEPS
from xiangqi.rules.tables import ELEPHANT as ELEPHANT_STEPS
from xiangqi.rules.tables import HORSE as HORSE_STEPS
from xiangqi.rules.tables import HORSE_TO, LINES, PAWN_TO, RAYS
from xiangqi.rules.tables import KING as KING_STEPS
from xiangqi.rules.tables import PAWN as PAWN_STEPS


def attacked(squares: list[int], king: int, theirs: int) -> bool:
    """Whether the king on `king` could be taken by the side `theirs`; the other king counts, on an open file."""
    rook, cannon, horse, general, pawn = theirs | ROOK, theirs | CANNON, theirs | HORSE, theirs | KING, theirs | PAWN
    for line in LINES[king]:
        ahead = iter(line)
        for square in ahead:
            if piece := squares[square]:
                if piece == rook or piece == general:
                    return True
                for beyond in ahead:
                    if piece := squares[beyond]:
                        if piece == cannon:
                            return True
                        break
                break
    for leg, horses in HORSE_TO[king]:
        if not squares[leg]:
            for square in horses:
                if squares[square] == horse:
                    return True
    for square in PAWN_TO[theirs][king]:
        if squares[square] == pawn:
            return True
    return False


def _dangers(squares: list[int], king: int, mine: int) -> tuple[bool, set[int], set[int]]:
    """What the king sees: whether he is in check, whose leaving could expose him, and where nobody may step between."""
    theirs = BOTH ^ mine
    rook, cannon, horse, general, pawn = theirs | ROOK, theirs | CANNON, theirs | HORSE, theirs | KING, theirs | PAWN
    check = False
    pinned: set[int] = set()
    shut: set[int] = set()
    for line in LINES[king]:
        ahead = iter(line)
        for first in ahead:
            if piece := squares[first]:
                if piece == rook or piece == general:
                    check = True
                elif piece == cannon:
                    shut.update(line[: line.index(first)])
                own = piece & mine
                for second in ahead:
                    if piece := squares[second]:
                        if piece == cannon:
                            check = True
                        elif own and (piece == rook or piece == general):
                            pinned.add(first)
                        for third in ahead:
                            if piece := squares[third]:
                                if piece == cannon:
                                    pinned.add(first)
                                    pinned.add(second)
                                break
                        break
                break
    for leg, horses in HORSE_TO[king]:
        for square in horses:
            if squares[square] == horse:
                if squares[leg]:
                    pinned.add(leg)
                else:
                    check = True
    for square in PAWN_TO[theirs][king]:
        if squares[square] == pawn:
            check = True
    return check, pinned, shut


def safe(squares: list[int], move: Move, king: int, theirs: int) -> bool:
    """Whether a move of the side that doesn't have the bit `theirs` leaves its king, now on `king`, unattacked."""
    source, target = move
    taken = squares[target]
    squares[target] = squares[source]
    squares[source] = 0
    exposed = attacked(squares, target if source == king else king, theirs)
    squares[source] = squares[target]
    squares[target] = taken
    return not exposed


def legal_moves(squares: list[int], mine: int, king: int) -> list[Move]:
    """All legal moves of the side with the bit `mine`, whose king stands on `king`."""
    theirs = BOTH ^ mine
    check, pinned, shut = _dangers(squares, king, mine)
    moves = moves_of_men(squares, mine)
    if check:
        moves = [move for move in moves if safe(squares, move, king, theirs)]
    elif pinned or shut:
        moves = [
            move
            for move in moves
            if (move[0] not in pinned and move[1] not in shut) or safe(squares, move, king, theirs)
        ]
    for target, move in KING_STEPS[king]:
        if not squares[target] & mine and safe(squares, move, king, theirs):
            moves.append(move)
    return moves


def moves_of_men(squares: list[int], mine: int) -> list[Move]:
    """What all pieces but the king could do if his safety were no matter, by square of departure."""
    theirs = BOTH ^ mine
    moves: list[Move] = []
    add = moves.append
    pawn_steps = PAWN_STEPS[mine]
    for source, piece in enumerate(squares):
        if not piece & mine:
            continue
        kind = piece & KIND
        if kind == PAWN:
            for target, move in pawn_steps[source]:
                if not squares[target] & mine:
                    add(move)
        elif kind == ROOK:
            for ray in RAYS[source]:
                for target, move in ray:
                    if other := squares[target]:
                        if other & theirs:
                            add(move)
                        break
                    add(move)
        elif kind == CANNON:
            for ray in RAYS[source]:
                ahead = iter(ray)
                for target, move in ahead:
                    if squares[target]:
                        break
                    add(move)
                for target, move in ahead:
                    if other := squares[target]:
                        if other & theirs:
                            add(move)
                        break
        elif kind == HORSE:
            for leg, ends in HORSE_STEPS[source]:
                if not squares[leg]:
                    for target, move in ends:
                        if not squares[target] & mine:
                            add(move)
        elif kind == ADVISOR:
            for target, move in ADVISOR_STEPS[source]:
                if not squares[target] & mine:
                    add(move)
        elif kind == ELEPHANT:
            for eye, target, move in ELEPHANT_STEPS[source]:
                if not squares[eye] and not squares[target] & mine:
                    add(move)
    return moves
