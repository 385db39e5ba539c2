"""How advanced and expert choose: hands that the other may hold, the matrix of the round with each of them, a mix.

Expert works on several positions of one round at once, which the exploiter needs; a game has one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.beliefs import Guess, believe, dealt, kept_by, policies
from poker.ai.features import KEPT_JOKER, KEPT_OUTS, Sight, see
from poker.ai.matrix_game import equilibrium
from poker.ai.model import ADAPTED, GREEDY, PLAIN, Model
from poker.ai.nets import softmax
from poker.ai.payoffs import Left, estimated, exact, matched, stakes
from poker.ai.simple import greedy_order
from poker.ai.situation import Situation, tables
from poker.ai.tables import PLAY, POINTS, Array


@dataclass(frozen=True)
class Settings:
    """How expert thinks.

    Attributes:
        guess: about the other.
        worlds: hands of his that are played against.
        temperature: points; a choice that is so much worse than the best is made a third as often.
        habit: how much the fitted policy counts in the mix.
        trust: in round 8, what the chance that the other is greedy is put at, at most. More wins more from greedy, and
            loses more to one who only seemed to be.
    """

    guess: Guess
    worlds: int
    temperature: float
    habit: float
    trust: float


EXPERT = Settings(
    Guess(candidates=192, memory=1, greedy=0.3, slip=0.05), worlds=48, temperature=0.5, habit=0.2, trust=0.6
)

ADVANCED_WORLDS, ADVANCED_ITERATIONS = 40, 80
KEPT_WORTH = np.array([4, 5, 7, 0, 25], dtype=np.float32)
"""What advanced takes a kept three to be worth, in points for the shares of the live cards that would make a pair,
flush, straight, three of a kind or straight flush with two of it …"""
JOKER_WORTH = 12 - 3.8 * np.arange(8, dtype=np.float32)
"""… and for a joker in it, by round: early a weapon, late a burden."""


def expert_mixes(
    model: Model, situations: list[Situation], rngs: list[np.random.Generator], use: Settings = EXPERT
) -> Array:
    """How often to choose what, (positions, 20). All are in one round, 1 to 8.

    The mix leans to what gains most against the other's probable mixes. They are two, and it is known how likely each
    is: greedy's, and that of the fitted policy.
    """
    beliefs = believe(model, situations, rngs, use.guess, use.worlds)
    if situations[0].round == 8:
        shares = np.minimum(beliefs.greedy, use.trust)
        return np.stack([last_mix(s, share) for s, share in zip(situations, shares, strict=True)])
    others = see(beliefs.hands, tables(situations, situations[0].round, 1))
    own = see(np.stack([s.hand for s in situations])[:, None], tables(situations, situations[0].round, 0))
    matrices = _matrices(model, situations, own, others)
    by_greedy, by_habit = (
        np.matmul(matrix, mix[..., None])[..., 0].mean(axis=1)
        for matrix, mix in zip(matrices, policies(model, others), strict=True)
    )
    share = beliefs.greedy[:, None]
    value = share * by_greedy + (1 - share) * by_habit
    return softmax(value / use.temperature + use.habit * model.policy(own.common, own.options)[:, 0, :, 0])


def _matrices(model: Model, situations: list[Situation], own: Sight, others: Sight) -> tuple[Array, Array]:
    """Against greedy and against the fitted policy, for each hand of the other: (positions, worlds, 20, 20)."""
    prices = model.prices[situations[0].round]
    piles = np.stack([s.piles[-1] for s in situations])[:, None]
    stock = np.stack([s.stock[-1] for s in situations])[:, None].astype(np.float32)
    first = stakes(own.sets, piles[:, :, 1], prices)
    second = stakes(others.sets, piles[:, :, 0], prices)
    mine, theirs = model.left(own), model.left(others)
    in_stock = stock @ prices, stock @ POINTS
    return (
        estimated(first, second, (mine[ADAPTED], theirs[GREEDY]), in_stock),
        estimated(first, second, (mine[PLAIN], theirs[PLAIN]), in_stock),
    )


def advanced_mix(s: Situation, rng: np.random.Generator) -> Array:
    """How often to choose what, (20,), in a round 1 to 8: the mix that is safe whatever the other plays.

    Any unseen cards may be his. He is taken to know this hand, and each of his hands answers as it likes.
    """
    if s.round == 8:
        return last_mix(s)
    hands = dealt(rng, s, kept_by(rng, s, ADVANCED_WORLDS))
    own, others = see(s.hand, s.table(s.round, 0)), see(hands, s.table(s.round, 1))
    left = _kept_by_rule(own, s.round), _kept_by_rule(others, s.round)
    first, second = stakes(own.sets, s.piles[-1, 1], POINTS), stakes(others.sets, s.piles[-1, 0], POINTS)
    in_stock = s.stock[-1].astype(np.float32) @ POINTS
    matrices = estimated(first, second, left, (in_stock, in_stock))
    return _safe_mix(matrices, ADVANCED_ITERATIONS)


def _kept_by_rule(sight: Sight, round_: int) -> Left:
    kept = sight.kept
    worth = kept[..., KEPT_OUTS] @ KEPT_WORTH + kept[..., KEPT_JOKER] * JOKER_WORTH[round_]
    return Left(worth, np.zeros_like(worth))


def last_mix(s: Situation, greedy: float = 0.0) -> Array:
    """Of round 8, (20,): the deck is empty, so what is unseen is the other hand, and the matrix is solved.

    Args:
        greedy: the chance that the other plays the greedy choice whatever happens; else he plays as is worst for this.
            At 0 this is the equilibrium.
    """
    others = s.unseen if s.other_joker < 0 else np.append(s.unseen, s.other_joker)
    sets = np.stack([s.hand, others])[:, PLAY]
    matrix = exact(sets[None], s.piles[None, -1], s.stock[None, -1])[0]
    expected = matrix[:, [greedy_order(sets[1]).argmax()]]
    mix, _, _ = equilibrium(greedy * expected + (1 - greedy) * matrix)
    return mix


def _safe_mix(matrices: Array, iterations: int) -> Array:
    """One mix for all these matrices (n, 20, 20), each answered by a mix of its own: by regret matching."""
    across = np.ascontiguousarray(matrices.transpose(0, 2, 1))
    mine, theirs = np.zeros((1, len(PLAY)), np.float32), np.zeros(matrices.shape[:2], np.float32)
    mix, answers, total = matched(mine), matched(theirs), np.zeros_like(mine)
    for step in range(1, iterations + 1):
        gain = np.matmul(matrices, answers[..., None])[..., 0].mean(axis=0, keepdims=True)
        mine = np.maximum(mine + gain - (mix * gain).sum(), 0)
        mix = matched(mine)
        gain = -(across @ mix[0])
        theirs = np.maximum(theirs + gain - (answers * gain).sum(axis=1, keepdims=True), 0)
        answers = matched(theirs)
        total += step * mix
    return total[0] / total.sum()
