"""Real games, where the shared data is beside the project: every move read from Chinese, printed and read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from xiangqi.rules import Board
from xiangqi.rules.pgn import Format, Record, read, write

GAMES = Path(__file__).parents[4] / "shared" / "data" / "xiangqi_games.jsonl"

pytestmark = pytest.mark.skipif(not GAMES.exists(), reason=f"real games aren't here: {GAMES.name}")


def games() -> Iterator[dict[str, str]]:
    with GAMES.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_every_move_of_real_games_goes_through_every_notation_and_back():
    as_recorded = total = 0
    for game in games():
        board = Board(game["fen"])
        for text, iccs in zip(game["chinese"].split(), game["iccs"].split(), strict=True):
            move = board.parse(text)
            assert move.iccs() == iccs
            assert board.parse(board.wxf(move)) == board.parse(board.chinese(move)) == move
            as_recorded += board.chinese(move) == text
            total += 1
            board.push(move)
    # The rest are pieces on one file that the records call by the file where only one of them could go.
    assert as_recorded >= 0.99 * total


@pytest.mark.parametrize("notation", Format)
def test_real_games_go_through_pgn_and_back(notation):
    for game in list(games())[::12]:
        record = Record(fen=game["fen"], result=game["result"])
        board = Board(game["fen"])
        record.moves = [board.push_iccs(iccs) for iccs in game["iccs"].split()]
        assert read(write(record, notation)).moves == record.moves
