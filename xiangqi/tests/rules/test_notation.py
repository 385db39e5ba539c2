"""Moves in words: printed, read, and refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xiangqi.rules import START, AmbiguousMove, BadMove, Board, IllegalMove, Move, NoSuchPiece
from xiangqi.tests.rules.walks import crowded, walked

BLACK_TO_MOVE = START.replace(" w ", " b ")
TWO_CANNONS = "4k4/9/2C6/9/2C6/9/9/9/9/3K5 w - - 0 1"
THREE_PAWNS = "3k5/2P6/2P6/2P6/9/9/9/9/9/4K4 w - - 0 1"
FOUR_PAWNS = "3k5/2P6/2P6/2P6/2P6/9/9/9/9/4K4 w - - 0 1"
FIVE_PAWNS = "3k5/2P6/2P6/2P6/2P6/2P6/9/9/9/4K4 w - - 0 1"
TWO_FILES = "3k5/2P6/2P3P2/2P3P2/9/9/9/9/9/4K4 w - - 0 1"
BLACK_FILES = "4k4/9/9/9/9/9/2p3p2/2p3p2/6p2/3K5 b - - 0 1"
BLACK_FOUR = "4k4/9/9/9/9/2p6/2p6/2p6/2p6/3K5 b - - 0 1"
ADVISORS = "5k3/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1"
ODD_ADVISORS = "3k1a3/5a3/9/9/9/9/9/9/9/4K4 b - - 0 1"
ELEPHANTS = "2bk5/9/9/9/2b6/9/9/9/9/4K4 b - - 0 1"
TWO_HORSES = "4k4/9/9/9/9/2N6/9/2N6/9/3K5 w - - 0 1"
PINNED_HORSE = "3k5/9/9/9/9/5N3/9/9/9/4KN2r w - - 0 1"

PRINTED = [
    (START, "h2e2", "C2=5", "炮二平五"),
    (START, "b2e2", "C8=5", "炮八平五"),
    (START, "h0g2", "H2+3", "馬二進三"),
    (START, "c0e2", "E7+5", "相七進五"),
    (START, "d0e1", "A6+5", "仕六進五"),
    (START, "e0e1", "K5+1", "帥五進一"),
    (START, "i0i1", "R1+1", "車一進一"),
    (START, "c3c4", "P7+1", "兵七進一"),
    (BLACK_TO_MOVE, "h9g7", "H8+7", "馬８進７"),
    (BLACK_TO_MOVE, "b7e7", "C2=5", "炮２平５"),
    (BLACK_TO_MOVE, "e6e5", "P5+1", "卒５進１"),
    (BLACK_TO_MOVE, "e9e8", "K5+1", "將５進１"),
    (BLACK_TO_MOVE, "c9e7", "E3+5", "象３進５"),
    (BLACK_TO_MOVE, "f9e8", "A6+5", "士６進５"),
    (TWO_CANNONS, "c7d7", "+C.6", "前炮平六"),
    (TWO_CANNONS, "c5c0", "-C-5", "後炮退五"),
    (THREE_PAWNS, "c8b8", "+P.8", "前兵平八"),
    (THREE_PAWNS, "c7b7", "P7=8", "中兵平八"),
    (THREE_PAWNS, "c6b6", "-P.8", "後兵平八"),
    (FOUR_PAWNS, "c8c9", "+++1", "一兵進一"),
    (FOUR_PAWNS, "c8b8", "++.8", "一兵平八"),
    (FOUR_PAWNS, "c7b7", "P+.8", "二兵平八"),
    (FOUR_PAWNS, "c6b6", "P-.8", "三兵平八"),
    (FOUR_PAWNS, "c5b5", "--.8", "四兵平八"),
    (FIVE_PAWNS, "c6b6", "P7=8", "三兵平八"),
    (TWO_FILES, "c8b8", "7+.8", "前七平八"),
    (TWO_FILES, "c7b7", "77.8", "中七平八"),
    (TWO_FILES, "c6b6", "7-.8", "後七平八"),
    (TWO_FILES, "g7f7", "3+.4", "前三平四"),
    (TWO_FILES, "g6f6", "3-.4", "後三平四"),
    (BLACK_FILES, "g1g0", "7++1", "前７進１"),
    (BLACK_FOUR, "c2d2", "P+.4", "二卒平４"),
    (ADVISORS, "d2e1", "A6-5", "仕六退五"),
    (ADVISORS, "d0e1", "A6+5", "仕六進五"),
    (ODD_ADVISORS, "f8e7", "+A+5", "前士進５"),
    (ODD_ADVISORS, "f9e8", "-A+5", "後士進５"),
]


@pytest.mark.parametrize(("fen", "iccs", "wxf", "chinese"), PRINTED)
def test_moves_are_printed_and_read_back(fen, iccs, wxf, chinese):
    board, move = Board(fen), Move.from_iccs(iccs)
    assert (board.wxf(move), board.chinese(move)) == (wxf, chinese)
    assert board.parse(iccs) == board.parse(wxf) == board.parse(chinese) == move


@pytest.mark.parametrize(
    ("fen", "iccs", "chinese"),
    [
        (BLACK_TO_MOVE, "h9g7", "马8进7"),
        (BLACK_TO_MOVE, "e9e8", "将5进1"),
        (START, "e0e1", "帅五进一"),
        (START, "i0i1", "车一进一"),
        (TWO_CANNONS, "c5c0", "后炮退五"),
        (BLACK_FOUR, "c2d2", "二卒平4"),
    ],
)
def test_simplified_characters_go_with_narrow_digits(fen, iccs, chinese):
    board, move = Board(fen), Move.from_iccs(iccs)
    assert board.chinese(move, simplified=True) == chinese
    assert board.parse(chinese) == move


@pytest.mark.parametrize(
    ("fen", "iccs", "texts"),
    [
        (START, "h2e2", "H2E2 h2-e2 C2.5 c2=5 Ｃ２＝５ 炮2平5 炮２平５ 砲二平五 包二平五 ｈ２ｅ２"),
        (START, "h0g2", "N2+3 h2+3 n2+3 马二进三 傌二進三 馬2進3 马二上三"),
        (START, "c0e2", "B7+5 e7+5 象七进五 相7進5"),
        (START, "e0e1", "G5+1 k5+1 将五进一 帅5进1"),
        (BLACK_TO_MOVE, "h9g7", "馬８進７ 马8进7 馬八进七 H8+7"),
        (BLACK_TO_MOVE, "e6e5", "S5+1 兵5进1 卒五進一"),
        (TWO_CANNONS, "c7d7", "C+.6 C+=6 +C=6 +c.6 前炮平6 前砲平六 炮前平六"),
        (TWO_CANNONS, "c5c0", "C--5 -C-5 C−−5 后炮退五 炮后退五 後炮下五"),
        (THREE_PAWNS, "c8b8", "P+.8 +P=8 一兵平八 前七平八 前兵七平八"),
        (THREE_PAWNS, "c7b7", "P7.8 中兵平8 二兵平八 2兵平8"),
        (FOUR_PAWNS, "c8b8", "++=8 前兵平八 1兵平八"),
        (FOUR_PAWNS, "c5b5", "--=8 后兵平八"),
        (FIVE_PAWNS, "c6b6", "P7.8 中兵平八"),
        (TWO_FILES, "g7f7", "3+=4 前兵三平四 前三兵平四 一兵平四 前三平4"),
        (TWO_FILES, "c8b8", "前七平八 前兵七平八 三兵平八"),
        (TWO_FILES, "c7b7", "77=8 四兵平八 中兵平八"),
        (ADVISORS, "d2e1", "+A-5 A+-5 前仕退五"),
        (ELEPHANTS, "c5e7", "E3-5 +E-5 象3退5 前象退5"),
    ],
)
def test_reading_is_wider_than_printing(fen, iccs, texts):
    board = Board(fen)
    assert {text: board.parse(text).iccs() for text in texts.split()} == dict.fromkeys(texts.split(), iccs)


def test_a_name_that_fits_two_pieces_is_taken_if_only_one_can_go():
    board = Board(PINNED_HORSE)
    assert board.parse("马四进三").iccs() == board.parse("H4+3").iccs() == "f4g6"


@pytest.mark.parametrize("text", ["馬七進六", "H7+6"])
def test_a_move_that_fits_two_pieces_is_ambiguous(text):
    with pytest.raises(AmbiguousMove) as caught:
        Board(TWO_HORSES).parse(text)
    assert caught.value.facts == {"text": text, "moves": "c2d4, c4d6"}


@pytest.mark.parametrize("text", ["前兵平八", "P+.8"])
def test_the_front_pawn_of_two_files_is_ambiguous_unless_only_one_can_go_there(text):
    board = Board("3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w - - 0 1")
    assert board.parse(text).iccs() == "c7b7"
    with pytest.raises(AmbiguousMove):
        board.parse("前兵进一")


@pytest.mark.parametrize("text", ["炮三平五", "C3=5", "前炮平五", "+C.5", "中兵進一", "3+.4", "五兵進一", "++.4"])
def test_a_piece_that_isn_t_there(text):
    with pytest.raises(NoSuchPiece) as caught:
        Board().parse(text)
    assert (caught.value.code, caught.value.facts) == ("no_such_piece", {"text": text})


@pytest.mark.parametrize(
    ("fen", "text", "code", "move"),
    [
        (START, "馬二進四", "move_impossible", "馬二進四"),
        (START, "R1+3", "move_impossible", "R1+3"),
        (START, "帥五平五", "move_impossible", "帥五平五"),
        (START, "e4e5", "move_from_empty", "e4e5"),
        (START, "e6e5", "move_other_side", "e6e5"),
        (START, "a0a5", "move_impossible", "a0a5"),
        ("3k5/9/9/9/9/3r5/9/9/3N5/3K5 w - - 0 1", "马六进八", "move_exposes_king", "d1b2"),
        ("3k5/9/9/9/9/3r5/9/9/3N5/3K5 w - - 0 1", "d1b2", "move_exposes_king", "d1b2"),
    ],
)
def test_a_move_that_can_t_be_made_says_why(fen, text, code, move):
    board = Board(fen)
    with pytest.raises(IllegalMove) as caught:
        board.parse(text)
    assert (caught.value.code, caught.value.facts["move"]) == (code, move)
    assert board.fen() == Board(fen).fen()


@pytest.mark.parametrize(
    "text",
    ["", " ", "h2", "h2e", "h2j2", "e10e9", "炮二", "炮二平", "炮平五", "炮十平五", "炮二飞五", "X2=5", "C2~5", "C0=5",
     "1-0", "=C.2", "炮二平五马8进7", "h2e2 h9g7", "\x00", "ß2=5", "h2e2" * 300_000, "炮" * 1_000_000],
)  # fmt: skip
def test_what_is_no_move_is_refused(text):
    with pytest.raises(BadMove) as caught:
        Board().parse(text)
    assert len(caught.value.facts["text"]) <= 20


@pytest.mark.parametrize("iccs", ["e4e5", "h2h2", "a0a9"])
def test_an_illegal_move_isn_t_printed(iccs):
    for put in (Board().wxf, Board().chinese):
        with pytest.raises(IllegalMove):
            put(Move.from_iccs(iccs))


def check_round_trips(board: Board) -> None:
    printed = set()
    for move in board.legal_moves:
        texts = [
            board.wxf(move),
            board.wxf(move).lower(),
            board.chinese(move),
            board.chinese(move, simplified=True),
            move.iccs(),
        ]
        assert [board.parse(text) for text in texts] == [move] * len(texts)
        printed |= {texts[0], texts[2]}
        assert len(texts[0]) == len(texts[2]) == len(texts[3]) == 4
    assert len(printed) == 2 * len(board.legal_moves)


@settings(max_examples=40, deadline=None)
@given(walked())
def test_notation_round_trips_in_every_reachable_position(board):
    check_round_trips(board)


@settings(max_examples=60, deadline=None)
@given(crowded())
def test_notation_round_trips_where_pieces_crowd(board):
    check_round_trips(board)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="abchinRHCP+-=.0123456789炮馬马車兵卒前中后後進进退平一二三五７ ", max_size=9))
def test_any_text_is_a_legal_move_or_a_named_refusal(text):
    board = Board()
    with suppress(BadMove, NoSuchPiece, AmbiguousMove, IllegalMove):
        assert board.parse(text) in board.legal_moves
