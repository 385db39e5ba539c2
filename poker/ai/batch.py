"""Many games at once, in arrays: the machinery of fitting, and of what a player imagines.

All games of a batch are in the same round. Axis 0 counts games, axis 1 the seats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.tables import JOKER, KEEP, KEEPS_OWN, KIND, PLAY, POINTS, STRENGTH, TAKEN_MOST, TAKEN_SUIT, Array

ROUNDS = 9


@dataclass
class Batch:
    """Games in one round, after drawing.

    Attributes:
        round: 1 to 9.
        deck: (games, 52), in drawing order.
        hands: (games, 2, 6); in round 9 (games, 2, 3).
        piles: (games, 2, 5) counts by kind.
        stock: (games, 5) counts by kind.
        shown: (games, 54), true for cards that were played.
        past: (games, 2, rounds so far), strengths of what each seat has played.
    """

    round: int
    deck: Array
    hands: Array
    piles: Array
    stock: Array
    shown: Array
    past: Array


def deal(decks: Array) -> Batch:
    """Begin games with these decks, (games, 52)."""
    games = len(decks)
    jokers = np.broadcast_to(np.array([[JOKER], [JOKER + 1]], dtype=np.int8), (games, 2, 1))
    hands = np.concatenate([decks[:, :10].reshape(games, 2, 5), jokers], axis=2)
    return Batch(
        1,
        decks,
        hands,
        np.zeros((games, 2, 5), dtype=np.int8),
        np.zeros((games, 5), dtype=np.int8),
        np.zeros((games, 54), dtype=bool),
        np.zeros((games, 2, 0), dtype=np.int8),
    )


def shuffled(rng: np.random.Generator, games: int) -> Array:
    """So many random decks."""
    return rng.permuted(np.tile(np.arange(52, dtype=np.int8), (games, 1)), axis=1)


def counts(cards: Array) -> Array:
    """How many of each kind: (…, n) cards to (…, 5)."""
    return (KIND[cards][..., None] == np.arange(5, dtype=np.int8)).sum(axis=-2, dtype=np.int8)


def strengths(sets: Array) -> Array:
    """(…, 3) cards to their strengths."""
    return STRENGTH[sets[..., 0], sets[..., 1], sets[..., 2]]


def captures(sets: Array, other_pile: Array) -> tuple[Array, Array]:
    """What a win with these sets takes from the other's pile: which suit, and how many cards.

    Args:
        sets: (…, 3).
        other_pile: (…, 5), of shapes that go together.
    """
    cards = sets[..., 0], sets[..., 1], sets[..., 2]
    suit, most = TAKEN_SUIT[cards], TAKEN_MOST[cards]
    shape = np.broadcast_shapes(suit.shape, other_pile.shape[:-1])
    suit = np.broadcast_to(suit, shape)
    there = np.take_along_axis(np.broadcast_to(other_pile, (*shape, 5)), suit[..., None].astype(np.intp), axis=-1)
    return suit, np.minimum(most, there[..., 0])


def resolve(piles: Array, stock: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Show both sets of every game (§§1 to 3); answers piles and stock afterwards.

    Args:
        piles: (…, 2, 5).
        stock: (…, 5).
        first: (…, 3), cards of seat 0.
        second: (…, 3), cards of seat 1. All of shapes that go together.
    """
    power = strengths(first), strengths(second)
    own = counts(first), counts(second)
    after = []
    for seat, sets in enumerate((first, second)):
        wins = power[seat] > power[1 - seat]
        keeps = wins & (KEEPS_OWN[sets[..., 0], sets[..., 1], sets[..., 2]] > 0)
        taken = wins[..., None] * _taken(sets, piles[..., 1 - seat, :])
        gain = wins[..., None] * (own[1 - seat] + stock) + keeps[..., None] * own[seat] + taken
        after.append((gain, taken))
    (gain0, taken0), (gain1, taken1) = after
    piles = np.stack([piles[..., 0, :] + gain0 - taken1, piles[..., 1, :] + gain1 - taken0], axis=-2)
    tie = power[0] == power[1]
    return piles, tie[..., None] * (stock + own[0] + own[1])


def _taken(sets: Array, other_pile: Array) -> Array:
    suit, most = captures(sets, other_pile)
    return most[..., None] * (np.arange(5, dtype=np.int8) == suit[..., None])


def play(batch: Batch, choice: Array) -> Batch:
    """Play choices (games, 2), numbers of `PLAY`, and draw for the next round. Not for round 9."""
    played = np.take_along_axis(batch.hands, PLAY[choice], axis=2)
    kept = np.take_along_axis(batch.hands, KEEP[choice], axis=2)
    piles, stock = resolve(batch.piles, batch.stock, played[:, 0], played[:, 1])
    shown = batch.shown.copy()
    np.put_along_axis(shown, played.reshape(len(played), 6).astype(np.intp), True, axis=1)
    start = 10 + 6 * (batch.round - 1)
    drawn = batch.deck[:, start : start + 6].reshape(len(kept), 2, -1)
    past = np.concatenate([batch.past, strengths(played)[..., None]], axis=2)
    hands = np.concatenate([kept, drawn], axis=2)
    return Batch(batch.round + 1, batch.deck, hands, piles, stock, shown, past)


def finish(batch: Batch) -> Array:
    """Points of seat 0 minus points of seat 1 after round 9, in which nobody chooses."""
    piles, _ = resolve(batch.piles, batch.stock, batch.hands[:, 0], batch.hands[:, 1])
    return (piles[:, 0].astype(np.float32) - piles[:, 1]) @ POINTS
