"""The review of a finished game: what a seat could have known, what an equilibrium plays, what a choice cost."""

from pathlib import Path

import numpy as np
import pytest

from poker.ai.matrix_game import equilibrium
from poker.ai.review import HANDS, ITERATIONS, _equilibrium, review, review_round
from poker.rules import Game, replay
from poker.rules.errors import BadSeat, GameUnfinished
from poker.tests.rules.tables import played


@pytest.fixture(scope="module")
def game():
    return played(3)[0]


@pytest.fixture(scope="module")
def reviewed(game):
    return review(game, 0)


def before(game, number):
    """The game as it stood before that round."""
    return replay(game.deck, [result.shown for result in game.history[: number - 1]])


def test_every_round_with_a_choice_is_reviewed(game, reviewed) -> None:
    assert [one.round for one in reviewed] == list(range(1, 9))
    for one, result in zip(reviewed, game.history, strict=False):
        assert len({choice.cards for choice in one.choices}) == 20
        assert one.choices[one.chosen].cards == result.shown[0]
        assert len(one.matrix) == 20
        assert {len(row) for row in one.matrix} == {len(one.shown)}


def test_mixes_and_costs_are_sound(reviewed) -> None:
    for one in reviewed:
        assert sum(choice.mix for choice in one.choices) == pytest.approx(1, abs=1e-4)
        assert sum(shown.mix for shown in one.shown) == pytest.approx(1, abs=1e-4)
        expected = [choice.expected for choice in one.choices]
        assert expected == sorted(expected, reverse=True)
        assert one.cost == expected[0] - expected[one.chosen] >= 0
        assert one.expected == pytest.approx(sum(choice.mix * choice.expected for choice in one.choices), abs=1e-3)
        # What an equilibrium plays is about the best there is.
        assert expected[0] - one.expected < 1


def test_the_matrix_and_what_is_shown_make_what_is_expected(reviewed) -> None:
    for one in reviewed:
        mixed = np.array(one.matrix) @ [shown.mix for shown in one.shown]
        assert mixed == pytest.approx([choice.expected for choice in one.choices], abs=0.01)


def test_where_the_hand_is_hidden_sets_of_one_strength_are_told_together(reviewed) -> None:
    for one in reviewed[:7]:
        kinds = [(shown.category, not shown.joker) for shown in one.shown]
        assert kinds == sorted(set(kinds), reverse=True)
        assert {shown.cards for shown in one.shown} == {None}
        assert not one.known


@pytest.mark.parametrize("seat", [0, 1])
def test_round_eight_is_exact(game, seat) -> None:
    """Each entry of its matrix is the game played out; neither side can do better than by its mix."""
    one = review(game, seat)[7]
    assert one.known
    assert {card for shown in one.shown for card in shown.cards} == set(before(game, 8).hands[1 - seat])
    for choice, row in zip(one.choices, one.matrix, strict=True):
        for shown, entry in zip(one.shown, row, strict=True):
            finished = before(game, 8)
            finished.play(*((choice.cards, shown.cards) if seat == 0 else (shown.cards, choice.cards)))
            finished.play(*finished.hands)
            points = finished.points()
            assert entry == pytest.approx(points[seat] - points[1 - seat])
    matrix = np.array(one.matrix)
    assert min([choice.mix for choice in one.choices] @ matrix) == pytest.approx(one.expected, abs=1e-6)
    assert max(matrix @ [shown.mix for shown in one.shown]) == pytest.approx(one.expected, abs=1e-6)


def test_a_blunder_costs_and_the_best_choice_nothing(game, reviewed) -> None:
    for one in reviewed:
        view = before(game, one.round).view(0)
        best, worst = one.choices[0], one.choices[-1]
        assert review_round(view, best.cards).cost == 0
        assert review_round(view, worst.cards).cost == pytest.approx(best.expected - worst.expected)
        assert review_round(view, worst.cards).choices == one.choices


@pytest.mark.parametrize("number", [1, 4, 7])
def test_what_was_hidden_makes_no_difference(game, number) -> None:
    """The cards that seat 0 hasn't seen before this round lie otherwise; the rest is the same up to there."""
    view = before(game, number).view(0)
    hidden = [place for place, card in enumerate(game.deck) if card in view.unseen]
    deck = list(game.deck)
    for place, other in zip(hidden, reversed(hidden), strict=True):
        deck[place] = game.deck[other]
    choices = [result.shown for result in game.history[: number - 1]]
    other = replay(deck, choices)
    assert other.hands[1] != before(game, number).hands[1]
    chosen = game.history[number - 1].shown[0]
    assert review_round(other.view(0), chosen) == review_round(view, chosen)


def test_an_open_hand_is_known(game) -> None:
    for one in review(game, 0, open_hands=True):
        hand = before(game, one.round).hands[1]
        assert one.known
        assert len(one.shown) == 20
        assert {card for shown in one.shown for card in shown.cards} == set(hand)


def test_mixes_of_many_hands_are_an_equilibrium() -> None:
    """With the same matrix whatever the hands, the value is that of the matrix; with others nobody gains much."""
    random = np.random.default_rng(1)
    matrix = random.normal(size=(20, 20)).astype(np.float32) * 10
    first, second = _equilibrium(np.broadcast_to(matrix, (3, 4, 20, 20)))
    assert first.mean(axis=0) @ matrix @ second.mean(axis=0) == pytest.approx(equilibrium(matrix)[2], abs=0.1)

    payoff = random.normal(size=(HANDS, HANDS, 20, 20)).astype(np.float32) * 10
    first, second = _equilibrium(payoff)
    gains = np.einsum("tkij,kj->ti", payoff, second) / HANDS
    losses = np.einsum("tkij,ti->kj", payoff, first) / HANDS
    assert gains.max(axis=1).mean() - losses.min(axis=1).mean() < 0.2


def test_only_a_finished_game_is_reviewed(game) -> None:
    with pytest.raises(GameUnfinished):
        review(Game(game.deck), 0)
    with pytest.raises(BadSeat):
        review(game, 2)


def test_the_rules_page_names_the_numbers() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "battle-poker.md").read_text(encoding="utf-8")
    assert f"`HANDS` = {HANDS} " in page
    assert f"`ITERATIONS` = {ITERATIONS} " in page
