"""The matrix of a round: what each pair of choices is worth to seat 0, with an estimate of all that comes later.

After a round the estimate is: each pile at `prices` a card, what each seat keeps at its `worth`, and the stock, in
points, times how much likelier (`pull`) a seat is to be the next winner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.batch import captures, resolve, strengths
from poker.ai.tables import CARD_POINTS, KEEPS_OWN, KIND, POINTS, Array


@dataclass
class Stakes:
    """What a seat's 20 choices put at stake: (…, 20) each.

    Attributes:
        power: strength of the set.
        lost: what the other gains by taking it into his pile.
        points: the same in points of the end, for the stock.
        gain: what a win with it brings but for the other's set and the stock.
    """

    power: Array
    lost: Array
    points: Array
    gain: Array


def stakes(sets: Array, other_pile: Array, prices: Array) -> Stakes:
    """Of sets (…, 20, 3) against this pile (…, 5), when a card of each kind in a pile is worth these prices (5,)."""
    suit, taken = captures(sets, other_pile[..., None, :])
    lost = prices[KIND][sets].sum(axis=-1)
    own = KEEPS_OWN[sets[..., 0], sets[..., 1], sets[..., 2]] * lost
    return Stakes(strengths(sets), lost, CARD_POINTS[sets].sum(axis=-1), own + 2 * prices[suit] * taken)


@dataclass
class Left:
    """What each choice leaves a seat, (…, 20) each: `worth` of what is kept, and `pull`."""

    worth: Array
    pull: Array


def estimated(first: Stakes, second: Stakes, left: tuple[Left, Left], stock: tuple[Array, Array]) -> Array:
    """The matrix of a round before the eighth, (…, 20, 20), but for what the piles are worth already.

    Args:
        first: of seat 0.
        second: of seat 1, and of shapes that go together, as everything here.
        left: to seat 0 and to seat 1.
        stock: (…) each: what the stock is worth in a pile, and its points.
    """
    in_pile, points = (each[..., None, None] for each in stock)
    one, two = first.power[..., :, None], second.power[..., None, :]
    won = first.gain[..., :, None] + second.lost[..., None, :] + in_pile
    lost = second.gain[..., None, :] + first.lost[..., :, None] + in_pile
    pot = points + first.points[..., :, None] + second.points[..., None, :]
    tied = pot * (left[0].pull[..., :, None] - left[1].pull[..., None, :])
    now = np.where(one > two, won, np.where(two > one, -lost, tied))
    return now + left[0].worth[..., :, None] - left[1].worth[..., None, :]


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
