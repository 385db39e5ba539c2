"""What the fitted functions are told about a position, as numbers of about the size of one.

`common` describes the round as a seat sees it, `options` each of its 20 choices: what is played, and what is kept. All
of it is known to the seat: own hand, piles, stock, cards shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.batch import Batch, captures, counts, strengths
from poker.ai.tables import CARD_POINTS, CARDS, JOKER, KEEP, KEEPS_OWN, OUTS, PLAY, POINTS, STRENGTHS, Array

ROUNDS_BEFORE_LAST = 8
COMMON = ROUNDS_BEFORE_LAST + 19 + 16
KEPT = 13 + 5 + 1 + STRENGTHS + 5
PLAYED = STRENGTHS + 4
OPTION = PLAYED + KEPT

_RANK = np.zeros((CARDS, 13), dtype=np.float32)
_RANK[np.arange(JOKER), np.arange(JOKER) % 13] = 1
_SUIT = np.zeros((CARDS, 5), dtype=np.float32)
_SUIT[np.arange(CARDS), np.minimum(np.arange(CARDS) // 13, 4)] = 1
_BITS = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)
_ONE_OF_7, _ONE_OF_14 = np.eye(7, dtype=np.float32), np.eye(STRENGTHS, dtype=np.float32)


@dataclass
class Seats:
    """Positions as both seats see them; axis 1 counts seats where there is one.

    Attributes:
        common: (games, 2, COMMON).
        options: (games, 2, 20, OPTION); the last KEPT columns describe what is kept.
        sets: (games, 2, 20, 3), the cards of each choice.
    """

    common: Array
    options: Array
    sets: Array


def describe(batch: Batch) -> Seats:
    """Features of a round 1 to 8."""
    hands = batch.hands.astype(np.intp)
    sets, kept = hands[:, :, PLAY], hands[:, :, KEEP]
    live = np.repeat(~batch.shown[:, None], 2, axis=1)
    np.put_along_axis(live, hands, False, axis=2)
    return Seats(_common(batch, hands, live), _options(batch, sets, kept, live), sets)


def _common(batch: Batch, hands: Array, live: Array) -> Array:
    games = len(hands)
    one = np.zeros((games, 2, ROUNDS_BEFORE_LAST), dtype=np.float32)
    one[:, :, batch.round - 1] = 1
    piles = batch.piles.astype(np.float32)
    points = piles @ POINTS
    stock = np.repeat((batch.stock.astype(np.float32) @ POINTS)[:, None, None], 2, axis=1)
    holds: Array = np.any(hands >= JOKER, axis=2, keepdims=True)
    suits = live[:, :, :JOKER].reshape(games, 2, 4, 13).sum(axis=3)
    if batch.past.shape[2]:
        last = _ONE_OF_7[batch.past[:, :, -1] // 2]
        mean = batch.past.mean(axis=2, dtype=np.float32, keepdims=True)
    else:
        last, mean = np.zeros((games, 2, 7), dtype=np.float32), np.zeros((games, 2, 1), dtype=np.float32)
    parts = [
        one,
        piles[:, :, :4] / 6,
        piles[:, ::-1, :4] / 6,
        piles[:, :, 4:],
        piles[:, ::-1, 4:],
        ((points - points[:, ::-1]) / 30)[:, :, None],
        stock / 20,
        stock > 0,
        holds,
        holds[:, ::-1],
        suits / 13,
        last,
        last[:, ::-1],
        mean / 6,
        mean[:, ::-1] / 6,
    ]
    return np.concatenate(parts, axis=2, dtype=np.float32)


def _options(batch: Batch, sets: Array, kept: Array, live: Array) -> Array:
    played = strengths(sets)
    suit, taken = captures(sets, batch.piles[:, ::-1, None])
    capture = POINTS[suit] * taken / 10
    points = CARD_POINTS[sets].sum(axis=3) / 10
    own = KEEPS_OWN[sets[..., 0], sets[..., 1], sets[..., 2]] * points
    parts = [
        _ONE_OF_14[played],
        points[..., None],
        capture[..., None],
        own[..., None],
        (capture + own)[..., None],
        _RANK[kept].sum(axis=3),
        counts(kept),
        CARD_POINTS[kept].sum(axis=3)[..., None] / 10,
        _ONE_OF_14[strengths(kept)],
        outs(kept, live[:, :, None]),
    ]
    return np.concatenate(parts, axis=3, dtype=np.float32)


def outs(kept: Array, live: Array) -> Array:
    """The share of live cards that make a pair, flush, … with some two of the three kept: (…, 5).

    Args:
        kept: (…, 3) cards.
        live: (…, 54), true for cards that may still come.
    """
    one, two, three = kept[..., 0], kept[..., 1], kept[..., 2]
    masks = OUTS[one, two] | OUTS[one, three] | OUTS[two, three]
    there = (live * _BITS).sum(axis=-1, dtype=np.uint64)
    left = np.maximum(live.sum(axis=-1), 1)
    return np.bitwise_count(masks & there[..., None]).astype(np.float32) / left[..., None]
