"""Nonsense is turned down by name, and the game is as it was."""

import pytest

from common.errors import Conflict, Invalid
from poker.rules import CARDS, DECK, Deal, Game, beats, category
from poker.rules.errors import (
    BadDeck,
    BadSeat,
    BothJokers,
    CardNotHeld,
    GameFinished,
    NotThreeCards,
    SameCardTwice,
    UnknownCard,
)
from poker.tests.rules.tables import cards, played, stacked

NONSENSE = [
    ("2s 5s 9h Jd Kc X1", NotThreeCards),
    ("2s 5s", NotThreeCards),
    ("", NotThreeCards),
    ("2s 5s Qs", CardNotHeld),
    ("2s 5s 3h", CardNotHeld),  # the other's
    ("2s 5s X2", CardNotHeld),
    ("2s X1 X2", BothJokers),
    ("2s 5s 1s", UnknownCard),
    ("2s 5s 2S", UnknownCard),
    ("2s 5s 10h", UnknownCard),
    ("2s 5s X3", UnknownCard),
    ("2s 2s 5s", SameCardTwice),
    ("X1 X1 X1", SameCardTwice),
]
WORSE = [(None, NotThreeCards), (3, NotThreeCards), ("2s5s9h", NotThreeCards), ("abc", UnknownCard)]
WORST = [((1, 2, 3), UnknownCard), (("2s", "5s", None), UnknownCard), (("2s", "5s", ["9h"]), UnknownCard)]
ALL = [*((cards(text), error) for text, error in NONSENSE), *WORSE, *WORST]


def state(game):
    return game.hands, game.score_piles, game.stock, game.discards, game.history, game.round, game.view(0), game.view(1)


@pytest.fixture
def game():
    return stacked("2s 5s 9h Jd Kc | 3h 6h Td Qc 8s")


@pytest.mark.parametrize(("choice", "error"), ALL)
def test_nonsense_changes_nothing(game, choice, error) -> None:
    before, good = state(game), game.hands[1][:3]
    with pytest.raises(error):
        game.play(choice, good)
    with pytest.raises(error):
        game.check(0, choice)
    assert state(game) == before


@pytest.mark.parametrize(("choice", "error"), [(None, NotThreeCards), (cards("2s 5s 9h"), CardNotHeld)])
def test_nonsense_of_the_second_changes_nothing_either(game, choice, error) -> None:
    before = state(game)
    with pytest.raises(error):
        game.play(game.hands[0][:3], choice)
    assert state(game) == before


@pytest.mark.parametrize(("choice", "error"), [pair for pair in ALL if pair[1] is not CardNotHeld])
def test_a_category_is_of_three_cards(choice, error) -> None:
    with pytest.raises(error):
        category(choice)
    with pytest.raises(error):
        beats(cards("2s 5s 9h"), choice)


def test_a_finished_game_takes_no_choice() -> None:
    game, choices = played(1)
    before = state(game)
    for choice in choices[-1], (None, None), ((), ()):
        with pytest.raises(GameFinished):
            game.play(*choice)
    with pytest.raises(GameFinished):
        game.check(0, choices[-1][0])
    assert state(game) == before


@pytest.mark.parametrize(
    ("deck", "error"),
    [
        ((), BadDeck),
        (DECK[:51], BadDeck),
        (CARDS, BadDeck),
        ((*DECK, "As"), BadDeck),
        ((*DECK[:51], DECK[0]), BadDeck),
        ((*DECK[:51], "X1"), BadDeck),
        ((*DECK[:51], "??"), UnknownCard),
    ],
)
def test_a_deck_is_the_52(deck, error) -> None:
    with pytest.raises(error):
        Game(deck)


@pytest.mark.parametrize("seat", [2, -1, None, "0", 0.5, 1.0])
def test_there_are_two_seats(game, seat) -> None:
    with pytest.raises(BadSeat):
        game.view(seat)
    with pytest.raises(BadSeat):
        game.check(seat, cards("2s 5s 9h"))


def test_what_a_program_can_test() -> None:
    def raised(call, *args):
        with pytest.raises((Invalid, Conflict)) as caught:
            call(*args)
        return caught.value.status, caught.value.code, caught.value.field, caught.value.facts

    assert raised(category, "As Kh") == (400, "not_three_cards", "cards", {"count": 5})
    assert raised(category, cards("As Kh ♥")) == (400, "unknown_card", "cards", {"card": "♥"})
    assert raised(Game(DECK).check, 0, cards("As Kh Qd")) == (400, "card_not_held", "cards", {"card": "As"})
    assert raised(category, ("As", "Kh", "x" * 5_000))[3] == {"card": "x" * 20}
    assert raised(category, ("As", "Kh", "\ud800"))[3] == {"card": "?"}
    assert raised(played(1)[0].play, (), ())[:2] == (409, "battle_finished")
    assert raised(Deal, b"") == (400, "bad_server_seed", "seed", {"bytes": 32})
