"""The rules of Battle Poker: cards, categories, the game, what it pays, fair dealing.

Plain Python. Nothing here knows a database, a request or a language, and everything can be read beside the rules page
(docs/battle-poker.md), whose section numbers stand in the comments.

    game = Game(Deal(seed, words).deck)
    game.play(("As", "Kh", "X1"), ("2c", "2d", "Th"))
    game.view(0)
"""

from poker.rules.cards import CARDS, DECK, JOKERS, Card
from poker.rules.categories import Category, beats, category
from poker.rules.fair import Deal, broken_promises, commitment, new_seed, promise, replay
from poker.rules.game import Game, RoundResult
from poker.rules.levels import (
    LEVELS,
    Level,
    chips_change,
    forfeit_difference,
    may_enter,
    points_change,
    ranking_points,
    tier,
)
from poker.rules.view import View

__all__ = [
    "CARDS",
    "DECK",
    "JOKERS",
    "LEVELS",
    "Card",
    "Category",
    "Deal",
    "Game",
    "Level",
    "RoundResult",
    "View",
    "beats",
    "broken_promises",
    "category",
    "chips_change",
    "commitment",
    "forfeit_difference",
    "may_enter",
    "new_seed",
    "points_change",
    "promise",
    "ranking_points",
    "replay",
    "tier",
]
