"""Battle Poker's engine: whole random games, one after the other, on one core. It has no database in it."""

from __future__ import annotations

import time
from itertools import combinations
from operator import itemgetter
from random import Random

from poker.rules import DECK, JOKERS, Game, category
from poker.rules.game import ROUNDS
from scripts.bench.report import Figure, reference_ms, say

GAMES = 20_000
TARGET = 15_000
"""Games a second."""

WAYS = [itemgetter(*places) for places in combinations(range(6), 3)]
"""The 20 ways to choose three of a hand."""


def run(quick: bool) -> None:
    """Shuffle, deal, choose at random, resolve and count, over and over."""
    games = 2_000 if quick else GAMES
    say(f"battles: {games:,} random games")
    for joker in JOKERS:  # what a server has worked out after some games
        for three in combinations((*DECK, joker), 3):
            category(three)
    reference = reference_ms()
    start = time.process_time()
    _play(games, Random(1))  # noqa: S311
    taken = time.process_time() - start
    speed = games / taken
    text = (
        f"{speed:,.0f} a second; {speed * reference / 1000:,.0f} in the time of the reference loop, {reference:.1f} ms"
    )
    Figure("battles", "whole random games", text, f"{TARGET:,} a second", speed >= TARGET).print()


def _play(games: int, random: Random) -> None:
    chance = random.random
    for _ in range(games):
        game = Game(sorted(DECK, key=lambda card: chance()))
        ways = iter(random.choices(WAYS, k=2 * (ROUNDS - 1)))
        for first, second in zip(ways, ways, strict=True):
            one, two = game.hands
            game.play(first(one), second(two))
        game.play(*game.hands)
        game.points()
