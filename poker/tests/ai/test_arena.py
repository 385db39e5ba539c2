"""The arena counts right, says what it found, and the levels are in order."""

import json
import sys

import pytest

from poker.ai import arena
from poker.ai.arena import compete
from poker.ai.learning import Adam, gradients
from poker.ai.nets import Net


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
    assert compete("expert", "beginner", 25, seed=1).mean > 15


@pytest.mark.long
def test_levels_are_in_order_by_as_much_as_they_should():
    """With 400 deals an error is about 1.3 points: three of them below the target would be bad luck."""
    assert compete("beginner", "greedy", 400, seed=9).mean < -8
    assert abs(compete("intermediate", "greedy", 400, seed=9).mean) < 6
    assert compete("advanced", "greedy", 400, seed=9).mean > 3
    assert compete("expert", "greedy", 400, seed=9).mean > 11
    assert compete("expert", "advanced", 400, seed=9).mean > 0


def test_gradients_are_those_of_the_outputs():
    """Against differences, in double precision."""
    import numpy as np

    rng = np.random.default_rng(1)
    net = Net.fresh(rng, 3, 4, (5, 6), 2)
    net.weights = {name: rng.standard_normal(weight.shape) for name, weight in net.weights.items()}
    common, options, slope = rng.standard_normal((7, 3)), rng.standard_normal((7, 5, 4)), rng.standard_normal((7, 5, 2))
    found = gradients(net, common, options, net.hidden(common, options), slope)
    for name, weight in net.weights.items():
        place = tuple(int(rng.integers(size)) for size in weight.shape)
        ends = []
        for step in (1e-5, -1e-5):
            weight[place] += step
            ends.append((net(common, options) * slope).sum())
            weight[place] -= step
        assert found[name][place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-6)


def test_adam_finds_the_bottom():
    import numpy as np

    place = np.array([5.0, -3.0])
    adam = Adam([place])
    for _ in range(2000):
        adam.step([2 * (place - [1.0, 2.0])], 0.02)
    assert place == pytest.approx([1, 2], abs=0.01)
