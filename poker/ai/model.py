"""The fitted numbers: `weights.npz`, made by `poker.ai.fit`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from poker.ai.batch import Batch
from poker.ai.features import Sight
from poker.ai.nets import Net
from poker.ai.payoffs import Left, estimated, stakes
from poker.ai.tables import POINTS, Array

FILE = Path(__file__).with_name("weights.npz")
WORTH_UNIT = np.float32(10)
PULL_UNIT = np.float32(0.3)

PLAIN, ADAPTED, GREEDY = range(3)
"""Values of what is kept by whose it is: one who plays the policy against the same, one who plays it against greedy,
and greedy."""
HEADS = 3


@dataclass
class Model:
    """A way to choose, and estimates of what comes after a round.

    Attributes:
        policy: logits of the 20 choices.
        value: of what is kept with each: worth and pull (`payoffs`), in their units.
        prices: (10, 5), of a card of each kind in a pile after each round.
    """

    policy: Net
    value: Net
    prices: Array

    def left(self, sight: Sight) -> list[Left]:
        """What each choice leaves, for PLAIN, ADAPTED and GREEDY."""
        out = self.value(sight.common, sight.kept)
        return [Left(out[..., 2 * who] * WORTH_UNIT, out[..., 2 * who + 1] * PULL_UNIT) for who in range(HEADS)]

    def matrix(self, batch: Batch, sight: Sight, heads: Array) -> Array:
        """What each pair of choices is worth to seat 0, in rounds 1 to 7: (games, 20, 20).

        Args:
            heads: (games, 2) or (2,), who sits at each seat: PLAIN, ADAPTED or GREEDY.
        """
        out = self.value(sight.common, sight.kept)
        out = out.reshape(*out.shape[:-1], HEADS, 2)
        of_whom = np.broadcast_to(heads, out.shape[:2])[..., None, None, None]
        out = np.take_along_axis(out, of_whom, axis=3)[..., 0, :]
        left = [Left(out[:, seat, :, 0] * WORTH_UNIT, out[:, seat, :, 1] * PULL_UNIT) for seat in (0, 1)]
        prices = self.prices[batch.round]
        first, second = (stakes(sight.sets[:, seat], batch.piles[:, 1 - seat], prices) for seat in (0, 1))
        stock = batch.stock.astype(np.float32)
        ahead = (batch.piles[:, 0].astype(np.float32) - batch.piles[:, 1]) @ prices
        matrix = estimated(first, second, (left[0], left[1]), (stock @ prices, stock @ POINTS))
        return matrix + ahead[:, None, None]


def save(model: Model, path: Path) -> None:
    """Write the numbers, in half precision: that is finer than they are known."""
    arrays: dict[str, Array] = {"prices": model.prices}
    for kind, net in (("policy", model.policy), ("value", model.value)):
        arrays |= {f"{kind}.{name}": weight.astype(np.float16) for name, weight in net.weights.items()}
    np.savez_compressed(path, allow_pickle=False, **arrays)


def load(path: Path = FILE) -> Model:
    """Read the numbers."""
    with np.load(path) as file:
        arrays = {name: file[name].astype(np.float32) for name in file}
    nets = {
        net: Net({name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{net}.")})
        for net in ("policy", "value")
    }
    return Model(nets["policy"], nets["value"], arrays["prices"])


@cache
def fitted() -> Model:
    """Those that ship, read once a process."""
    return load()
