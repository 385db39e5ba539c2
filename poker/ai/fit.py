"""Fit the numbers in `weights.npz` by self-play: `python -m poker.ai.fit`.

Batches of games are played by the policy against itself, a share of them against greedy. In every round the whole
matrix of both sight' choices is estimated, so nothing is learnt from luck but that of the cards:

- the policy moves towards what gains more against the mix that the other really plays, held back by a temperature that
  falls (mirror descent with entropy, as in magnetic mirror descent, Sokota et al. 2022);
- the value of what is kept after a round moves towards the value of the next round's matrix, round by round from the
  eighth, whose matrix is exact.

What ships is a running mean of the weights.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poker.ai.batch import Batch, deal, play, shuffled
from poker.ai.features import COMMON, KEPT, OPTION, Sight, describe
from poker.ai.learning import Adam, gradients
from poker.ai.model import ADAPTED, FILE, GREEDY, HEADS, PLAIN, PULL_UNIT, WORTH_UNIT, Model, save
from poker.ai.nets import Net, softmax
from poker.ai.payoffs import exact, solve
from poker.ai.simple import greedy_order
from poker.ai.tables import PLAY, POINTS, Array

GAMES = 1024
GREEDY_SHARE = 0.3
TEMPERATURES = 2.5, 0.5
RATE = 6e-4
STEP = 0.1
"""Of mirror descent, a point: a choice that gains 10 points more than the mix is wanted e times as often."""
FAR = 30.0
"""Points beyond which a gain counts no more: it is one deal's luck."""
SIGNS = np.array([[1], [-1]], dtype=np.float32)
"""What is kept counts for seat 0, and against it."""


def fresh(rng: np.random.Generator) -> Model:
    """Where fitting begins: all choices alike, nothing kept worth anything, piles less safe in early rounds."""
    prices = np.tile(POINTS, (10, 1))
    prices[1:9, :4] *= 1 - 0.04 * np.arange(7, -1, -1, dtype=np.float32)[:, None]
    return Model(Net.fresh(rng, COMMON, OPTION, (64, 32), 1), Net.fresh(rng, COMMON, KEPT, (48, 24), 2 * HEADS), prices)


@dataclass
class Left:
    """What was left after a round, to be compared with what it turns out to be worth."""

    round: int
    common: Array
    kept: Array


class Fit:
    """A model on its way, and the running mean of it."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.model = fresh(rng)
        self.mean = fresh(rng)
        self.mean.policy.weights, self.mean.value.weights = (
            {name: weight.copy() for name, weight in net.weights.items()}
            for net in (self.model.policy, self.model.value)
        )
        self.policy = Adam(self.model.policy.weights.values())
        self.value = Adam(self.model.value.weights.values())
        self.prices = Adam([self.model.prices])
        # Seat that is greedy in each game of a batch: 0, 1 or none.
        greedy = int(GAMES * GREEDY_SHARE) // 2
        self.greedy = np.zeros((GAMES, 2), dtype=bool)
        self.greedy[:greedy, 0] = self.greedy[greedy : 2 * greedy, 1] = True
        self.heads = np.where(self.greedy, GREEDY, np.where(self.greedy[:, ::-1], ADAPTED, PLAIN))

    def learn(self, temperature: float, rate: float) -> tuple[float, float]:
        """Play one batch and learn from it. Answers how mixed the policy is (nats) and how far values were off."""
        batch, left = deal(shuffled(self.rng, GAMES)), None
        policy = {name: np.zeros_like(weight) for name, weight in self.model.policy.weights.items()}
        value = {name: np.zeros_like(weight) for name, weight in self.model.value.weights.items()}
        prices = np.zeros_like(self.model.prices)
        mixed, off = [], []
        for _ in range(7):
            sight = describe(batch)
            layers = self.model.policy.hidden(sight.common, sight.options)
            mine = softmax((layers[1] @ self.model.policy.weights["last"])[..., 0])
            mix = np.where(self.greedy[..., None], _greedy(sight), mine)
            gains, worth = self._gains(batch, sight, mix)
            slope, entropy = self._slope(mine, gains, temperature)
            _add(policy, gradients(self.model.policy, _flat(sight.common), _flat(sight.options), _flats(layers), slope))
            mixed.append(entropy)
            if left:
                off.append(self._compare(left, batch, worth, value, prices))
            choice = _draw(self.rng, mix)
            kept = np.take_along_axis(sight.kept, choice[..., None, None], axis=2)
            left = Left(batch.round, sight.common, kept)
            batch = play(batch, choice)
        assert left
        off.append(self._compare(left, batch, self._end(batch), value, prices))
        prices[:, 4] = 0  # jokers are never taken back
        self.policy.step(policy.values(), rate)
        self.value.step(value.values(), 3 * rate)
        self.prices.step([prices], 5 * rate)
        return float(np.mean(mixed)), float(np.mean(off))

    def average(self, decay: float) -> None:
        """Let the running mean follow."""
        pairs = [(self.mean.prices, self.model.prices)]
        for kind in ("policy", "value"):
            old, new = getattr(self.mean, kind).weights, getattr(self.model, kind).weights
            pairs += [(old[name], new[name]) for name in old]
        for old, new in pairs:
            np.add(old, (1 - decay) * (new - old), out=old)

    def _gains(self, batch: Batch, sight: Sight, mix: Array) -> tuple[Array, Array]:
        """What each choice gains against the other's mix, (games, 2, 20), and what the round is worth to seat 0."""
        matrix = self.model.matrix(batch, sight, self.heads)
        first = np.matmul(matrix, mix[:, 1, :, None])[..., 0]
        second = -np.matmul(mix[:, 0, None, :], matrix)[:, 0]
        return np.stack([first, second], axis=1), (first * mix[:, 0]).sum(axis=1)

    def _slope(self, mine: Array, gains: Array, temperature: float) -> tuple[Array, float]:
        """Towards the mix that a step of mirror descent leads to; and how mixed the present one is."""
        surprise = np.log(mine + 1e-9)
        ahead = gains - (mine * gains).sum(axis=2, keepdims=True)
        aim = softmax((1 - STEP * temperature) * surprise + STEP * np.clip(ahead, -FAR, FAR))
        slope = np.where(self.greedy[..., None], 0, mine - aim) / GAMES
        return _flat(slope)[..., None].astype(np.float32), float(-(mine * surprise).sum(axis=2).mean())

    def _end(self, batch: Batch) -> Array:
        """What round 8 is worth: its equilibrium, or the best answer to greedy."""
        sight = describe(batch)
        matrix = exact(sight.sets, batch.piles, batch.stock)
        worth = solve(matrix, 40)[2]
        choice = greedy_order(sight.sets).argmax(axis=2)
        games = np.arange(GAMES)
        worth = np.where(self.greedy[:, 1], matrix[games, :, choice[:, 1]].max(axis=1), worth)
        return np.where(self.greedy[:, 0], matrix[games, choice[:, 0]].min(axis=1), worth)

    def _compare(self, left: Left, batch: Batch, worth: Array, value: dict[str, Array], prices: Array) -> float:
        """Add the slopes by which the value of what was left comes closer to this worth; answers how far it was off."""
        common, kept = _flat(left.common), _flat(left.kept)
        layers = self.model.value.hidden(common, kept)
        outputs = layers[1] @ self.model.value.weights["last"] + self.model.value.weights["last_bias"]
        outputs = outputs.reshape(GAMES, 2, HEADS, 2)
        head = (np.arange(GAMES)[:, None], np.arange(2), self.heads)
        stock = batch.stock.astype(np.float32) @ POINTS
        units = np.stack([np.full_like(stock, WORTH_UNIT), PULL_UNIT * stock], axis=1)[:, None] * SIGNS
        ahead = batch.piles[:, 0].astype(np.float32) - batch.piles[:, 1]
        off = ahead @ self.model.prices[left.round] + (outputs[head] * units).sum(axis=(1, 2)) - worth
        push = np.clip(off, -60, 60) / GAMES
        slope = np.zeros_like(outputs)
        slope[head] = push[:, None, None] * units / WORTH_UNIT**2
        _add(value, gradients(self.model.value, common, kept, layers, slope.reshape(2 * GAMES, 1, -1)))
        prices[left.round] += ahead.T @ push
        return float(np.sqrt((off**2).mean()))


def _greedy(sight: Sight) -> Array:
    return np.eye(len(PLAY), dtype=np.float32)[greedy_order(sight.sets).argmax(axis=2)]


def _draw(rng: np.random.Generator, mix: Array) -> Array:
    total = mix.cumsum(axis=2)
    return (rng.random((*mix.shape[:2], 1), dtype=np.float32) * total[..., -1:] < total).argmax(axis=2)


def _flat(array: Array) -> Array:
    return array.reshape(-1, *array.shape[2:])


def _flats(layers: tuple[Array, Array]) -> tuple[Array, Array]:
    return _flat(layers[0]), _flat(layers[1])


def _add(total: dict[str, Array], more: dict[str, Array]) -> None:
    for name in total:
        total[name] += more[name]


def main() -> None:
    """Fit and save, saying from time to time how it goes."""
    parser = argparse.ArgumentParser(prog="python -m poker.ai.fit", description="Fit the computer players' numbers.")
    parser.add_argument("--batches", type=int, default=1600, help=f"of {GAMES} games; default %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE, help="default %(default)s")
    options = parser.parse_args()
    fit, began = Fit(np.random.default_rng(options.seed)), time.monotonic()
    high, low = TEMPERATURES
    for number in range(options.batches):
        share = number / options.batches
        warm = min(1, (number + 1) / 50)
        rate = RATE * warm * (1 - share) ** 0.7 + RATE / 50
        mixed, off = fit.learn(max(low, high * (low / high) ** (1.25 * share)), rate)
        fit.average(0.99 if number > 100 else 0.9)
        if number % 50 == 49:
            seconds = time.monotonic() - began
            sys.stderr.write(f"{seconds:.0f} s, {number + 1}: mixed {mixed:.2f}, off {off:.1f}\n")
            save(fit.mean, options.out)


if __name__ == "__main__":
    main()
