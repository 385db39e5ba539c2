"""A seat's view as arrays, with the seat itself always first; and hands that the other may hold."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields

import numpy as np

from poker.ai.batch import Batch, resolve, strengths
from poker.ai.features import Table
from poker.ai.tables import CARDS, JOKER, NUMBER, Array
from poker.rules import View


@dataclass
class Situation:
    """What a seat knows before it chooses.

    Attributes:
        round: 1 to 9.
        hand: own cards, ascending.
        played: (2, rounds so far, 3), own sets first.
        piles: (rounds so far + 1, 2, 5), counts before each round; the last are the present ones.
        stock: (rounds so far + 1, 5), likewise.
        unseen: cards without jokers that are in the deck or in the other hand, ascending.
        other_joker: the other's joker if he still holds it, else -1.
    """

    round: int
    hand: Array
    played: Array
    piles: Array
    stock: Array
    unseen: Array
    other_joker: int

    @staticmethod
    def of(view: View) -> Situation:
        """Read a view. An open hand of the other is not looked at (rules §5)."""
        hand = np.sort(np.array([NUMBER[card] for card in view.hand], dtype=np.intp))
        order = (view.seat, 1 - view.seat)
        played = np.array(
            [[[NUMBER[card] for card in result.shown[seat]] for result in view.history] for seat in order],
            dtype=np.intp,
        ).reshape(2, -1, 3)
        piles, stock = np.zeros((1, 2, 5), dtype=np.int8), np.zeros((1, 5), dtype=np.int8)
        for own, others in zip(*played, strict=True):
            after, left = resolve(piles[-1], stock[-1], own, others)
            piles, stock = np.concatenate([piles, after[None]]), np.concatenate([stock, left[None]])
        known = np.concatenate([hand, played.ravel()])
        unseen = np.ones(CARDS, dtype=bool)
        unseen[known] = False
        joker = JOKER + 1 - view.seat
        there = bool(unseen[joker])
        unseen[JOKER:] = False
        return Situation(view.round, hand, played, piles, stock, np.flatnonzero(unseen), joker if there else -1)

    def table(self, round_: int, seat: int) -> Table:
        """This round, or an earlier one, as seat 0, oneself, or seat 1 sees it."""
        played = self.played[:, : round_ - 1]
        shown = np.zeros(CARDS, dtype=bool)
        shown[played.ravel()] = True
        piles, past = self.piles[round_ - 1], strengths(played)
        other = 1 - seat
        return Table(round_, piles[seat], piles[other], self.stock[round_ - 1], shown, past[seat], past[other])

    def batch(self, others: Array) -> Batch:
        """This round against each of these hands (n, 6); nobody looks at the deck."""
        n, table = len(others), self.table(self.round, 0)
        past = np.stack([table.past, table.other_past])
        return Batch(
            self.round,
            np.zeros((n, 0), dtype=np.int8),
            np.stack([np.broadcast_to(self.hand, others.shape), others], axis=1),
            np.broadcast_to(self.piles[-1], (n, 2, 5)),
            np.broadcast_to(self.stock[-1], (n, 5)),
            np.broadcast_to(table.shown, (n, CARDS)),
            np.broadcast_to(past, (n, *past.shape)),
        )


def tables(situations: list[Situation], round_: int, seat: int) -> Table:
    """The same for several positions: (positions, 1, …), to go with (positions, n) hands."""
    each = [situation.table(round_, seat) for situation in situations]
    names = [field.name for field in fields(Table)][1:]
    return Table(round_, *(np.stack([getattr(table, name) for table in each])[:, None] for name in names))


def dice(seed: str, view: View) -> np.random.Generator:
    """Randomness for one choice: the same for the same seed, seat and round, on every machine."""
    digest = hashlib.sha256(f"{seed}:{view.seat}:{view.round}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def pick(rng: np.random.Generator, weights: Array) -> int:
    """An index, with chances in proportion to these weights."""
    total = np.cumsum(weights, dtype=np.float64)
    return int(min(np.searchsorted(total, rng.random() * total[-1], side="right"), len(weights) - 1))


def some_of(rng: np.random.Generator, cards: Array, rows: int, size: int) -> Array:
    """So many random subsets of these cards: (rows, size)."""
    keys = rng.random((rows, len(cards)), dtype=np.float32)
    return cards[np.argpartition(keys, size - 1, axis=1)[:, :size]] if size < len(cards) else np.tile(cards, (rows, 1))
