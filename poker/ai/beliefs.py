"""Which hands the other may hold, weighed by what he has played.

A hand is what was kept and what was drawn. All the ways in which the unseen cards can be dealt are equally likely, so
what was kept is weighed by one thing only: how likely its owner was to play what he played, and to keep this. That
needs a guess at how he chooses. There are two, greedy and the fitted policy, and which fits him better shows as he
plays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.features import Sight, see
from poker.ai.model import Model
from poker.ai.nets import softmax
from poker.ai.simple import greedy_order
from poker.ai.situation import Situation, some_of, tables
from poker.ai.tables import JOKER, PLAY, Array


@dataclass(frozen=True)
class Guess:
    """How the other is taken to choose, and how hard one thinks about it.

    Attributes:
        candidates: threes that are weighed as what he kept.
        memory: rounds that are looked back for what he kept.
        greedy: how likely he is taken to be greedy before he has played.
        slip: the share of choices, any of the 20, that neither guess explains.
    """

    candidates: int
    memory: int
    greedy: float
    slip: float


@dataclass
class Beliefs:
    """Of one position or several.

    Attributes:
        hands: (positions, worlds, 6), each as likely as the next.
        greedy: (positions,), how likely he is greedy.
    """

    hands: Array
    greedy: Array


def policies(model: Model, sight: Sight) -> tuple[Array, Array]:
    """How greedy and how the fitted policy choose there: (…, 20) each."""
    order = greedy_order(sight.sets)
    greedy = np.zeros(order.shape, dtype=np.float32)
    np.put_along_axis(greedy, order.argmax(axis=-1)[..., None], 1, axis=-1)
    return greedy, softmax(model.policy(sight.common, sight.options)[..., 0])


def believe(
    model: Model, situations: list[Situation], rngs: list[np.random.Generator], guess: Guess, worlds: int
) -> Beliefs:
    """Sample `worlds` hands for each position. All are in one round, 1 to 8."""
    dice = list(zip(situations, rngs, strict=True))
    if situations[0].round == 1:
        fresh = [dealt(rng, s, np.full((worlds, 1), s.other_joker)) for s, rng in dice]
        return Beliefs(np.stack(fresh), np.full(len(fresh), guess.greedy, dtype=np.float32))
    kept = [kept_by(rng, s, guess.candidates) for s, rng in dice]
    likely = _likelihoods(model, situations, rngs, kept, guess)
    # Whether he is greedy, each round says on its own; together they would leave too few candidates to ask.
    odds = np.prod(likely.mean(axis=3), axis=0)
    greedy = guess.greedy * odds[0] / (guess.greedy * odds[0] + (1 - guess.greedy) * odds[1])
    recent = np.prod(likely[: guess.memory], axis=0)
    weight = greedy[:, None] * recent[0] + (1 - greedy[:, None]) * recent[1]
    hands = [
        dealt(rng, s, three[resample(rng, chance, worlds)])
        for (s, rng), three, chance in zip(dice, kept, weight, strict=True)
    ]
    return Beliefs(np.stack(hands), greedy)


def kept_by(rng: np.random.Generator, s: Situation, rows: int) -> Array:
    """Threes that the other may have kept, (rows, 3): his joker, if he still holds it, and unseen cards."""
    if s.other_joker < 0:
        return some_of(rng, s.unseen, rows, 3)
    return np.concatenate([some_of(rng, s.unseen, rows, 2), np.full((rows, 1), s.other_joker)], axis=1)


def _likelihoods(
    model: Model, situations: list[Situation], rngs: list[np.random.Generator], kept: list[Array], guess: Guess
) -> Array:
    """How likely the plays of each round were, the last first, if these threes are what was kept in the end, and he is
    greedy or of habit: (rounds, 2, positions, candidates).

    What he kept a round earlier isn't known, only that it is three of the six he then had: one way is drawn for each.
    """
    likely = []
    for round_ in range(situations[0].round - 1, 0, -1):
        played = np.stack([np.sort(s.played[1, round_ - 1]) for s in situations])[:, None]
        played = np.broadcast_to(played, (len(situations), guess.candidates, 3))
        hands = np.sort(np.concatenate([played, np.stack(kept)], axis=2), axis=2)
        sight = see(hands, tables(situations, round_, 1))
        choice = (sight.sets == played[:, :, None]).all(axis=3)
        chances = np.stack([(mix * choice).sum(axis=2) for mix in policies(model, sight)])
        likely.append(guess.slip / len(PLAY) + (1 - guess.slip) * chances)
        kept = [_three_of(rng, each) for rng, each in zip(rngs, hands, strict=True)]
    return np.stack(likely)


def _three_of(rng: np.random.Generator, hands: Array) -> Array:
    """Three random cards of each hand; a joker in it is one of them, since it wasn't drawn."""
    keys = rng.random(hands.shape, dtype=np.float32) - (hands >= JOKER)
    return np.take_along_axis(hands, np.argpartition(keys, 2, axis=1)[:, :3], axis=1)


def resample(rng: np.random.Generator, weights: Array, size: int) -> Array:
    """Indices in proportion to weights, evenly spread."""
    total = np.cumsum(weights, dtype=np.float64)
    steps = (np.arange(size) + rng.random()) / size * total[-1]
    return np.minimum(np.searchsorted(total, steps, side="right"), len(weights) - 1)


def dealt(rng: np.random.Generator, s: Situation, kept: Array) -> Array:
    """Fill hands up to six from the deck, ascending."""
    rows, held = kept.shape
    keys = rng.random((rows, len(s.unseen)), dtype=np.float32)
    keys[(s.unseen[None, :, None] == kept[:, None, :]).any(axis=2)] = 2  # held already: drawn last
    drawn = s.unseen[np.argpartition(keys, 5 - held, axis=1)[:, : 6 - held]]
    return np.sort(np.concatenate([kept, drawn], axis=1), axis=1)
