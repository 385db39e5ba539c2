"""`python -m xiangqi.rules`, as its users meet it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from xiangqi.rules import __main__ as command_line
from xiangqi.rules import words
from xiangqi.rules.outcome import Termination

RULES = Path(command_line.__file__).parent
ROOK_CHECKS = '[FEN "4k4/9/3R5/9/9/4P4/9/9/9/3K5 w"]\n' + "d7e7 e9f9 " + "e7f7 f9e9 f7e7 e9f9 " * 4


@pytest.fixture
def run(capsys, tmp_path):
    def run(*arguments, file=None):
        if file is not None:
            path = tmp_path / "game"
            path.write_bytes(file if isinstance(file, bytes) else file.encode())
            arguments += (str(path),)
        code = command_line.main(list(arguments))
        return (code, *capsys.readouterr())

    return run


@pytest.mark.parametrize(("depth", "leaves"), [(0, "1"), (1, "44"), (2, "1,920"), (3, "79,666")])
def test_perft_from_the_start(run, depth, leaves):
    code, out, err = run("perft", str(depth))
    assert (code, err) == (0, "")
    assert out.startswith(f"perft {depth}: {leaves} leaves in ")


def test_perft_from_elsewhere(run):
    assert run("perft", "2", "--fen", "4k4/9/9/9/9/9/9/9/9/3K5 w")[1].startswith("perft 2: 2 leaves")


@pytest.mark.parametrize("arguments", [["perft"], ["perft", "-1"], ["perft", "x"], ["perft", "²"], [], ["play"]])
def test_a_wrong_command_is_shown_how(run, arguments):
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2


def test_judge_tells_result_rule_and_plies(run):
    assert run("judge", file=ROOK_CHECKS + "*") == (
        0,
        "game 1\n"
        "  result  0-1\n"
        "  rule    perpetual check (rule 1)\n"
        "          red gives check with rook e7: 7 turns, plies 1 to 13\n"
        "  plies   13 of 18, about 1 to 13\n",
        "",
    )


def test_judge_doesn_t_care_what_follows_the_end(run):
    assert run("judge", file=ROOK_CHECKS + "a0a9 *")[0] == 0


def test_judge_says_when_no_rule_ends_the_game(run):
    assert run("judge", file="1. 炮二平五 马8进7 1-0") == (
        0,
        "game 1\n  result  none by the rules; the record says 1-0\n  plies   2\n",
        "",
    )


def test_judge_takes_lines_of_iccs(run):
    code, out, err = run("judge", file="h2e2\nh9g7\n\nH2-E2 H9-G7\nh0g2\n\n\n")
    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if "plies" in line] == ["  plies   2", "  plies   3"]


def test_judge_reads_gb18030(run):
    assert run("judge", file='[Red "许"]\n1. 炮二平五 马8进7 1-0'.encode("gb18030"))[0] == 0


@pytest.mark.parametrize(
    ("file", "out", "err"),
    [
        ("", "", "game 1: there is no game record\n"),
        (b"\xff\xff\xff", "", "the file is neither UTF-8, UTF-16 nor GB 18030\n"),
        ("h2e2 h9h7", "plies   1\n", "game 1: ply 2: h9h7: the piece can't go there\n"),
        ("1. 炮二平五 炮三平五", "plies   1\n", "game 1: ply 2: 炮三平五: there is no such piece\n"),
        ("1. 炮二平五 {", "plies   1\n", "game 1: the record breaks off before ply 2, without a result\n"),
        ('[FEN "9"]', "", "game 1: the record's position is bad: the FEN has too few or too many fields\n"),
        ("1. 炮二平五 what", "plies   1\n", "breaks off before ply 2, without a result\n"),
        ("1. 炮二平五 what *", "plies   1\n", "'what' is neither a move nor anything else that a record holds\n"),
    ],
)
def test_judge_gives_the_good_part_and_says_what_is_wrong(run, file, out, err):
    code, said, complained = run("judge", file=file)
    assert code == 1
    assert said.endswith(out)
    assert complained.endswith(err)
    assert complained.count("\n") == 1


def test_judge_goes_on_with_the_next_game(run):
    code, out, err = run("judge", file='[Red "a"]\nh2e2 h9h7 *\n[Red "b"]\nh2e2 h9g7 *\n')
    assert (code, err) == (1, "game 1: ply 2: h9h7: the piece can't go there\n")
    assert out.count("plies") == 2


def test_a_missing_file(run):
    assert run("judge", "/nowhere/at/all") == (1, "", "/nowhere/at/all: No such file or directory\n")


def test_a_bad_fen(run):
    code, out, err = run("perft", "1", "--fen", "4k4/9/9/9/9/9/9/9/9/4K4 w")
    assert (code, out) == (1, "")
    assert err == "in the FEN the king of the side that isn't to move could be taken\n"


def test_the_bar_is_shown_on_a_terminal_only(run, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, _, err = run("perft", "3")
    assert err.startswith("\r[..............................]   0 %")
    assert err.endswith("\r\033[K")


def test_it_runs_without_a_web_framework():
    code = (
        "import sys, runpy; sys.argv = ['x', 'perft', '1']\n"
        "try: runpy.run_module('xiangqi.rules', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "sys.exit('django' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=RULES.parents[1])  # noqa: S603
    assert run.stdout.startswith("perft 1: 44")


def codes_raised():
    """Every code that the kernel raises: string arguments of its own exceptions."""
    named = {"BadFen", "IllegalMove", "BadRecord"}
    for path in RULES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in named:
                yield node.args[0].value


def test_every_error_and_every_end_has_words():
    own = {"bad_move", "no_such_piece", "ambiguous_move"}
    assert set(codes_raised()) | own == set(words.ERRORS)
    assert set(words.TERMINATIONS) == set(Termination)
