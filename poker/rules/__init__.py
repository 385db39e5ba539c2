"""The rules of Battle Poker: cards, categories, the game, what it pays, fair dealing.

Plain Python. Nothing here knows a database, a request or a language, and everything can be read beside the rules page
(docs/battle-poker.md), whose section numbers stand in the comments.
"""

from poker.rules.cards import CARDS, DECK, JOKERS, Card
from poker.rules.categories import Category, beats, category
from poker.rules.game import Game, RoundResult
from poker.rules.view import View

__all__ = ["CARDS", "DECK", "JOKERS", "Card", "Category", "Game", "RoundResult", "View", "beats", "category"]
