"""The engine against the slow rules beside this file, over all threes and over random games."""

from itertools import combinations
from random import Random

import pytest

from poker.rules import CARDS, Game, beats, category
from poker.rules.cards import to_bits, to_cards
from poker.rules.categories import three_of
from poker.rules.game import ROUNDS, taken_by
from poker.tests.rules import slow_rules as slow
from poker.tests.rules.tables import choose, shuffled


def compare(game, other):
    def told(cards):
        return sorted(map(slow.write, cards))

    assert [list(hand) for hand in game.hands] == [list(map(slow.write, hand)) for hand in other.hands]
    assert [sorted(pile) for pile in game.score_piles] == [told(pile) for pile in other.piles]
    assert (sorted(game.stock), sorted(game.discards)) == (told(other.stock), told(other.discards))
    assert game.points() == tuple(map(slow.value, other.piles))


def play_both(seed):
    random = Random(seed)  # noqa: S311
    deck = shuffled(random)
    game, other = Game(deck), slow.SlowGame(deck)
    compare(game, other)
    for number in range(1, ROUNDS + 1):
        assert game.round == other.round == number
        threes = choose(random, game)
        result = game.play(*threes)
        other.play(*threes)
        assert result.winner == other.winner
        assert [made.letter for made in result.categories] == [
            slow.letter([slow.read(card) for card in three]) for three in threes
        ]
        compare(game, other)
    assert game.finished


def test_a_thousand_random_games() -> None:
    for seed in range(1_000):
        play_both(seed)


@pytest.mark.long
def test_ten_thousand_random_games() -> None:
    for seed in range(1_000, 11_000):
        play_both(seed)


def test_every_three_and_what_it_takes_from_a_random_pile() -> None:
    random = Random(2)  # noqa: S311
    for three in combinations(CARDS, 3):
        if three[1:] == ("X1", "X2"):
            continue
        slowly = [slow.read(card) for card in three]
        assert category(three).letter == slow.letter(slowly), three
        pile = random.sample(CARDS, random.randint(0, 30))
        taken = slow.prey(slowly, [slow.read(card) for card in pile])
        assert sorted(to_cards(taken_by(three_of(three), to_bits(pile)))) == sorted(map(slow.write, taken)), three


def test_who_wins_between_random_threes() -> None:
    random, wins = Random(1), {0: True, 1: False, None: None}  # noqa: S311
    for _ in range(10_000):
        threes = [random.sample([*random.sample(CARDS[:52], 4), joker], 3) for joker in ("X1", "X2")]
        expected = slow.who_wins([[slow.read(card) for card in three] for three in threes])
        assert beats(*threes) is wins[expected]
