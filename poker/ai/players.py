"""The computer players by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from common.errors import Invalid
from poker.ai.simple import Greedy
from poker.ai.thinkers import advanced, expert
from poker.rules import Card, View


class Player(Protocol):
    """Chooses from a seat's view. It keeps nothing between choices: the same view and seed, the same choice."""

    def choose(self, view: View, seed: str) -> tuple[Card, ...]:
        """Three cards of the view's hand.

        Args:
            view: what the seat may know. An open hand of the other is not looked at.
            seed: of the game; seat and round are mixed in.
        """
        ...


class UnknownPlayer(Invalid):
    """No player has this name; the fact `player` is what came instead."""

    def __init__(self, name: object) -> None:
        super().__init__("unknown_player", field="player", player=str(name)[:20])


MAKERS: dict[str, Callable[[], Player]] = {
    "random": lambda: Greedy(1.0),
    "greedy": lambda: Greedy(0.0),
    "beginner": lambda: Greedy(0.25),
    "intermediate": lambda: Greedy(0.1, among=2),
    "advanced": advanced,
    "expert": expert,
}
NAMES = tuple(MAKERS)


@cache
def player(name: str) -> Player:
    """The player of this name. Raises UnknownPlayer."""
    if name not in MAKERS:
        raise UnknownPlayer(name)
    return MAKERS[name]()
