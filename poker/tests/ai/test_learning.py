"""What fitting rests on: gradients, steps, and a file that comes back as it was written."""

import numpy as np
import pytest

from poker.ai.batch import deal, shuffled
from poker.ai.counter import IMAGINED, Counter
from poker.ai.features import describe
from poker.ai.fit import Fit, fresh, some_fixed
from poker.ai.learning import Adam, gradients
from poker.ai.model import fitted, load, save
from poker.ai.nets import Net
from poker.ai.search import expert_mixes
from poker.ai.tables import PLAY


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


def test_fitting_moves_what_is_fitted():
    rng = np.random.default_rng(1)
    fit = Fit(rng, fresh(rng), some_fixed(32, 0.5))
    assert fit.fixed.sum(axis=0).tolist() == [8, 8]
    before = fit.model.copy()
    for _ in range(3):
        mixed, off = fit.learn(2.0, 1e-3)
    fit.average(0.5)
    assert 0 < mixed <= np.log(20) + 1e-3
    assert 0 < off < 100
    for old, new in ((before.policy, fit.mean.policy), (before.value, fit.mean.value)):
        assert not np.array_equal(old.weights["last"], new.weights["last"])
    assert not np.array_equal(before.prices, fit.mean.prices)


def test_expert_is_met_as_it_is_in_a_game():
    """What fitting against expert makes of its seat is what expert makes of the same position."""
    counter = Counter(np.random.default_rng(2))
    batch = deal(shuffled(np.random.default_rng(3), len(counter.fixed)))
    while batch.round < 8:
        batch = counter.advance(batch, np.random.default_rng(batch.round).integers(0, 20, (len(counter.fixed), 2)))
    game, seat = 5, counter.seat[5]
    hand, other = batch.hands[game, seat], batch.hands[game, 1 - seat]
    situation = counter._situation(batch, game)
    assert set(situation.hand) == set(hand)
    assert {*situation.unseen, situation.other_joker} - {-1} == set(other.tolist())
    mix = expert_mixes(fitted(), [situation], [np.random.default_rng(4)], IMAGINED)[0]
    wanted = {tuple(cards): share for cards, share in zip(situation.hand[PLAY].tolist(), mix, strict=True)}
    found = counter.fixed_mixes(batch, describe(batch))[game, seat]
    assert found == pytest.approx([wanted[tuple(sorted(cards))] for cards in hand[PLAY].tolist()], abs=0.02)
