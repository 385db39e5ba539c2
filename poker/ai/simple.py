"""Players that look at the cards and don't calculate: random, greedy, and the two levels made of these."""

from __future__ import annotations

import numpy as np

from poker.ai.batch import strengths
from poker.ai.situation import dice
from poker.ai.tables import CARD_POINTS, NAMES, NUMBER, PLAY, Array
from poker.rules import Card, View


def greedy_order(sets: Array) -> Array:
    """What greedy goes by, (…, 20): the category, then the fewest points exposed. It plays the first of the highest."""
    return 1000 * (strengths(sets) // 2).astype(np.float32) - CARD_POINTS[sets].sum(axis=-1)


def cards_of(three: Array) -> tuple[Card, ...]:
    """Numbers to cards as the rules name them."""
    return tuple(NAMES[card] for card in three)


class Greedy:
    """The strongest category, then the fewest points exposed; a share of its choices is random instead (rules §5).

    Args:
        random_share: 0 to 1.
        among: how many choices, the best by its own order, it is random among.
    """

    def __init__(self, random_share: float, among: int = len(PLAY)) -> None:
        self.random_share = random_share
        self.among = among

    def choose(self, view: View, seed: str) -> tuple[Card, ...]:
        """Three cards of the hand."""
        hand = np.sort(np.array([NUMBER[card] for card in view.hand], dtype=np.intp))
        if len(hand) == 3:
            return cards_of(hand)
        sets = hand[PLAY]
        order = greedy_order(sets)
        rng = dice(seed, view)
        if rng.random() < self.random_share:
            best = np.argsort(-order, kind="stable")
            return cards_of(sets[best[int(rng.random() * self.among)]])
        return cards_of(sets[int(order.argmax())])
