"""Decks that are dealt as a test wants them, and choices at random."""

from random import Random

from poker.rules import DECK, Game
from poker.rules.game import ROUNDS


def cards(text):
    return tuple(text.split())


def stacked(*draws):
    """A game in which round n deals what the n-th text says: seat 0's cards, a bar, seat 1's; then as it comes."""
    named = [card for draw in draws for card in cards(draw.replace("|", " "))]
    assert len(set(named)) == len(named)
    return Game([*named, *(card for card in DECK if card not in named)])


def shuffled(random):
    return random.sample(DECK, len(DECK))


def choose(random, game):
    return tuple(tuple(random.sample(hand, 3)) for hand in game.hands)


def played(seed, rounds=ROUNDS):
    """A random game so far, and the choices that made it."""
    random = Random(seed)  # noqa: S311
    game, choices = Game(shuffled(random)), []
    for _ in range(rounds):
        choices.append(choose(random, game))
        game.play(*choices[-1])
    return game, choices
