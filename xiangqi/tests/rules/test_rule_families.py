"""Cycles of the kinds that books of rules show, each with its harmless twin: who has lost once it was repeated enough.

Verdicts are worked out from §1.2 and §1.3. Both referees must give them, the kernel's and the slow one.
"""

import pytest

from xiangqi.tests.rules.positions import board_of
from xiangqi.tests.rules.slow_referee import Game


def case(name: str, men: str, moves: str, loser: str):
    """Pieces, and moves of a lead (before `|`, if there is one) and of a cycle; whose piece moves first begins."""
    return pytest.param(men, moves, loser, id=name)


ATTACKERS_AND_VICTIMS = [
    case("two rooks in turn, one victim", "Ke0 kf9 Rd3 Ra2 cc6", "d3c3 c6h6 a2h2 h6d6 c3d3 d6a6 h2a2 a6c6", "red"),
    case(
        "two rooks in turn, two victims", "Kd0 kf9 Rd3 Rh0 cc6 ch9", "d3c3 f9f8 h0g0 f8f9 c3d3 h9g9 g0h0 g9h9", "draw"
    ),
    case("one rook, one victim, every second turn", "Kd0 kf9 Ra3 cb6", "a3b3 f9f8 b3a3 f8f9", "draw"),
    case("an elephant", "Kd0 kf9 Ra3 be7", "a3e3 | e7g5 e3g3 g5e7 g3e3", "red"),
    case(
        "an elephant that its fellow protects in one place", "Kd0 kf9 Ra3 be7 bc9", "a3e3 | e7g5 e3g3 g5e7 g3e3", "draw"
    ),
    case("an advisor", "Kd0 kf9 Ra3 ad7", "a3a7 | d7e8 a7a8 e8d7 a8a7", "red"),
    case("an advisor that the king protects in one place", "Kd0 ke9 Ra3 ad7", "a3a7 | d7e8 a7a8 e8d7 a8a7", "draw"),
    case("a pawn that has crossed", "Kd0 kf9 Ra3 pb4", "a3b3 b4a4 b3a3 a4b4", "red"),
    case("one that a rook protects", "Kd0 kf9 Ra3 pb4 rh4", "a3b3 b4a4 b3a3 a4b4", "draw"),
    case("two that haven't crossed", "Kd0 kf9 Ra3 pa6 pc6", "a3c3 f9f8 c3a3 f8f9", "draw"),
]

ROOKS = [
    case("a horse chases a protected rook", "Ke0 Nb1 kf9 rd5 nb6 pe2", "b1c3 d5d2 c3b1 d2d5", "red"),
    case("a rook doesn't chase a protected one", "Kd0 kf9 Ra3 rb6 pb7", "a3b3 f9f8 b3a3 f8f9", "draw"),
    case("an unprotected rook is offered an exchange", "Kd0 kf9 Ra3 rb6", "a3b3 b6a6 b3a3 a6b6", "draw"),
]

UNCOVERED = [
    case("a king's steps uncover a rook's attack every time", "Kd1 Ra1 Rb2 kf9 ch1", "d1d2 h1h2 d2d1 h2h1", "red"),
    case("a king's steps uncover it every second time", "Kd1 Ra1 kf9 ch1", "d1d2 f9f8 d2d1 f8f9", "draw"),
    case("a king attacks by himself", "Kd0 kf9 nd2", "d0d1 f9f8 d1d0 f8f9", "draw"),
    case("a pawn is the screen of one cannon or the other", "Kd0 kf9 Ca2 Cb2 Pa6 rb8", "a6b6 b8a8 b6a6 a8b8", "red"),
    case("a pawn is the screen of the only cannon", "Kd0 kf9 Cb2 Pa6 rb8", "a6b6 b8a8 b6a6 a8b8", "draw"),
    case("a rook frees the leg of one horse or the other", "Ke0 kf9 Nc3 Ng3 Rc4 cd5", "c4g4 d5f5 g4c4 f5d5", "red"),
    case("a rook frees the leg of the only horse", "Ke0 kf9 Nc3 Rc4 cd5", "c4g4 d5f5 g4c4 f5d5", "draw"),
    case("a king's step frees a pinned rook every second time", "Ke0 Re3 kf9 re8 nb3", "e0d0 f9f8 d0e0 f8f9", "draw"),
]

PROTECTORS = [
    case("an elephant may not let the kings face", "Ke0 ke9 be7 Ra3 cc5", "a3c3 | c5g5 c3g3 g5c5 g3c3", "red"),
    case(
        "an elephant that leaves another between them", "Ke0 ke9 be7 Pe4 Ra3 cc5", "a3c3 | c5g5 c3g3 g5c5 g3c3", "draw"
    ),
    case("cannons whose screen is the capturer", "Ke1 kf9 Ra2 pb4 ca0 cb0", "a2b2 b4a4 b2a2 a4b4", "red"),
    case("cannons whose screens stay", "Ke1 kf9 Ra2 pb4 cf4 Pd4 ch0", "a2b2 b4a4 b2a2 a4b4", "draw"),
    case("what retakes once the capturer has gone", "Kd0 kf9 Ra3 pb4 ra1 rb1", "a3b3 b4a4 b3a3 a4b4", "draw"),
]

IDLE = [
    case("check and chase in turn", "Kd0 Rh5 kf9 nh9", "h5f5 f9e9 f5h5 e9f9", "draw"),
    case("check in turn with nothing", "Kd0 Rh5 kf9", "h5f5 f9e9 f5h5 e9f9", "draw"),
    case("check every time", "Kd0 Rh5 ke9", "h5e5 | e9f9 e5f5 f9e9 f5e5", "red"),
]


@pytest.mark.parametrize(("men", "moves", "loser"), [*ATTACKERS_AND_VICTIMS, *ROOKS, *UNCOVERED, *PROTECTORS, *IDLE])
def test_cycle(men, moves, loser):
    lead, cycle = (part.split() for part in ("| " * ("|" not in moves) + moves).split("|"))
    first = (lead + cycle)[0]
    on = {word[1:]: word[0] for word in men.split()}
    board = board_of(men, "w" if on[first[:2]].isupper() else "b")
    game = Game.from_fen(board.fen())
    for move in lead + cycle * 20:
        board.push_iccs(move)
        game.push(move)
        if outcome := board.outcome():
            break
        assert game.verdict() is None
    assert loser == game.verdict() == (outcome.winner.other.value if outcome.winner else "draw")
