"""Matrix games solved exactly: a linear programme by the simplex method."""

from __future__ import annotations

import numpy as np

from poker.ai.tables import Array

EPSILON = 1e-9
GREEDY_PIVOTS = 200
"""Pivots by the steepest column before Bland's rule, which can't go in circles, takes over."""


def equilibrium(matrix: Array) -> tuple[Array, Array, float]:
    """Best mixes of both and the value of the game.

    Args:
        matrix: (n, m), what the first gets and the second loses.

    Returns:
        Mix of the first (n,), mix of the second (m,), what the first gets a game.
    """
    payoff = np.asarray(matrix, dtype=np.float64)
    shift = 1 - payoff.min()
    positive = payoff + shift  # every entry at least 1: the value is positive, as the programme below needs
    rows, columns = positive.shape
    # maximise the sum of y where positive @ y <= 1, y >= 0: y is the second's mix over the value. A row for each of the
    # first's choices and one for the aim; a column for each of the second's choices, for each slack, and the bounds.
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = positive
    table[:rows, columns:-1] = np.eye(rows)
    table[:rows, -1] = 1
    table[-1, :columns] = -1
    basis = np.arange(columns, columns + rows)
    pivots = 0
    while True:
        aim = table[-1, :-1]
        if pivots < GREEDY_PIVOTS:
            enter = int(aim.argmin())
            if aim[enter] > -EPSILON:
                break
        else:
            better = np.flatnonzero(aim < -EPSILON)
            if not len(better):
                break
            enter = int(better[0])
        column = table[:-1, enter]
        ratio = np.full(rows, np.inf)
        np.divide(table[:-1, -1], column, out=ratio, where=column > EPSILON)
        ties = np.flatnonzero(ratio <= ratio.min() + EPSILON)
        leave = int(ties[basis[ties].argmin()])
        table[leave] /= table[leave, enter]
        factors = table[:, enter].copy()
        factors[leave] = 0
        table -= np.outer(factors, table[leave])
        basis[leave] = enter
        pivots += 1
    total = table[-1, -1]
    second = np.zeros(columns + rows)
    second[basis] = table[:-1, -1]
    first = table[-1, columns:-1]
    return np.maximum(first, 0) / first.sum(), np.maximum(second[:columns], 0) / total, 1 / total - shift
