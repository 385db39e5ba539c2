"""What fitting rests on: gradients, steps, and a file that comes back as it was written."""

import numpy as np
import pytest

from poker.ai.fit import GAMES, Fit
from poker.ai.learning import Adam, gradients
from poker.ai.model import fitted, load, save
from poker.ai.nets import Net


def test_gradients_are_those_of_the_outputs():
    """Against differences, in double precision."""
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
    place = np.array([5.0, -3.0])
    adam = Adam([place])
    for _ in range(2000):
        adam.step([2 * (place - [1.0, 2.0])], 0.02)
    assert place == pytest.approx([1, 2], abs=0.01)


def test_numbers_come_back_as_they_were_written(tmp_path):
    save(fitted(), tmp_path / "again.npz")
    again = load(tmp_path / "again.npz")
    for one, two in ((fitted().policy, again.policy), (fitted().value, again.value)):
        assert all(np.array_equal(one.weights[name], two.weights[name]) for name in one.weights)
    assert np.array_equal(fitted().prices, again.prices)


@pytest.mark.long
def test_fitting_moves_everything_that_is_fitted():
    fit = Fit(np.random.default_rng(1))
    before = {name: weight.copy() for name, weight in fit.model.policy.weights.items()}
    for _ in range(3):
        mixed, off = fit.learn(2.0, 1e-3)
    assert 0 < mixed <= np.log(20) + 1e-3
    assert 0 < off < 100
    assert not np.array_equal(before["last"], fit.model.policy.weights["last"])
    assert fit.greedy.sum() == 2 * (int(0.3 * GAMES) // 2)
