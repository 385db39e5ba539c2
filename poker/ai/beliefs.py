"""Which hands the other may hold, weighed by what he has played.

A hand is what was kept and what was drawn. All the ways in which the unseen cards can be dealt are equally likely, so
what was kept is weighed by one thing only: how likely its owner was to play what he played, and to keep this. That
needs a guess at how he chooses. There are two, greedy and the fitted policy, and which fits him better shows as he
plays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.batch import Batch
from poker.ai.features import Seats, describe
from poker.ai.model import Model
from poker.ai.nets import softmax
from poker.ai.simple import greedy_order
from poker.ai.situation import Situation, some_of
from poker.ai.tables import JOKER, PLAY, Array


@dataclass(frozen=True)
class Guess:
    """How the other is taken to choose, and how hard one thinks about it.

    Attributes:
        candidates: threes that are weighed as what he kept.
        memory: rounds that are looked back.
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


def policies(model: Model, seats: Seats, seat: int) -> tuple[Array, Array]:
    """How greedy and how the fitted policy choose there: (n, 20) each."""
    sets = seats.sets[:, seat]
    greedy = np.zeros(sets.shape[:2], dtype=np.float32)
    greedy[np.arange(len(sets)), greedy_order(sets).argmax(axis=1)] = 1
    return greedy, softmax(model.policy(seats.common[:, seat], seats.options[:, seat])[..., 0])


def believe(
    model: Model, situations: list[Situation], rngs: list[np.random.Generator], guess: Guess, worlds: int
) -> Beliefs:
    """Sample `worlds` hands for each position. All are in one round, 1 to 8."""
    dice = list(zip(situations, rngs, strict=True))
    if situations[0].round == 1:
        fresh = [_dealt(rng, s, np.full((worlds, 1), s.other_joker)) for s, rng in dice]
        return Beliefs(np.stack(fresh), np.full(len(fresh), guess.greedy, dtype=np.float32))
    kept = [_kept(rng, s, guess.candidates) for s, rng in dice]
    by_greedy, by_habit = _likelihoods(model, situations, rngs, guess, kept)
    weight = guess.greedy * by_greedy + (1 - guess.greedy) * by_habit
    greedy = guess.greedy * by_greedy.sum(axis=1) / weight.sum(axis=1)
    hands = [
        _dealt(rng, s, three[_resample(rng, chance, worlds)])
        for (s, rng), three, chance in zip(dice, kept, weight, strict=True)
    ]
    return Beliefs(np.stack(hands), greedy)


def _kept(rng: np.random.Generator, s: Situation, rows: int) -> Array:
    if s.other_joker < 0:
        return some_of(rng, s.unseen, rows, 3)
    return np.concatenate([some_of(rng, s.unseen, rows, 2), np.full((rows, 1), s.other_joker)], axis=1)


def _likelihoods(
    model: Model, situations: list[Situation], rngs: list[np.random.Generator], guess: Guess, kept: list[Array]
) -> tuple[Array, Array]:
    """How likely the last rounds' plays were if this is what was kept: by greedy, by habit, (positions, candidates).

    What he kept a round earlier isn't known, only that it is three of the six he then had: one way is drawn for each.
    """
    likely = np.ones((2, len(situations), guess.candidates), dtype=np.float32)
    last = situations[0].round - 1
    for round_ in range(last, max(0, last - guess.memory), -1):
        batches, sets = [], []
        for number, (s, rng) in enumerate(zip(situations, rngs, strict=True)):
            played = np.broadcast_to(s.played[1, round_ - 1], (guess.candidates, 3))
            hands = np.sort(np.concatenate([played, kept[number]], axis=1), axis=1)
            batches.append(s.earlier(round_, hands))
            sets.append(np.sort(played, axis=1))
            kept[number] = _three_of(rng, hands)
        seats = describe(concatenate(batches))
        choice = (seats.sets[:, 1] == np.concatenate(sets)[:, None]).all(axis=2).argmax(axis=1)
        for kind, mix in enumerate(policies(model, seats, 1)):
            chance = mix[np.arange(len(mix)), choice].reshape(likely.shape[1:])
            likely[kind] *= guess.slip / len(PLAY) + (1 - guess.slip) * chance
    return likely[0], likely[1]


def _three_of(rng: np.random.Generator, hands: Array) -> Array:
    """Three random cards of each hand; a joker in it is one of them, since it wasn't drawn."""
    keys = rng.random(hands.shape, dtype=np.float32) - (hands >= JOKER)
    return np.take_along_axis(hands, np.argpartition(keys, 2, axis=1)[:, :3], axis=1)


def _resample(rng: np.random.Generator, weights: Array, size: int) -> Array:
    """Indices in proportion to weights, evenly spread."""
    total = np.cumsum(weights, dtype=np.float64)
    steps = (np.arange(size) + rng.random()) / size * total[-1]
    return np.minimum(np.searchsorted(total, steps, side="right"), len(weights) - 1)


def _dealt(rng: np.random.Generator, s: Situation, kept: Array) -> Array:
    """Fill hands up to six from the deck, ascending."""
    rows, held = kept.shape
    keys = rng.random((rows, len(s.unseen)), dtype=np.float32)
    keys[(s.unseen[None, :, None] == kept[:, None, :]).any(axis=2)] = 2  # held already: drawn last
    drawn = s.unseen[np.argpartition(keys, 5 - held, axis=1)[:, : 6 - held]]
    return np.sort(np.concatenate([kept, drawn], axis=1), axis=1)


def concatenate(batches: list[Batch]) -> Batch:
    """Positions of one round after each other."""
    if len(batches) == 1:
        return batches[0]
    fields = ("deck", "hands", "piles", "stock", "shown", "past")
    joined = [np.concatenate([getattr(batch, name) for batch in batches]) for name in fields]
    return Batch(batches[0].round, *joined)
