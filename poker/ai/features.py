"""What the fitted functions are told about a position, as numbers of about the size of one.

`common` describes the round as a seat sees it, `options` each of its 20 choices: what is played, and what is kept. All
of it is known to the seat: own hand, piles, stock, cards shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poker.ai.batch import Batch, captures, strengths
from poker.ai.tables import CARD_POINTS, CARDS, JOKER, KEEP, KEEPS_OWN, KIND, OUTS, PLAY, POINTS, STRENGTHS, Array

ROUNDS_BEFORE_LAST = 8
COMMON = ROUNDS_BEFORE_LAST + 19 + 16
KEPT = 13 + 5 + 1 + STRENGTHS + 5
PLAYED = STRENGTHS + 4
OPTION = PLAYED + KEPT
KEPT_JOKER = 17
"""Of the columns that describe what is kept: 1 where a joker is."""
KEPT_OUTS = slice(KEPT - 5, KEPT)
"""And what `outs` says."""

_BITS = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)
_ONE_OF_7, _ONE_OF_14 = np.eye(7, dtype=np.float32), np.eye(STRENGTHS, dtype=np.float32)


def _cards() -> Array:
    """Each card's rank and kind as ones among zeros, and its points."""
    cards = np.zeros((CARDS, 13 + 5 + 1), dtype=np.float32)
    cards[np.arange(JOKER), np.arange(JOKER) % 13] = 1
    cards[np.arange(CARDS), 13 + KIND] = 1
    cards[:, 18] = CARD_POINTS / 10
    return cards


_CARD = _cards()
_KEPT_OF_HAND = np.zeros((len(KEEP), 6), dtype=np.float32)
_KEPT_OF_HAND[np.arange(len(KEEP))[:, None], KEEP] = 1


@dataclass
class Table:
    """What lies open in a round 1 to 8, as one seat sees it. The first axes, if there are any, count positions.

    Attributes:
        round: of all of them.
        pile: (…, 5), one's own.
        other_pile: (…, 5).
        stock: (…, 5).
        shown: (…, 54), true for cards that were played.
        past: (…, rounds so far), strengths of one's own sets.
        other_past: of the other's.
    """

    round: int
    pile: Array
    other_pile: Array
    stock: Array
    shown: Array
    past: Array
    other_past: Array


@dataclass
class Sight:
    """Positions as the seats see them whose hands they are.

    Attributes:
        common: (…, COMMON).
        options: (…, 20, OPTION).
        sets: (…, 20, 3), the cards of each choice.
    """

    common: Array
    options: Array
    sets: Array

    @property
    def kept(self) -> Array:
        """The columns that describe what is kept: (…, 20, KEPT)."""
        return self.options[..., PLAYED:]


def describe(batch: Batch) -> Sight:
    """A round 1 to 8 as both seats see it: (games, 2, …)."""
    piles, past = batch.piles, batch.past
    stock, shown = batch.stock[:, None], batch.shown[:, None]
    return see(batch.hands, Table(batch.round, piles, piles[:, ::-1], stock, shown, past, past[:, ::-1]))


def see(hands: Array, table: Table) -> Sight:
    """Positions as the owners of these hands (…, 6) see them."""
    hands = hands.astype(np.intp)
    live = np.broadcast_to(~table.shown, (*hands.shape[:-1], CARDS)).copy()
    np.put_along_axis(live, hands, False, axis=-1)
    return Sight(_common(hands, table, live), _options(hands, table.other_pile, live), hands[..., PLAY])


def _common(hands: Array, table: Table, live: Array) -> Array:
    positions = hands.shape[:-1]
    one = np.zeros(ROUNDS_BEFORE_LAST, dtype=np.float32)
    one[table.round - 1] = 1
    pile, other_pile, stock = (each.astype(np.float32) for each in (table.pile, table.other_pile, table.stock))
    ahead = (pile - other_pile) @ POINTS
    pot = (stock @ POINTS)[..., None]
    holds: Array = np.any(hands >= JOKER, axis=-1, keepdims=True)
    jokers = (~table.shown[..., JOKER:]).sum(axis=-1, keepdims=True)
    parts = [
        one,
        pile[..., :4] / 6,
        other_pile[..., :4] / 6,
        pile[..., 4:],
        other_pile[..., 4:],
        ahead[..., None] / 30,
        pot / 20,
        pot > 0,
        holds,
        jokers - holds,
        live[..., :JOKER].reshape(*positions, 4, 13).sum(axis=-1) / 13,
        *(_last(past) for past in (table.past, table.other_past)),
        *(_mean(past) / 6 for past in (table.past, table.other_past)),
    ]
    common = np.empty((*positions, COMMON), dtype=np.float32)
    column = 0
    for part in parts:
        common[..., column : column + part.shape[-1]] = part
        column += part.shape[-1]
    return common


def _last(past: Array) -> Array:
    return _ONE_OF_7[past[..., -1] // 2] if past.shape[-1] else np.zeros(7, dtype=np.float32)


def _mean(past: Array) -> Array:
    return past.mean(axis=-1, dtype=np.float32, keepdims=True) if past.shape[-1] else np.zeros(1, dtype=np.float32)


def _options(hands: Array, other_pile: Array, live: Array) -> Array:
    sets, kept = hands[..., PLAY], hands[..., KEEP]
    suit, taken = captures(sets, other_pile[..., None, :])
    points = CARD_POINTS[sets].sum(axis=-1) / 10
    options = np.empty((*sets.shape[:-1], OPTION), dtype=np.float32)
    options[..., :STRENGTHS] = _ONE_OF_14[strengths(sets)]
    options[..., STRENGTHS] = points
    options[..., STRENGTHS + 1] = POINTS[suit] * taken / 10
    options[..., STRENGTHS + 2] = KEEPS_OWN[sets[..., 0], sets[..., 1], sets[..., 2]] * points
    options[..., STRENGTHS + 3] = options[..., STRENGTHS + 1] + options[..., STRENGTHS + 2]
    about_kept = options[..., PLAYED:]
    about_kept[..., :19] = _KEPT_OF_HAND @ _CARD[hands]
    about_kept[..., 19 : 19 + STRENGTHS] = _ONE_OF_14[strengths(kept)]
    about_kept[..., KEPT_OUTS] = outs(kept, live)
    return options


def outs(kept: Array, live: Array) -> Array:
    """The share of live cards that make a pair, flush, … with some two of the three kept: (…, 20, 5).

    Args:
        kept: (…, 20, 3) cards.
        live: (…, 54), true for cards that may still come.
    """
    one, two, three = kept[..., 0], kept[..., 1], kept[..., 2]
    masks = OUTS[one, two] | OUTS[one, three] | OUTS[two, three]
    there = (live * _BITS).sum(axis=-1, dtype=np.uint64)[..., None, None]
    left = np.maximum(live.sum(axis=-1), 1).astype(np.float32)[..., None, None]
    return np.bitwise_count(masks & there) / left
