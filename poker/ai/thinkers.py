"""The players that calculate: advanced and expert."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poker.ai.model import fitted
from poker.ai.search import advanced_mix, expert_mixes
from poker.ai.simple import cards_of
from poker.ai.situation import Situation, dice, pick
from poker.ai.tables import PLAY, Array
from poker.rules import Card, View


class Thinker:
    """Draws its choice from a mix.

    Args:
        mix: how often to choose what in rounds 1 to 8; round 9 is no choice.
    """

    def __init__(self, mix: Callable[[Situation, np.random.Generator], Array]) -> None:
        self._mix = mix

    def mix(self, view: View, seed: str) -> tuple[Situation, Array]:
        """The position and the mix, of which choices are drawn, in a round 1 to 8."""
        situation = Situation.of(view)
        return situation, self._mix(situation, dice(seed, view))

    def choose(self, view: View, seed: str) -> tuple[Card, ...]:
        """Three cards of the hand."""
        if view.round == 9:
            return view.hand
        situation, mix = self.mix(view, seed)
        return cards_of(situation.hand[PLAY[pick(dice(f"{seed}:choice", view), mix)]])


def advanced() -> Thinker:
    """Level 上級."""
    return Thinker(advanced_mix)


def expert() -> Thinker:
    """Level 特級."""
    return Thinker(lambda situation, rng: expert_mixes(fitted(), [situation], [rng])[0])
