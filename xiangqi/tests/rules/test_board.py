"""Moves, ends without a limit, and errors (§1.1)."""

import doctest
import json

import pytest

from xiangqi import rules
from xiangqi.rules import START, BadFen, BadMove, Board, IllegalMove, Move, Side, Termination, perft
from xiangqi.tests.rules.positions import board_of, play

PERFT = {
    START: [44, 1920, 79666, 3290240],
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1": [38, 1128, 43929, 1339047],
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1": [25, 424, 9850, 202884],
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1": [28, 222, 6241, 64971],
    "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1": [36, 1292, 47994, 1777662],
    "4k4/9/9/9/9/9/9/4n4/3A5/3K5 w - - 0 1": [2, 5, 14, 50, 175, 786],
}


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen):
    board = Board(fen)
    assert [perft(board, depth + 1) for depth in range(len(PERFT[fen]))] == PERFT[fen]
    assert board.fen() == fen


def test_a_game_has_the_usual_vocabulary():
    board = Board()
    move = board.push_iccs("h2e2")
    assert (move, move.iccs()) == (Move.from_iccs("H2-E2"), "h2e2")
    assert (board.turn, board.ply, board.move_stack) == (Side.BLACK, 1, (move,))
    assert Move.from_iccs("h9g7") in board.legal_moves
    assert Move.from_iccs("h9h8") not in board.legal_moves
    assert len(board.legal_moves) == len(list(board.legal_moves)) == len(set(board.legal_moves))
    assert board.fen() == "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
    assert board.pop() == move
    assert board.fen() == START
    with pytest.raises(IndexError):
        board.pop()


def test_a_fen_may_say_r_for_red_and_other_letters_for_horse_and_elephant():
    assert Board(START.replace("w", "r").replace("B", "E").replace("n", "h")).fen() == START


def test_clocks_of_a_fen_go_on():
    board = play(Board("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 7 31"), "e9f9")
    assert board.fen() == "5k3/9/9/9/9/9/9/9/4R4/3K5 w - - 8 32"


@pytest.mark.parametrize(
    ("men", "move", "termination", "pieces"),
    [
        ("Kd0 Rh8 Rg7 ke9", "g7g9", Termination.CHECKMATE, ["g9", "e9"]),
        ("Ke0 kd9 Pe8 Pc7", "c7c8", Termination.STALEMATE, ["d9"]),
    ],
)
def test_who_cannot_move_loses(men, move, termination, pieces):
    outcome = play(board_of(men), move).outcome()
    assert (outcome.termination, outcome.winner) == (termination, Side.RED)
    assert (outcome.detail.rule, outcome.detail.plies) == (None, (1,))
    assert {Move.from_iccs("a0" + name).target for name in pieces} == {man.square for man in outcome.detail.pieces}


def test_kings_may_not_face_each_other():
    board = board_of("Ke0 ke9 Ne5")
    assert {move.iccs() for move in board.legal_moves} == {"e0d0", "e0f0", "e0e1"}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("e4e5", "move_from_empty"),
        ("a9a8", "move_other_side"),
        ("b0d1", "move_impossible"),
        ("e0d0", "move_impossible"),
    ],
)
def test_an_illegal_move_says_why(move, code):
    board = Board()
    with pytest.raises(IllegalMove) as error:
        board.push_iccs(move)
    assert (error.value.code, error.value.facts["move"], board.fen()) == (code, move, START)


@pytest.mark.parametrize("move", ["e5d7", "e0d0"])
def test_a_move_that_exposes_the_king_says_so(move):
    with pytest.raises(IllegalMove) as error:
        board_of("Ke0 Ne5 ke9 rd9").push_iccs(move)
    assert error.value.code == "move_exposes_king"


@pytest.mark.parametrize(
    "text", ["", "h2", "h2e", "j2e2", "h2e2e3", "h2ea", "h2e2\n", "炮二平五", "h２e2", "x" * 1_000_000]
)
def test_what_is_no_move(text):
    with pytest.raises(BadMove) as error:
        Board().push_iccs(text)
    assert error.value.code == "bad_move"
    assert len(error.value.facts["text"]) <= 20


def test_a_move_off_the_board():
    with pytest.raises(BadMove):
        Board().push(Move(4, 90))


ROWS = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


@pytest.mark.parametrize(
    ("fen", "code", "facts"),
    [
        ("", "fen_fields", {}),
        (ROWS, "fen_fields", {}),
        (f"{ROWS} w KQkq - 0 1", "fen_fields", {}),
        (f"{ROWS} w - - 0 1 extra", "fen_fields", {}),
        (f"{ROWS} w - -", None, {}),
        (f" {ROWS}  w\n", None, {}),
        (f"{ROWS} x - - 0 1", "fen_turn", {"text": "x"}),
        (f"{ROWS} w - - -1 1", "fen_clock", {"text": "-1"}),
        (f"{ROWS} w - - 0 ²", "fen_clock", {"text": "²"}),
        (f"{ROWS} w - - 0 10000", "fen_clock", {"text": "10000"}),
        (f"{ROWS}/9 w", "fen_ranks", {"found": 11}),
        (f"{ROWS[:-10]} w", "fen_ranks", {"found": 9}),
        (f"{ROWS.replace('1c5c1', '1c5c3')} w", "fen_files", {"rank": 7, "found": 11}),
        (f"{ROWS.replace('/9/', '/8/', 1)} w", "fen_files", {"rank": 8, "found": 8}),
        (f"{ROWS.replace('1c5c1', '1c5x1')} w", "fen_letter", {"letter": "x", "rank": 7}),
        (f"{ROWS.replace('/9/', '/09/', 1)} w", "fen_letter", {"letter": "0", "rank": 8}),
        (f"{ROWS.replace('/9/', '/９/', 1)} w", "fen_letter", {"letter": "９", "rank": 8}),
        (f"{ROWS.replace('K', '1')} w", "fen_kings", {"piece": "K", "found": 0}),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "fen_kings", {"piece": "k", "found": 2}),
        ("3k5/9/9/9/9/9/9/9/9/6K2 w", "fen_place", {"piece": "K", "square": "g0"}),
        ("3k5/9/9/9/9/9/9/9/9/P4K3 w", "fen_place", {"piece": "P", "square": "a0"}),
        ("p2k5/9/9/9/9/9/9/9/9/5K3 w", "fen_place", {"piece": "p", "square": "a9"}),
        ("3k5/9/9/9/9/9/9/9/9/2A2K3 w", "fen_place", {"piece": "A", "square": "c0"}),
        ("3k5/9/9/9/2b6/9/9/9/9/5K3 w", None, {}),
        ("3k5/9/9/9/9/2b6/9/9/9/5K3 w", "fen_place", {"piece": "b", "square": "c4"}),
        ("3k5/9/9/9/9/RRR6/9/9/9/5K3 w", "fen_too_many", {"piece": "R", "found": 3}),
        ("3k5/9/9/9/9/9/PPPPPP3/9/9/5K3 w", "fen_too_many", {"piece": "P", "found": 6}),
        ("3k5/9/9/3R5/9/9/9/9/9/5K3 w", "fen_check", {}),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w", "fen_check", {}),
        ("9" * 1_000_000, "fen_too_long", {"limit": 120}),
        ("/" * 1_000_000, "fen_too_long", {"limit": 120}),
        ("\x00" * 100 + " w", "fen_ranks", {"found": 1}),
    ],
)
def test_a_bad_fen_says_why(fen, code, facts):
    if code is None:
        assert Board(fen).fen().startswith(fen.split()[0])
        return
    with pytest.raises(BadFen) as error:
        Board(fen)
    assert (error.value.code, error.value.field, error.value.facts) == (code, "fen", facts)


def test_the_example_of_the_package_is_true():
    assert doctest.testmod(rules).failed == 0


def test_perft_of_nothing():
    assert perft(Board(), 0) == 1


def test_facts_of_errors_can_be_sent():
    with pytest.raises(BadFen) as error:
        Board(f"{ROWS} \ud800")
    json.dumps(error.value.facts)
