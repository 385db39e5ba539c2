"""Our moves against another program's, and the referee against published records where they are at hand."""

import json
import random
import re
from pathlib import Path

import pytest

from xiangqi.rules import Board

DATA = Path(__file__).parents[4] / "shared" / "data"
PLIES = 60
_UCI = re.compile(r"([a-i])(\d+)([a-i])(\d+)")


def _records(name: str) -> list[dict]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} isn't here")
    return [json.loads(line) for line in path.read_text().splitlines()]


def _iccs(uci: str) -> str:
    """Ranks from 0 instead of from 1."""
    source, rank, target, other = _UCI.fullmatch(uci).groups()
    return f"{source}{int(rank) - 1}{target}{int(other) - 1}"


@pytest.mark.parametrize("games", [20, pytest.param(2000, marks=pytest.mark.long)])
def test_random_games_have_the_moves_that_pyffish_sees(games):
    pyffish = pytest.importorskip("pyffish", reason="pyffish has no wheel for this Python")
    dice = random.Random(games)  # noqa: S311
    for _ in range(games):
        board = Board()
        for _ in range(PLIES):
            fen = board.fen()
            theirs = {_iccs(uci) for uci in pyffish.legal_moves("xiangqi", fen, [])}
            assert {move.iccs() for move in board.legal_moves} == theirs, fen
            if not theirs:
                break
            captures = [move for move in board.legal_moves if board.piece_at(move.target)]
            board.push(dice.choice(captures if captures and dice.random() < 0.2 else board.legal_moves))


def test_published_cases():
    missed = []
    for case in _records("xiangqi_rule_cases.jsonl"):
        board = Board(case["fen"])
        moves = case["lead"] + case["cycle"] * (400 // len(case["cycle"]))
        for move in moves:
            board.push_iccs(move)
            if outcome := board.outcome():
                break
        loser = "draw" if outcome.winner is None else outcome.winner.other.value
        if loser != case["loser"]:
            missed.append((case["id"], loser, outcome.termination))
    assert missed == []


def test_published_limits():
    for case in _records("xiangqi_limits.jsonl"):
        board = Board(case["fen"])
        for ply, move in enumerate(case["moves"], 1):
            board.push_iccs(move)
            assert (board.outcome() is not None) == (ply == case["ends_at_ply"]), (case["id"], ply)
        winner = board.outcome().winner
        assert case["loser"] == ("draw" if winner is None else winner.other.value), case["id"]


def test_no_real_game_is_stopped_early():
    for game in _records("xiangqi_games.jsonl"):
        board = Board(game["fen"])
        for move in game["iccs"].split():
            assert board.outcome() is None, (game["id"], board.ply)
            board.push_iccs(move)
