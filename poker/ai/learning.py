"""How the small nets learn: gradients by hand, steps by Adam."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from poker.ai.nets import Net
from poker.ai.tables import Array


def gradients(net: Net, common: Array, options: Array, layers: tuple[Array, Array], slope: Array) -> dict[str, Array]:
    """What a loss does with each weight, given what it does with the outputs.

    Args:
        common: (rows, C).
        options: (rows, n, O).
        layers: the hidden layers of these, as `Net.hidden` answers them.
        slope: (rows, n, outputs), of the loss by the outputs.
    """
    rows, n, _ = options.shape
    inputs, one, two, slope = (array.reshape(rows * n, -1) for array in (options, *layers, slope))
    by_two = (slope @ net.weights["last"].T) * (two > 0)
    by_one = (by_two @ net.weights["middle"].T) * (one > 0)
    by_common = by_one.reshape(rows, n, -1).sum(axis=1)
    return {
        "common": common.T @ by_common,
        "option": inputs.T @ by_one,
        "bias": by_common.sum(axis=0),
        "middle": one.T @ by_two,
        "middle_bias": by_two.sum(axis=0),
        "last": two.T @ slope,
        "last_bias": slope.sum(axis=0),
    }


class Adam:
    """Moves arrays, in place, down their gradients (Kingma and Ba 2014, with their constants)."""

    def __init__(self, arrays: Iterable[Array]) -> None:
        self.arrays = list(arrays)
        self.mean = [np.zeros_like(array) for array in self.arrays]
        self.square = [np.zeros_like(array) for array in self.arrays]
        self.steps = 0

    def step(self, slopes: Iterable[Array], rate: float) -> None:
        """One step for each array, in the order in which they were given."""
        self.steps += 1
        first, second = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for array, slope, mean, square in zip(self.arrays, slopes, self.mean, self.square, strict=True):
            np.add(mean, 0.1 * (slope - mean), out=mean)
            np.add(square, 0.001 * (slope * slope - square), out=square)
            np.subtract(array, rate * (mean / first) / (np.sqrt(square / second) + 1e-8), out=array)
