"""What is a chase and what isn't: the sentences of §1.3, both sides of each. Red moves unless a line says otherwise."""

import pytest

from xiangqi.tests.rules.positions import chased

KINGS = "Kd0 kf9 "


def case(name: str, men: str, move: str, expected: dict[str, set[str]]):
    return pytest.param(men, move, expected, id=name)


NEW_THREATS = [
    case("the moved piece", KINGS + "Ra3 nb5", "a3b3", {"b5": {"b3"}}),
    case("it attacked that piece already, along the same line", KINGS + "Rb3 nb5", "b3b2", {}),
    case("another attacker of the same victim joins", KINGS + "Rb3 Rd4 nb5", "d4d5", {"b5": {"d5"}}),
    case("a line is opened", KINGS + "Rb0 Nb2 nb5", "b2d3", {"b5": {"b0"}}),
    case("a cannon is given a screen", KINGS + "Cb0 Pa6 nb8", "a6b6", {"b8": {"b0"}}),
    case("a cannon loses one of two screens", KINGS + "Cb0 Pb6 Nb2 nb8", "b2d3", {"b8": {"b0"}}),
    case("a horse's leg is freed", KINGS + "Nc3 Pc4 cd5", "c4c5", {"d5": {"c3"}}),
    case("an elephant's eye is freed", "Kd1 Bc0 kf9 pe2", "d1d0", {"e2": {"c0"}}),
    case("an advisor's step that attacks nothing", "Kd0 Ae1 kf9 pd2 pf4", "e1f2", {}),
    case("an advisor chases: a pawn in the palace", "Kf0 Af2 kd9 pd2", "f2e1", {"d2": {"e1"}}),
    case("what was there before a quiet move elsewhere", KINGS + "Rb3 nb5 Ph4", "h4h5", {}),
    case("the other's way to take back is shut, and nothing else is new", "Ke0 kf9 Nc3 Pd3 nd5", "d3d4", {}),
    case("a pinned attacker is freed: it could not before", "Ke0 Re3 kf9 re8 nb3", "e0d0", {"b3": {"e3"}}),
]

LOST_PROTECTORS = [
    case("still reaches, but is pinned now", "Kd0 Rb3 Ra1 ke9 re5 cb5", "a1e1", {"b5": {"b3"}}),
    case("a screen is put between: it no longer reaches", "Kd0 Rb3 Nd3 ke9 re5 cb5", "d3c5", {}),
    case("a cannon loses its screen: it no longer reaches", KINGS + "Rd5 Pb7 cb9 nb5", "b7a7", {}),
    case("a cannon gains a screen: it no longer reaches", KINGS + "Rd5 Pb6 Pa8 cb9 nb5", "a8b8", {}),
    case("the king still reaches, but may no longer retake", "Kf0 Rd5 Pc8 ke9 ad9", "c8c9", {"d9": {"d5"}}),
    case("pinned before as well", "Kd0 Rb3 Re1 Ph4 ke9 re5 cb5", "h4h5", {}),
]

OUT_OF_CHECK = [
    case("getting out makes no new threat", "Ke0 Ra3 kd9 re5 na7", "e0f0", {}),
    case("getting out uncovers", "Ke0 Ra0 kd9 nd2 ch0", "e0e1", {"h0": {"a0"}}),
    case("pinned besides, and freed by the move", "Kd1 Rd3 kf9 rd8 nb2 ch3", "d1e1", {"h3": {"d3"}}),
]

PROTECTION = [
    case("protected by a rook", KINGS + "Ra3 nb5 rb9", "a3b3", {}),
    case("protected by the king", "Kd0 Ra3 ke9 ae8", "a3a8", {}),
    case("protected by a pawn", KINGS + "Ra3 nb5 pb6", "a3b3", {}),
    case("the king can't protect it from two", "Kd0 Ra3 Re1 ke9 ae8", "a3a8", {"e8": {"a8", "e1"}}),
    case("the protector is pinned", "Kd0 Ra3 Re1 ke9 re5 cb5", "a3b3", {"b5": {"b3"}}),
    case("its line ran through the capturer", KINGS + "Ra3 nb5 cb1 ra1", "a3b3", {"b5": {"b3"}}),
    case("it would let the kings face", "Ke0 Ra3 ke9 pe4 nd4", "a3a4", {"d4": {"a4"}}),
    case("it stands behind the victim in the capturer's line", KINGS + "Ra3 nb5 rb8", "a3b3", {}),
    case("what stands behind the capturer retakes when it has gone", KINGS + "Ra3 nb5 rb1", "a3b3", {}),
    case("a cannon protects over a screen", KINGS + "Ra3 nb5 nb7 cb9 pa7", "a3b3", {}),
]

ROOKS = [
    case("a cannon chases a protected rook", KINGS + "Ca2 Pb4 rb6 rb9", "a2b2", {"b6": {"b2"}}),
    case("a horse chases a protected rook", "Ke0 Nb1 kf9 rd5 rh5", "b1c3", {"d5": {"c3"}}),
    case("an elephant doesn't chase a protected rook", "Kd1 Bc0 kf9 re2 re7", "d1d0", {}),
    case("an elephant chases one that isn't protected", "Kd1 Bc0 kf9 re2", "d1d0", {"e2": {"c0"}}),
    case("a rook against a protected rook", KINGS + "Ra3 rb5 rb9", "a3b3", {}),
]

LEGAL_CAPTURES = [
    case("a pinned attacker threatens nothing", "Ke0 Re3 kd9 re8 nb4", "e3e4", {}),
    case("not what it must not capture, but the pinning piece", "Ke0 Ra1 kf9 nd2 ch1", "a1d1", {"d2": {"d1"}}),
    case("a capture that would make the attacker a screen", "Ke0 Ra4 kd9 ne5 ce8", "a4e4", {}),
]

FOR_EVER = [
    case("a king", "Kd0 kf9 nd2", "d0d1", {}),
    case("a pawn", KINGS + "Pb6 nb8", "b6b7", {}),
    case("a king's move uncovers", "Kd1 Ra1 kf9 ng1", "d1d2", {"g1": {"a1"}}),
    case("a pawn's move uncovers", KINGS + "Rb0 Pb5 nb8", "b5a5", {"b8": {"b0"}}),
    case("a pawn that hasn't crossed", KINGS + "Rb3 pa6", "b3a3", {}),
    case("a pawn that has crossed", KINGS + "Rb3 pa4", "b3a3", {"a4": {"a3"}}),
    case("a red pawn that hasn't crossed, Black moves", KINGS + "Pa4 rb8", "b8a8", {}),
    case("a red pawn that has crossed, Black moves", KINGS + "Pa5 rb8", "b8a8", {"a5": {"a8"}}),
]

LIKE_AGAINST_LIKE = [
    case("rook to rook", KINGS + "Ra3 rb5", "a3b3", {}),
    case("rook to a pinned rook", "Kd0 Ra2 Re1 ke9 re5", "a2a5", {"e5": {"a5"}}),
    case("horse to horse", KINGS + "Nb1 nd5", "b1c3", {}),
    case("horse to a horse whose leg is blocked", KINGS + "Nb1 Pd4 nd5", "b1c3", {"d5": {"c3"}}),
    case("cannon to cannon", KINGS + "Ca2 Pc5 ce5", "a2a5", {}),
    case("cannon to a pinned cannon", "Kd0 Ca2 Pc5 Re1 ke9 ce5", "a2a5", {"e5": {"a5"}}),
    case("an offer that attacks something else as well", KINGS + "Nb1 nd5 ce4", "b1c3", {"e4": {"c3"}}),
]

IDLE = [
    case("a block", KINGS + "Ca4 Pb2 rb9", "a4b4", {}),
    case("a threat of mate alone", KINGS + "Ra3 Rb8", "a3a7", {}),
    case("a check is a turn of check, whatever it attacks", KINGS + "Rb5 ca9", "b5b9", {}),
    case("a capture belongs to no run", KINGS + "Ra3 nb5 pb3", "a3b3", {}),
]


@pytest.mark.parametrize(
    ("men", "move", "expected"),
    [
        *NEW_THREATS,
        *LOST_PROTECTORS,
        *OUT_OF_CHECK,
        *PROTECTION,
        *ROOKS,
        *LEGAL_CAPTURES,
        *FOR_EVER,
        *LIKE_AGAINST_LIKE,
        *IDLE,
    ],
)
def test_chase(men, move, expected):
    assert chased(men, move) == expected
