"""Game records: what is read, what is written, and what is said of broken ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xiangqi.rules import START, AmbiguousMove, BadRecord, Board, IllegalMove, Move, NoSuchPiece
from xiangqi.rules.pgn import Format, Record, decode, read, read_all, write
from xiangqi.tests.rules.walks import chosen, walked

OPENING = "h2e2 h9g7 h0g2 i9h9"
CHINESE = """[Game "Chinese Chess"]
[Event "A \\"cup\\" \\\\ 杯"]
[Red "甲"]
[Black "乙"]
[Result "1/2-1/2"]
[Format "Chinese"]

1. 炮二平五 馬８進７
2. 馬二進三 車９平８
1/2-1/2
"""


def iccs(record: Record) -> str:
    return " ".join(move.iccs() for move in record.moves)


def test_a_record_is_read():
    record = read(CHINESE)
    assert record.tags == {"Game": "Chinese Chess", "Event": 'A "cup" \\ 杯', "Red": "甲", "Black": "乙"}
    assert (record.fen, record.result, record.error) == (START, "1/2-1/2", None)
    assert iccs(record) == OPENING


@pytest.mark.parametrize(
    "text",
    [
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 *",
        "1.炮二平五马８进７2.马二进三车９平８",
        "１．炮二平五　馬８進７　２．馬二進三　車９平８",
        "炮二平五，马8进7；马二进三，车9平8。",
        "1. C2=5 H8+7 2. H2+3 R9=8 *",
        "1. c2.5 n8+7 2. n2+3 r9.8 *",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0",
        "h2e2 h9g7\nh0g2 i9h9\n",
        "h2e2h9g7h0g2i9h9",
        "1. 炮二平五! 馬８進７?! 2. $14 馬二進三 !? 2... 車９平８ *",
        "1. 炮二平五 {好} (1. 炮八平五 {(} 馬8進7 (1... 馬2進3)) 馬８進７ ; 应着 (\n2. h0g2 R9=8 *",
        "%escaped { line\n1. 炮二平五 … 馬８進７ 2. 馬二進三 2. ... 車９平８ *",
        "\ufeff1. 炮二平五 馬８進７ 2. 馬二進三 車９平８ *",
    ],
)
def test_records_come_in_many_forms(text):
    record = read(text)
    assert (iccs(record), record.error) == (OPENING, None)


@pytest.mark.parametrize("text", ["1. 33.4", "1.33.4", "1. 3+.4", "1.3+.4", "12.3-.4"])
def test_pawns_of_two_files_aren_t_taken_for_move_numbers(text):
    record = read(f'[FEN "3k5/6P2/6P2/6P2/2P6/2P6/9/9/9/4K4 w"]\n{text} *')
    assert (len(record.moves), record.error) == (1, None)


def test_comments_keep_their_places():
    record = read("{be{fo}re} 1. 炮二平五 {one}\n{two} 馬８進７ ; the rest { of the line\n2. 馬二進三 {last} *")
    assert record.comments == {0: "be{fo}re", 1: "one\ntwo", 2: "the rest { of the line", 3: "last"}
    assert record.error is None


def test_an_unbalanced_brace_in_a_comment_ends_with_the_first_that_closes():
    record = read("1. 炮二平五 {a { b} 馬８進７ {c} *")
    assert (record.comments, len(record.moves), record.error) == ({1: "a { b", 2: "c"}, 2, None)


def test_a_record_may_begin_anywhere():
    text = '[FEN "3k5/9/9/9/9/9/9/9/r8/4K4 b - - 7 33"]\n33. ... 車１進１ *'
    record = read(text)
    assert (iccs(record), record.fen, record.error) == ("a1a0", "3k5/9/9/9/9/9/9/9/r8/4K4 b - - 7 33", None)
    assert "\n33. ... 車１進１\n" in write(record)


@pytest.mark.parametrize(
    ("end", "result"), [("1-0", "1-0"), ("0-1", "0-1"), ("1/2-1/2", "1/2-1/2"), ("*", "*"), ("", "*")]
)
def test_results(end, result):
    assert read(f"1. 炮二平五 {end}").result == result


def test_a_result_that_only_the_tag_has_counts():
    assert read('[Result "0-1"]\n1. 炮二平五 *').result == "0-1"
    assert read('[Result "won"]\n1. 炮二平五 *').result == "*"


def test_a_file_may_hold_several_records():
    text = CHINESE + "\n" + CHINESE.replace("車９平８", "車９進９") + "{between}\n" + CHINESE + "{after}"
    records = list(read_all(text))
    assert [len(record.moves) for record in records] == [4, 3, 4]
    assert [record.error and record.error.code for record in records] == [None, "record_move", None]


@pytest.mark.parametrize(
    ("text", "moves", "code", "facts"),
    [
        ("", 0, "record_empty", {"ply": 0}),
        ("{only a comment}", 0, "record_empty", {"ply": 0}),
        (CHINESE[: CHINESE.index("車９平８")], 3, "record_breaks_off", {"ply": 4}),
        (CHINESE[: CHINESE.index("平８")], 3, "record_breaks_off", {"ply": 4}),
        (CHINESE[: CHINESE.index("1/2-1/2\n")], 4, "record_breaks_off", {"ply": 5}),
        (CHINESE[: CHINESE.index('"1/2-1/2"') + 3], 0, "record_breaks_off", {"ply": 1}),
        ("1. 炮二平五 {never closed", 1, "record_breaks_off", {"ply": 2}),
        ("1. 炮二平五 (1. 炮八平五 {never closed} ( *", 1, "record_breaks_off", {"ply": 2}),
        ("1. 炮二平五 (1. 炮八平五 {never closed) *", 1, "record_breaks_off", {"ply": 2}),
        ("1. 炮二平五 hello there *", 1, "record_junk", {"ply": 2, "text": "hello"}),
        ("1. 炮二平五 ) *", 1, "record_junk", {"ply": 2, "text": ")"}),
        ("hello", 0, "record_junk", {"ply": 1, "text": "hello"}),
        ('[FEN "9/9"]\n1. 炮二平五 *', 0, "record_fen", {"ply": 0, "reason": "fen_fields"}),
    ],
)
def test_a_broken_record_gives_its_good_part_and_says_where(text, moves, code, facts):
    record = read(text)
    assert record.error
    assert (len(record.moves), record.error.code, record.error.facts) == (moves, code, facts)


@pytest.mark.parametrize(
    ("text", "cause", "reason"),
    [
        ("炮三平五", NoSuchPiece, "no_such_piece"),
        ("马二进四", IllegalMove, "move_impossible"),
        ("a0a5", IllegalMove, "move_impossible"),
        ("b7e7", IllegalMove, "move_other_side"),
    ],
)
def test_a_move_that_can_t_be_made_is_told_with_its_ply_and_reason(text, cause, reason):
    error = read(f"1. 炮二平五 马8进7 2. {text} 车9平8 *").error
    assert error.facts == {"ply": 3, "text": text, "reason": reason}
    assert isinstance(error.__cause__, cause)


def test_an_ambiguous_move_is_told_with_its_ply():
    error = read('[FEN "4k4/9/9/9/9/2N6/9/2N6/9/3K5 w"]\n1. 馬七進六 *').error
    assert (error.facts["ply"], error.facts["reason"]) == (1, "ambiguous_move")
    assert isinstance(error.__cause__, AmbiguousMove)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_files_are_read_in_the_usual_encodings(encoding):
    assert read(decode(CHINESE.encode(encoding))).tags["Red"] == "甲"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_file_cut_anywhere_gives_the_moves_before_the_cut(encoding):
    whole = CHINESE.encode(encoding)
    moves = read(CHINESE).moves
    for cut in range(len(whole) - len("1/2-1/2\n")):
        record = read(decode(whole[:cut]))
        assert record.error
        assert record.moves == moves[: len(record.moves)]
    assert record.moves == moves


def test_a_record_that_promises_no_result_may_end_without():
    record = read('[Red "甲"]\n[Format "ICCS"]\n1. H2-E2 H9-G7 2. H0-G2 I9-H9')
    assert (iccs(record), record.error) == (OPENING, None)


def test_a_file_in_no_encoding_is_refused():
    with pytest.raises(BadRecord) as caught:
        decode(b"\xff\xff\xff")
    assert caught.value.code == "record_encoding"


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("x", "record_junk"), ("[", "record_breaks_off"), ("[\n", "record_junk"), ('[a "b"', "record_breaks_off"),
        ("{", "record_breaks_off"), ("{a} {{b} ", None), ("(", "record_breaks_off"), ("({", "record_breaks_off"),
        ("1", "record_junk"), ("1 ", "record_junk"), ("$", "record_junk"), ("\\", "record_junk"), ("\0", "record_junk"),
        (" \n", None), (";", None), ("炮", "record_junk"), ("马二进四 ", "record_move"),
    ],
)  # fmt: skip
def test_a_megabyte_of_noise_costs_no_more_than_its_length(unit, code):
    # Nothing here is timed: what isn't linear would take hours.
    record = read("1. 炮二平五 " + unit * (1_000_000 // len(unit)))
    assert (len(record.moves), record.error and record.error.code) == (1, code)


def test_random_noise_is_refused():
    noise = random.Random(4)  # noqa: S311
    assert read(noise.randbytes(1_000_000).decode("latin-1")).error
    assert read("".join(chr(noise.randrange(0x20, 0xD7FF)) for _ in range(300_000))).error


def test_what_is_written_is_what_others_write():
    record = read(CHINESE)
    record.comments = {0: "before", 2: "a } b"}
    assert write(record, Format.WXF) == (
        '[Game "Chinese Chess"]\n[Event "A \\"cup\\" \\\\ 杯"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
        '[Red "甲"]\n[Black "乙"]\n[Result "1/2-1/2"]\n[Format "WXF"]\n\n'
        "{before}\n1. C2=5 H8+7\n{a ) b}\n2. H2+3 R9=8\n1/2-1/2\n"
    )
    assert "\n1. H2-E2 H9-G7\n" in write(record, Format.ICCS)
    assert "\n1. 炮二平五 马8进7\n" in write(record, Format.CHINESE, simplified=True)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="{}", exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=40, deadline=None)
@given(
    walked(most_plies=2),
    st.lists(st.integers(0, 2**16), max_size=30),
    st.dictionaries(st.integers(0, 30), TEXT, max_size=4),
    st.dictionaries(st.sampled_from(["Event", "Red", "Black", "Opening"]), TEXT, max_size=3),
    st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
    st.sampled_from(list(Format)),
    st.booleans(),
)
def test_records_round_trip(board, choices, comments, tags, result, notation, simplified):
    start = Board(board.fen())
    moves: list[Move] = []
    for choice in choices:
        if start.legal_moves:
            moves.append(chosen(start, choice))
            start.push(moves[-1])
    comments = {ply: text.strip() for ply, text in comments.items() if ply <= len(moves)}
    back = read(write(Record(tags, board.fen(), moves, comments, result), notation, simplified=simplified))
    assert back.error is None
    assert (back.fen, back.moves, back.result) == (board.fen(), moves, result)
    assert back.comments == comments
    assert {name: back.tags[name] for name in tags} == {name: " ".join(text.split()) for name, text in tags.items()}
