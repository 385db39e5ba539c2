"""What a seat could have known before each choice of a finished game, and what its choice cost against that.

Nothing here looks at what was hidden: a round is reviewed from the view that the seat had, so it would be the same had
the other held any other hand that fits. The other isn't taken to see the seat's hand either. So a round is a game
between hands: some that the other may hold, and some that the other must reckon with, the true one among them. Each
hand gets the mix that is best against the mixes of all hands of the other side, found by regret matching. In round 8
each knows what the other holds, as it is all that is left; that game is solved exactly. In round 9 nobody chooses.

Two things are simpler than the truth: what comes after the round is the fitted estimate of `model` (rounds 1 to 7), and
hands of the two sides are drawn without regard to each other, but for the true one, so they may share cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poker.ai.batch import strengths
from poker.ai.features import describe
from poker.ai.matrix_game import equilibrium
from poker.ai.model import PLAIN, fitted
from poker.ai.payoffs import exact
from poker.ai.situation import Situation, dice, some_of
from poker.ai.tables import JOKER, NAMES, NUMBER, PLAY, Array
from poker.rules import Card, Category, Game, View
from poker.rules.cards import to_bits, to_cards
from poker.rules.errors import GameUnfinished

HANDS = 24
"""So many are imagined on each side."""
ITERATIONS = 400
SEED = "review"
LAST_CHOICE = 8
"""The last round in which somebody chooses."""
UNPLAYED = 1e-6
"""Weight of sets that the other's mix leaves out, so that what they would lead to is told too."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the 20 ways to choose.

    Attributes:
        cards: in the order of `poker.rules.CARDS`.
        mix: how often an equilibrium plays it, 0 to 1.
        expected: the game's difference (own points less the other's) that it leads to on average, against the other's
            equilibrium.
    """

    cards: tuple[Card, ...]
    mix: float
    expected: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What the other may show: sets of one strength, or one set where his hand is known.

    Attributes:
        category: of these sets.
        joker: whether there is a joker in them.
        cards: the set, where it is known; else None.
        mix: how often an equilibrium shows it, 0 to 1, over the hands that he may hold.
    """

    category: Category
    joker: bool
    cards: tuple[Card, ...] | None
    mix: float


@dataclass(frozen=True, slots=True)
class RoundReview:
    """One round, as a seat could have judged it.

    Attributes:
        round: 1 to 8.
        choices: the 20; the best first.
        shown: what the other may show; the strongest first.
        matrix: by choice and by what is shown, the game's difference that they lead to on average.
        chosen: which of the choices was played.
        expected: the difference that the equilibrium leads to.
        cost: points by which the choice was expected to do worse than the best; 0 or more.
        known: whether the other's hand was known.
    """

    round: int
    choices: tuple[Choice, ...]
    shown: tuple[Shown, ...]
    matrix: tuple[tuple[float, ...], ...]
    chosen: int
    expected: float
    cost: float
    known: bool


def review(game: Game, seat: int, *, open_hands: bool = False) -> tuple[RoundReview, ...]:
    """Rounds 1 to 8 of a finished game.

    Args:
        game: is not changed.
        seat: whose choices are judged.
        open_hands: whether he saw the other hand.

    Raises GameUnfinished, BadSeat.
    """
    if not game.finished:
        raise GameUnfinished
    return tuple(
        review_round(view, chosen) for view, chosen in _moments(game, seat, open_hands) if view.round <= LAST_CHOICE
    )


def review_round(view: View, chosen: tuple[Card, ...]) -> RoundReview:
    """One round before the ninth, from the view before the choice and the three cards chosen."""
    situation = Situation.of(view)
    own, others = _hands(situation, view)
    payoff = _payoffs(situation, own, others)
    mine, theirs = _equilibrium(payoff)
    # Set against set with the seat's true hand, which comes first: (20, hands of the other, 20).
    true = payoff[0].transpose(1, 0, 2)
    values = np.einsum("ikj,kj->i", true, theirs) / len(others)
    sets = np.sort(others[:, PLAY], axis=2)
    shown, matrix = _columns(true, sets, theirs)
    cards = [tuple(NAMES[card] for card in three) for three in own[0][PLAY]]
    order = sorted(range(len(cards)), key=lambda place: -values[place])
    choices = tuple(Choice(_in_order(cards[place]), float(mine[0, place]), float(values[place])) for place in order)
    played = [set(choice.cards) for choice in choices].index(set(chosen))
    return RoundReview(
        round=view.round,
        choices=choices,
        shown=shown,
        matrix=tuple(tuple(float(value) for value in matrix[place]) for place in order),
        chosen=played,
        expected=float(mine[0] @ values),
        cost=choices[0].expected - choices[played].expected,
        known=len(others) == 1,
    )


def _moments(game: Game, seat: int, open_hands: bool) -> Iterator[tuple[View, tuple[Card, ...]]]:
    again = Game(game.deck)
    for result in game.history:
        yield again.view(seat, open_hands=open_hands), result.shown[seat]
        again.play(*result.shown)


def _hands(situation: Situation, view: View) -> tuple[Array, Array]:
    """The seat's true hand and others that it might have; hands that the other may hold: (n, 6) each."""
    rng = dice(SEED, view)
    own = situation.hand[None]
    if view.round == LAST_CHOICE:
        return own, _hands_of(rng, situation.unseen, situation.other_joker, 1)
    hidden = np.concatenate([situation.unseen, own[own < JOKER]])
    if view.other_hand is None:
        others = _hands_of(rng, situation.unseen, situation.other_joker, HANDS)
    else:
        others = np.sort([[NUMBER[card] for card in view.other_hand]])
        hidden = np.setdiff1d(hidden, others)
    joker = own.max() if own.max() >= JOKER else -1
    return np.concatenate([own, _hands_of(rng, np.sort(hidden), joker, HANDS - 1)]), others


def _hands_of(rng: np.random.Generator, cards: Array, joker: int, count: int) -> Array:
    """So many random hands of these cards, all with the joker if it isn't -1."""
    if joker < 0:
        return np.sort(some_of(rng, cards, count, 6), axis=1)
    return np.concatenate([np.sort(some_of(rng, cards, count, 5), axis=1), np.full((count, 1), joker)], axis=1)


def _payoffs(situation: Situation, own: Array, others: Array) -> Array:
    """The difference that each two choices of each two hands lead to: (own, others, 20, 20)."""
    batch = situation.batch(np.tile(others, (len(own), 1)))
    batch.hands = np.stack([np.repeat(own, len(others), axis=0), batch.hands[:, 1]], axis=1)
    if situation.round == LAST_CHOICE:
        payoff = exact(batch.hands[:, :, PLAY], batch.piles, batch.stock)
    else:
        payoff = fitted().matrix(batch, describe(batch), np.array([PLAIN, PLAIN]))
    return payoff.reshape(len(own), len(others), len(PLAY), len(PLAY))


def _equilibrium(payoff: Array) -> tuple[Array, Array]:
    """A mix for each hand of both sides, (own, 20) and (others, 20), all hands of a side being equally likely."""
    own, others, rows, columns = payoff.shape
    if own == others == 1:
        first, second, _ = equilibrium(payoff[0, 0])
        return first[None], second[None]
    # One matrix of blocks: a row for each choice of each own hand, a column for each of the other's.
    blocks = np.ascontiguousarray(payoff.transpose(0, 2, 1, 3), dtype=np.float32).reshape(own * rows, others * columns)
    regrets = [np.zeros((own, rows), np.float32), np.zeros((others, columns), np.float32)]
    sums = [np.zeros_like(regret) for regret in regrets]
    mixes = [_mix(regret) for regret in regrets]
    for step in range(1, ITERATIONS + 1):
        for side, gains in enumerate((blocks, -blocks.T)):
            gain = (gains @ mixes[1 - side].ravel()).reshape(regrets[side].shape) / len(mixes[1 - side])
            value = (mixes[side] * gain).sum(axis=1, keepdims=True)
            regrets[side] = np.maximum(regrets[side] + gain - value, 0)
            mixes[side] = _mix(regrets[side])
            sums[side] += step * mixes[side]
    first, second = (total / total.sum(axis=1, keepdims=True) for total in sums)
    return first, second


def _mix(regret: Array) -> Array:
    total = regret.sum(axis=1, keepdims=True)
    return np.where(total > 0, regret / np.maximum(total, 1e-9), np.float32(1 / regret.shape[1]))


def _columns(true: Array, sets: Array, theirs: Array) -> tuple[tuple[Shown, ...], Array]:
    """What the other may show, strongest first, and what each choice leads to against it: (20, shown).

    Args:
        true: (20, others, 20), the differences with the seat's true hand.
        sets: (others, 20, 3).
        theirs: (others, 20), the other's mixes.
    """
    power = strengths(sets)
    cards: list[tuple[Card, ...] | None]
    if len(sets) == 1:
        order = np.argsort(-power[0], kind="stable")
        groups = [np.arange(len(PLAY))[None] == place for place in order]
        cards = [_in_order(tuple(NAMES[card] for card in sets[0, place])) for place in order]
    else:
        groups = [power == strength for strength in np.unique(power)[::-1]]
        cards = [None] * len(groups)
    weights = theirs + UNPLAYED
    shown, columns = [], []
    for group, known in zip(groups, cards, strict=True):
        strength = int(power[group][0])
        mix = float(theirs[group].sum() / len(sets))
        shown.append(Shown(Category(strength // 2), strength % 2 == 0, known, mix))
        columns.append(true[:, group] @ weights[group] / weights[group].sum())
    return tuple(shown), np.stack(columns, axis=1)


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return to_cards(to_bits(cards))
