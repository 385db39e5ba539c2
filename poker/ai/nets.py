"""Small fitted functions: two hidden layers over features, applied to all options of a position at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.tables import Array


@dataclass
class Net:
    """Weights by name: `common` and `option` lead into the first hidden layer, `middle` into the second, `last` out."""

    weights: dict[str, Array]

    @staticmethod
    def fresh(rng: np.random.Generator, common: int, option: int, hidden: tuple[int, int], outputs: int) -> Net:
        """Random weights of the usual size (He); the last layer begins at zero."""

        def layer(inputs: int, size: int) -> Array:
            return (rng.standard_normal((inputs, size)) * np.sqrt(2 / inputs)).astype(np.float32)

        first, second = hidden
        return Net(
            {
                "common": layer(common, first) * np.float32(0.7),
                "option": layer(option, first) * np.float32(0.7),
                "bias": np.zeros(first, dtype=np.float32),
                "middle": layer(first, second),
                "middle_bias": np.zeros(second, dtype=np.float32),
                "last": np.zeros((second, outputs), dtype=np.float32),
                "last_bias": np.zeros(outputs, dtype=np.float32),
            }
        )

    def hidden(self, common: Array, options: Array) -> tuple[Array, Array]:
        """Both hidden layers, for common (…, C) and options (…, n, O): (…, n, H1) and (…, n, H2)."""
        w = self.weights
        one = options @ w["option"]
        one += (common @ w["common"] + w["bias"])[..., None, :]
        np.maximum(one, 0, out=one)
        two = one @ w["middle"]
        two += w["middle_bias"]
        np.maximum(two, 0, out=two)
        return one, two

    def __call__(self, common: Array, options: Array) -> Array:
        """(…, n, outputs)."""
        return self.hidden(common, options)[1] @ self.weights["last"] + self.weights["last_bias"]


def softmax(logits: Array) -> Array:
    """Over the last axis."""
    high = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return high / high.sum(axis=-1, keepdims=True)
