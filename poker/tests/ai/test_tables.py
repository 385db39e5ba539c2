"""The numbers' machinery says what the rules say, card by card."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from poker.ai.batch import counts, deal, finish, play, resolve, shuffled
from poker.ai.features import describe
from poker.ai.matrix_game import equilibrium
from poker.ai.payoffs import exact, solve
from poker.ai.tables import JOKER, KEEP, NAMES, NUMBER, PLAY, STRENGTH
from poker.rules import CARDS, Game, category

COUNTS = Path(__file__).parents[4] / "shared" / "data" / "poker_counts.json"


def numbers(cards):
    return np.array([NUMBER[card] for card in cards], dtype=np.intp)


def random_round(round_, games, seed=1):
    """Games of random choices, in this round."""
    rng = np.random.default_rng(seed)
    batch = deal(shuffled(rng, games))
    while batch.round < round_:
        batch = play(batch, rng.integers(0, 20, (games, 2)))
    return batch


def test_every_three_has_the_category_of_the_rules():
    assert sorted(NAMES) == sorted(CARDS)
    for cards in combinations(range(JOKER + 1), 3):
        made = category(NAMES[card] for card in cards)
        assert STRENGTH[cards] == 2 * made + (cards[2] != JOKER)


@pytest.mark.skipif(not COUNTS.exists(), reason="the counts are beside the project, not in it")
def test_categories_are_as_frequent_as_counted():
    words = ["none", "pair", "flush", "straight", "trips", "straight_flush", "royal"]
    found = {"no_joker": dict.fromkeys(words, 0), "one_joker": dict.fromkeys(words, 0)}
    for cards in combinations(range(JOKER + 1), 3):
        found["one_joker" if cards[2] == JOKER else "no_joker"][words[STRENGTH[cards] // 2]] += 1
    told = json.loads(COUNTS.read_text())
    assert found == {kind: told[kind]["counts"] for kind in found}


def test_a_choice_and_what_it_keeps_are_the_hand():
    assert all({*PLAY[choice], *KEEP[choice]} == set(range(6)) for choice in range(20))


def test_games_go_as_by_the_rules():
    rng = np.random.default_rng(3)
    decks = shuffled(rng, 200)
    batch, games = deal(decks), [Game([NAMES[card] for card in deck]) for deck in decks]
    for _ in range(8):
        choice = rng.integers(0, 20, (len(games), 2))
        for game, hands, (one, two) in zip(games, batch.hands, choice, strict=True):
            game.play(*([NAMES[card] for card in hand[PLAY[n]]] for hand, n in zip(hands, (one, two), strict=True)))
        batch = play(batch, choice)
        for number, game in enumerate(games):
            assert [set(hand) for hand in game.hands] == [{NAMES[c] for c in hand} for hand in batch.hands[number]]
            assert np.array_equal([counts(numbers(pile)) for pile in game.score_piles], batch.piles[number])
            assert np.array_equal(counts(numbers(game.stock)), batch.stock[number])
    for game in games:
        game.play(*game.hands)
    assert np.array_equal(finish(batch), [game.points()[0] - game.points()[1] for game in games])


def test_the_matrix_of_round_8_is_what_the_rules_make_of_each_pair():
    batch = random_round(8, 12)
    matrix = exact(describe(batch).sets, batch.piles, batch.stock)
    for number in range(3):
        for one, two in np.random.default_rng(number).integers(0, 20, (20, 2)):
            piles, stock = batch.piles[number], batch.stock[number]
            for places in (PLAY, KEEP):
                first, second = (hand[places[n]] for hand, n in zip(batch.hands[number], (one, two), strict=True))
                piles, stock = resolve(piles, stock, first, second)
            assert matrix[number, one, two] == (piles[0] - piles[1]) @ [4, 3, 2, 1, 10]


def test_a_matrix_game_is_solved_exactly():
    mixed = equilibrium(np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]))
    assert mixed[0] == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    assert mixed[1] == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    assert mixed[2] == pytest.approx(0)
    assert equilibrium(np.array([[3, 5], [1, 9]]))[2] == 3


def test_round_8_is_solved_exactly():
    """Neither seat can do better than the value against the other's mix; long regret matching comes to the same."""
    batch = random_round(8, 60)
    matrices = exact(describe(batch).sets, batch.piles, batch.stock)
    _, _, approximate = solve(matrices, 1500)
    for matrix, near in zip(matrices, approximate, strict=True):
        one, two, value = equilibrium(matrix)
        assert one.sum() == pytest.approx(1)
        assert two.sum() == pytest.approx(1)
        assert (one @ matrix).min() == pytest.approx(value)
        assert (matrix @ two).max() == pytest.approx(value)
        assert near == pytest.approx(value, abs=0.3)
