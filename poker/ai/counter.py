"""Fit values and a policy against expert, for the exploiter: `python -m poker.ai.counter --out FILE`.

Fitting begins at expert's own numbers. In every game one seat is expert, which doesn't change; the other learns what
its choices gain against the mixes that expert really draws from, and what positions against it are worth.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from poker.ai.batch import Batch, play
from poker.ai.features import Sight
from poker.ai.fit import Fit, some_fixed
from poker.ai.model import fitted, save
from poker.ai.search import EXPERT, expert_mixes
from poker.ai.situation import Situation
from poker.ai.tables import PLAY, Array

GAMES = 256
IMAGINED = replace(EXPERT, guess=replace(EXPERT.guess, candidates=64), worlds=16)
"""How expert is imagined: with less thought, for speed; the mix it draws from is about the same."""
AT_ONCE = 32
RATE = 3e-4
TEMPERATURE = 0.3

_NUMBER = np.zeros(64, dtype=np.intp)
_NUMBER[(1 << PLAY.astype(np.intp)).sum(axis=1)] = np.arange(len(PLAY))
"""A choice's number by its places, as the bits of a number."""


class Counter(Fit):
    """Learns to play against expert, which sits at one seat of every game."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng, fitted().copy(), some_fixed(GAMES, 1.0))
        self.seat = self.fixed.argmax(axis=1)
        self.past: list[tuple[Array, Array, Array]] = []

    def fixed_mixes(self, batch: Batch, sight: Sight) -> Array:
        """Expert's mixes."""
        if batch.round == 1:
            self.past = []
        places = np.argsort(np.argsort(batch.hands, axis=2), axis=2)
        number = _NUMBER[(1 << places[..., PLAY]).sum(axis=3)]  # expert's hands ascend, those of a batch don't
        mixes = np.zeros((GAMES, 2, len(PLAY)), dtype=np.float32)
        for start in range(0, GAMES, AT_ONCE):
            games = range(start, start + AT_ONCE)
            situations = [self._situation(batch, game) for game in games]
            found = expert_mixes(fitted(), situations, self.rng.spawn(AT_ONCE), IMAGINED)
            for game, mix in zip(games, found, strict=True):
                mixes[game, self.seat[game]] = mix[number[game, self.seat[game]]]
        return mixes

    def advance(self, batch: Batch, choice: Array) -> Batch:
        """The next round; what was played is remembered, for expert's sake."""
        self.past.append((np.take_along_axis(batch.hands, PLAY[choice], axis=2), batch.piles, batch.stock))
        return play(batch, choice)

    def _situation(self, batch: Batch, game: int) -> Situation:
        seat = self.seat[game]
        order = [seat, 1 - seat]
        played = np.array([sets[game, order] for sets, _, _ in self.past], dtype=np.intp).reshape(-1, 2, 3)
        piles = [*(piles[game, order] for _, piles, _ in self.past), batch.piles[game, order]]
        stock = [*(stock[game] for _, _, stock in self.past), batch.stock[game]]
        hand = np.sort(batch.hands[game, seat]).astype(np.intp)
        return Situation.at(batch.round, hand, played.swapaxes(0, 1), np.stack(piles), np.stack(stock))


def main() -> None:
    """Fit and save, saying from time to time how it goes."""
    parser = argparse.ArgumentParser(prog="python -m poker.ai.counter", description="Fit numbers against expert.")
    parser.add_argument("--batches", type=int, default=200, help=f"of {GAMES} games; default %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    fit, began = Counter(np.random.default_rng(options.seed)), time.monotonic()
    for number in range(1, options.batches + 1):
        mixed, off = fit.learn(TEMPERATURE, RATE * (1 - number / options.batches) ** 0.5)
        fit.average(0.95)
        if number % 10 == 0:
            seconds = time.monotonic() - began
            sys.stderr.write(f"{seconds:.0f} s, {number}: mixed {mixed:.2f}, off {off:.1f}\n")
            save(fit.mean, options.out)
    save(fit.mean, options.out)


if __name__ == "__main__":
    main()
