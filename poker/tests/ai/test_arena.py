"""The arena counts right, says what it found, and the levels are in order."""

import json
import sys

import pytest

from poker.ai import arena
from poker.ai.arena import compete


def test_a_deal_is_played_from_both_seats():
    match = compete("greedy", "greedy", 5, seed=1)
    assert match.scores == [0] * 5  # whoever is greedy does the same in the same seat
    assert (match.games, match.mean, match.error, match.won) == (10, 0, 0, 5)


def test_what_a_gains_b_loses():
    one, two = compete("beginner", "random", 5, seed=2), compete("random", "beginner", 5, seed=2)
    assert one.mean > 20
    assert two.mean < -20


def test_workers_change_nothing_but_time():
    assert compete("beginner", "greedy", 6, 3, workers=2).scores == compete("beginner", "greedy", 6, 3).scores


def test_json(capsys):
    arena.main(["greedy", "random", "--deals", "4", "--seed", "7", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["a", "b", "games", "mean", "se", "win_rate", "ms_a", "ms_b"]
    assert (told["a"], told["b"], told["games"]) == ("greedy", "random", 8)
    assert told["mean"] == round(compete("greedy", "random", 4, 7).mean, 3)


def test_text_and_progress(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    arena.main(["greedy", "random", "--deals", "3"])
    told = capsys.readouterr()
    assert told.out.startswith("greedy against random: +")
    assert "3/3 deals" in told.err


def test_no_bar_where_nobody_looks(capsys):
    arena.main(["greedy", "random", "--deals", "2"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["greedy"], "required: B"),
        (["greedy", "grandmaster"], "invalid choice: 'grandmaster'"),
        (["greedy", "random", "--deals", "0"], "0 is less than 1"),
        (["greedy", "random", "--deals", "many"], "'many'"),
        (["greedy", "random", "--workers", "-1"], "-1 is less than 1"),
        (["greedy", "random", "--seed", "x"], "'x'"),
    ],
)
def test_nonsense_is_refused(arguments, said, capsys):
    with pytest.raises(SystemExit) as stopped:
        arena.main(arguments)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_levels_are_in_order():
    """Few deals, so only what is far apart; docs/battle-poker-ai.md has the whole table."""
    assert compete("beginner", "random", 20, seed=1).mean > 30
    assert compete("greedy", "beginner", 60, seed=1).mean > 8
    assert compete("expert", "beginner", 12, seed=1).mean > 15


@pytest.mark.long
def test_levels_are_in_order_by_as_much_as_they_should():
    """With 400 deals an error is about 1.3 points: three of them below the target would be bad luck."""
    assert compete("beginner", "greedy", 400, seed=9).mean < -8
    assert abs(compete("intermediate", "greedy", 400, seed=9).mean) < 6
    assert compete("advanced", "greedy", 400, seed=9).mean > 3
    assert compete("expert", "greedy", 400, seed=9).mean > 13
    assert compete("expert", "advanced", 400, seed=9).mean > 1
