"""The matrix of a round: what each pair of choices is worth to seat 0, with an estimate of all that comes later.

After a round the estimate is: each pile at `prices` a card, what each seat keeps at its `worth`, and the stock, in
points, times how much likelier (`pull`) a seat is to be the next winner.
"""

from __future__ import annotations

import numpy as np

from poker.ai.batch import captures, counts, resolve, strengths
from poker.ai.tables import KEEPS_OWN, POINTS, Array


def estimated(sets: Array, piles: Array, stock: Array, worth: Array, pull: Array, prices: Array) -> Array:
    """Of a round before the eighth: (games, 20, 20).

    Args:
        sets: (games, 2, 20, 3).
        piles: (games, 2, 5).
        stock: (games, 5).
        worth: (games, 2, 20), of what is kept with each choice.
        pull: the same shape.
        prices: (5,), what a card of each kind in a pile is worth after this round.
    """
    held = counts(sets).astype(np.float32)
    exposed, points = held @ prices, held @ POINTS
    stocked = stock.astype(np.float32)
    suit, taken = captures(sets, piles[:, ::-1, None])
    own = KEEPS_OWN[sets[..., 0], sets[..., 1], sets[..., 2]] * exposed
    gain = own + 2 * prices[suit] * taken + (stocked @ prices)[:, None, None]
    power = strengths(sets)
    one, two = power[:, 0, :, None], power[:, 1, None, :]
    won = gain[:, 0, :, None] + exposed[:, 1, None, :]
    lost = gain[:, 1, None, :] + exposed[:, 0, :, None]
    pot = (stocked @ POINTS)[:, None, None] + points[:, 0, :, None] + points[:, 1, None, :]
    tied = pot * (pull[:, 0, :, None] - pull[:, 1, None, :])
    now = np.where(one > two, won, np.where(two > one, -lost, tied))
    value = (piles[:, 0].astype(np.float32) - piles[:, 1]) @ prices
    return now + (worth[:, 0, :, None] - worth[:, 1, None, :]) + value[:, None, None]


def exact(sets: Array, piles: Array, stock: Array) -> Array:
    """Of the eighth round, (games, 20, 20): nobody chooses in the ninth, so the end of the game is known."""
    one, two = sets[:, 0, :, None], sets[:, 1, None, :]
    after, left = resolve(piles[:, None, None], stock[:, None, None], one, two)
    final, _ = resolve(after, left, one[:, ::-1], two[:, :, ::-1])  # what is kept with a choice is its mirror's set
    return (final[..., 0, :].astype(np.float32) - final[..., 1, :]) @ POINTS


def solve(matrix: Array, iterations: int) -> tuple[Array, Array, Array]:
    """Equilibria of matrix games by regret matching (plus, alternating, averaged with growing weight).

    Args:
        matrix: (games, n, m), what seat 0 gets and seat 1 loses.

    Returns:
        The mix of seat 0 (games, n), that of seat 1 (games, m), and half the sum of what each can be sure of by its
        mix: the value, to within what the iterations leave open.
    """
    games, rows, columns = matrix.shape
    across = np.ascontiguousarray(matrix.transpose(0, 2, 1))
    regret0, regret1 = np.zeros((games, rows), np.float32), np.zeros((games, columns), np.float32)
    sum0, sum1 = np.zeros_like(regret0), np.zeros_like(regret1)
    mix1 = np.full_like(regret1, 1 / columns)
    for step in range(1, iterations + 1):
        gain = np.matmul(matrix, mix1[..., None])[..., 0]
        mix0 = matched(regret0)
        regret0 = np.maximum(regret0 + gain - (mix0 * gain).sum(axis=1, keepdims=True), 0)
        mix0 = matched(regret0)
        gain = -np.matmul(across, mix0[..., None])[..., 0]
        regret1 = np.maximum(regret1 + gain - (mix1 * gain).sum(axis=1, keepdims=True), 0)
        mix1 = matched(regret1)
        sum0 += step * mix0
        sum1 += step * mix1
    sum0 /= sum0.sum(axis=1, keepdims=True)
    sum1 /= sum1.sum(axis=1, keepdims=True)
    sure0 = np.matmul(across, sum0[..., None])[..., 0].min(axis=1)
    sure1 = np.matmul(matrix, sum1[..., None])[..., 0].max(axis=1)
    return sum0, sum1, (sure0 + sure1) / 2


def matched(regret: Array) -> Array:
    """Mixes in proportion to what is regretted, over the last axis; even where nothing is."""
    total = regret.sum(axis=-1, keepdims=True)
    return np.where(total > 0, regret / np.maximum(total, 1e-9), np.float32(1 / regret.shape[-1]))
