"""Cards as numbers, and what any three of them are worth, looked up instead of worked out.

A card is `13 * suit + rank`: suits ♠ ♥ ♦ ♣ are 0 to 3, ranks A 2 … K are 0 to 12; the jokers of seats 0 and 1 are 52
and 53. A pile or the stock is five counts: of ♠, ♥, ♦, ♣ and jokers. `poker.rules` says the same things card by card;
the tests compare the two.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

CARDS = 54
JOKER = 52
SUITS = 4
RANKS, SUIT_LETTERS = "A23456789TJQK", "shdc"
NAMES = [rank + suit for suit in SUIT_LETTERS for rank in RANKS] + ["X1", "X2"]
NUMBER = {name: number for number, name in enumerate(NAMES)}

POINTS = np.array([4, 3, 2, 1, 10], dtype=np.float32)
"""By kind: ♠ ♥ ♦ ♣ joker."""
KIND = np.array([min(card // 13, 4) for card in range(CARDS)], dtype=np.int8)
CARD_POINTS = POINTS[KIND]

NONE, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH, ROYAL = range(7)
"""Categories F to S, in ascending order."""
STRENGTHS = 14
"""A strength is twice the category, plus one without a joker: the higher strength wins, equal strengths tie (§3)."""

PLAY = np.array(list(combinations(range(6), 3)), dtype=np.int8)
"""The 20 ways to choose three of six: positions that are played …"""
KEEP = PLAY[::-1].copy()
"""… and those that are kept. In the order of `combinations` the rest of the n-th choice is the n-th from the end."""


def category(cards: tuple[int, ...]) -> int:
    """The category of three cards, a joker standing for what is best (§§2, 3)."""
    plain = [card for card in cards if card < JOKER]
    if len(plain) < len(cards):
        best = max(category((*plain, card)) for card in range(JOKER) if card not in plain)
        return min(best, STRAIGHT_FLUSH)
    ranks = sorted(card % 13 for card in cards)
    one_suit = len({card // 13 for card in cards}) == 1
    high = ranks == [0, 11, 12]
    consecutive = high or (ranks[1] - ranks[0] == 1 and ranks[2] - ranks[1] == 1)
    if one_suit and consecutive:
        return ROYAL if high else STRAIGHT_FLUSH
    if len(set(ranks)) == 1:
        return TRIPS
    if consecutive:
        return STRAIGHT
    if one_suit:
        return FLUSH
    return PAIR if len(set(ranks)) == 2 else NONE


def _effect(cards: tuple[int, ...], made: int) -> tuple[int, int, bool]:
    """What winning with these does besides (§2): suit that is taken, how many of it at most, whether one's own stay."""
    suits = {card // 13 for card in cards}
    if made in (ROYAL, STRAIGHT_FLUSH, FLUSH):
        return suits.pop(), {ROYAL: 13, STRAIGHT_FLUSH: 3, FLUSH: 1}[made], made != FLUSH
    if made == TRIPS:
        return ({0, 1, 2, 3} - suits).pop(), 13, False
    return 0, 0, made == STRAIGHT


def _triples() -> tuple[Array, Array, Array, Array]:
    strength = np.zeros((CARDS,) * 3, dtype=np.int8)
    suit, most, keeps = (np.zeros_like(strength) for _ in range(3))
    for cards in combinations(range(CARDS), 3):
        if cards[1] >= JOKER:
            continue  # a hand never holds two jokers
        made, joker = category(cards), cards[2] >= JOKER
        effect = (0, 0, False) if joker else _effect(cards, made)  # §3: a win with a joker has no effect
        for order in permutations(cards):
            strength[order] = 2 * made + (not joker)
            suit[order], most[order], keeps[order] = effect
    return strength, suit, most, keeps


STRENGTH, TAKEN_SUIT, TAKEN_MOST, KEEPS_OWN = _triples()
"""By three cards in any order: strength; which suit a win takes, how many at most; 1 if the winner keeps his own."""


def _outs() -> Array:
    masks = np.zeros((CARDS, CARDS, 5), dtype=np.uint64)
    bits = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)
    for level, made in enumerate((PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH)):
        hits = 2 * made <= STRENGTH
        masks[:, :, level] = (hits * bits).sum(axis=2, dtype=np.uint64)
    return masks


OUTS = _outs()
"""By two cards: the cards that make at least a pair, flush, straight, three of a kind, straight flush with them, as the
bits of a number."""
