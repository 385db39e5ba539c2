"""What a chase is (§1.3): to be read beside the spec, whose sentences are quoted.

A position is the list of squares as `Board` has it; nothing here changes one. `mover` is the bit of the side that has
just moved. The other side is to move then, so "could capture next turn" is asked as if the mover might move again.
"""

from __future__ import annotations

from collections.abc import Iterator

from xiangqi.rules.attacks import attackers, checkers, targets
from xiangqi.rules.movegen import attacked
from xiangqi.rules.pieces import BOTH, CANNON, HORSE, KIND, KING, PAWN, ROOK
from xiangqi.rules.squares import Move, rank_of
from xiangqi.rules.tables import HOME

Position = list[int]
Chases = dict[int, frozenset[int]]
"""The squares of the pieces that are chased, each with those of the pieces that chase it."""


def chases(before: Position, after: Position, move: Move, mover: int) -> Chases:
    """The chases that a move makes; to be asked only of a move that neither captures nor gives check (§1.2, §1.3).

    Args:
        before: the position that the move was made in.
        after: the position that it led to.
    """
    found: dict[int, set[int]] = {}
    for attacker, victim in threats(after, mover):
        if not gainful(after, attacker, victim):
            continue
        source = move.source if attacker == move.target else attacker
        if there_before(before, after, source, attacker, victim):
            continue
        if offers_exchange(after, attacker, victim):
            continue
        found.setdefault(victim, set()).add(attacker)
    return {victim: frozenset(by) for victim, by in found.items()}


def threats(position: Position, mover: int) -> Iterator[tuple[int, int]]:
    """What the mover's pieces reach of what can be chased, as squares of attacker and victim."""
    enemy = BOTH ^ mover
    for attacker, piece in enumerate(position):
        # "King and pawn may chase for ever." If their move uncovers another piece's chase, that piece is found here.
        if piece & mover and piece & KIND not in (KING, PAWN):
            for victim in targets(position, attacker):
                if position[victim] & enemy and may_be_victim(position, victim):
                    yield attacker, victim


def may_be_victim(position: Position, victim: int) -> bool:
    """Not the king, and not a pawn that hasn't crossed the river."""
    kind, side = position[victim] & KIND, position[victim] & BOTH
    return kind != KING and not (kind == PAWN and rank_of(victim) in HOME[side])


def gainful(position: Position, attacker: int, victim: int) -> bool:
    """The attacker could capture with gain: legally, and the victim isn't protected, or is a rook that a lesser takes.

    "The capture itself must be legal"; "a protected victim isn't chased"; "a rook is chased by a horse or a cannon
    though protected".
    """
    if not legal(position, attacker, victim):
        return False
    return rook_by_lesser(position, attacker, victim) or not protectors(position, attacker, victim)


def there_before(before: Position, after: Position, source: int, attacker: int, victim: int) -> bool:
    """Whether a threat that is gainful after the move is no new one.

    Args:
        source: where the attacker, which now stands on `attacker`, stood before the move.
    """
    # "By the moved piece, uncovered (a line opened, a cannon given a screen, a leg or an eye freed)": new.
    if victim not in targets(before, source):
        return False
    # It was pinned and isn't any more: it "could not before the move".
    if not legal(before, source, victim, check_aside=True):
        return False
    if rook_by_lesser(before, source, victim):
        return True
    # "Made so because a protector that still reaches the square may no longer legally retake": new. "A protector that
    # merely no longer reaches it makes no new chase."
    had = protectors(before, source, victim)
    return not any(square in had for square in attackers(moved(after, attacker, victim), victim, after[victim] & BOTH))


def offers_exchange(position: Position, attacker: int, victim: int) -> bool:
    """ "Like against like (rook-rook, horse-horse, cannon-cannon): if the victim could take back the attacker, it's an
    offer to exchange; if it can't (leg blocked, no screen, pinned), it is a chase."
    """
    kind = position[attacker] & KIND
    return (
        kind in (ROOK, HORSE, CANNON)
        and kind == position[victim] & KIND
        and attacker in targets(position, victim)
        and legal(position, victim, attacker)
    )


def rook_by_lesser(position: Position, attacker: int, victim: int) -> bool:
    """The exception from protection: a rook that a horse or a cannon attacks."""
    return position[victim] & KIND == ROOK and position[attacker] & KIND in (HORSE, CANNON)


def protectors(position: Position, attacker: int, victim: int) -> set[int]:
    """The squares of the pieces that, "after the capture, could legally retake".

    The capture is really made, so one whose line ran through the capturer or the captured, one that is pinned and one
    that would let the kings face are not among them.
    """
    taken = moved(position, attacker, victim)
    return {square for square in attackers(taken, victim, position[victim] & BOTH) if legal(taken, square, victim)}


def legal(position: Position, source: int, target: int, *, check_aside: bool = False) -> bool:
    """Whether the piece on `source` may go to `target`, which it reaches, without leaving its king in check.

    Args:
        check_aside: don't count who gives check already: "a capture that before the move was barred only because the
            mover stood in check was there before".
    """
    side = position[source] & BOTH
    now = moved(position, source, target)
    if not check_aside:
        return not attacked(now, now.index(side | KING), BOTH ^ side)
    king = position.index(side | KING)
    return set(checkers(now, king, BOTH ^ side)) <= set(checkers(position, king, BOTH ^ side))


def moved(position: Position, source: int, target: int) -> Position:
    """A copy of the position in which the piece on `source` has gone to `target`."""
    copy = position.copy()
    copy[target], copy[source] = copy[source], 0
    return copy
