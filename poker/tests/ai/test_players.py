"""Each level chooses what it holds, again the same, and from what its seat may know."""

import random

import numpy as np
import pytest

from poker.ai.beliefs import Guess, believe
from poker.ai.matrix_game import equilibrium
from poker.ai.model import fitted
from poker.ai.payoffs import exact
from poker.ai.players import NAMES, UnknownPlayer, player
from poker.ai.search import last_mix
from poker.ai.simple import greedy_order
from poker.ai.situation import Situation, dice
from poker.ai.tables import JOKER, PLAY
from poker.rules import DECK, Game

LEVELS = ["beginner", "intermediate", "advanced", "expert"]


def game_in(round_, seed, name="greedy"):
    """A game of this player against itself, before this round."""
    deck = list(DECK)
    random.Random(seed).shuffle(deck)  # noqa: S311
    game = Game(deck)
    while game.round < round_:
        game.play(*(player(name).choose(game.view(seat), f"{seed}") for seat in (0, 1)))
    return game


def with_other_deal(game, seat, seed):
    """The same game as this seat has seen it, but for the cards in the other hand and in the deck.

    What the other has played stays where it was drawn, and so does what this seat has drawn or will have."""
    deck, round_ = list(game.deck), game.round
    drawn = 10 + 6 * (round_ - 1)
    hidden = [place for place, card in enumerate(deck) if place >= drawn or card in game.hands[1 - seat]]
    cards = [deck[place] for place in hidden]
    random.Random(seed).shuffle(cards)  # noqa: S311
    for place, card in zip(hidden, cards, strict=True):
        deck[place] = card
    other = Game(deck)
    for result in game.history:
        other.play(*result.shown)
    return other


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_played(name):
    game = game_in(9, 4, name)
    game.play(*(player(name).choose(game.view(seat), "4") for seat in (0, 1)))
    assert game.finished


@pytest.mark.parametrize("name", NAMES)
def test_the_same_view_and_seed_give_the_same_choice(name):
    for round_ in (1, 4, 8):
        view = game_in(round_, 5).view(1)
        assert player(name).choose(view, "a seed") == player(name).choose(view, "a seed")


@pytest.mark.parametrize("name", [*LEVELS, "random"])
def test_another_seed_may_give_another_choice(name):
    views = [game_in(round_, seed).view(0) for round_, seed in ((1, 1), (3, 2), (8, 3), (8, 4))]
    assert any(len({player(name).choose(view, f"{n}") for n in range(25)}) > 1 for view in views)


@pytest.mark.parametrize("round_", [1, 2, 5, 7, 8])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_hidden_changes_no_choice(name, round_):
    for seed in range(3):
        game = game_in(round_, seed)
        for seat in (0, 1):
            other = with_other_deal(game, seat, seed)
            if round_ < 8:  # in round 8 nothing is hidden: the other hand is all that is left
                assert other.hands[1 - seat] != game.hands[1 - seat]
            assert other.view(seat) == game.view(seat)
            assert player(name).choose(other.view(seat), "s") == player(name).choose(game.view(seat), "s")


@pytest.mark.parametrize("name", NAMES)
def test_an_open_hand_is_not_looked_at(name):
    game = game_in(4, 6)
    shut, opened = game.view(0), game.view(0, open_hands=True)
    assert opened.other_hand
    assert player(name).choose(opened, "s") == player(name).choose(shut, "s")


@pytest.mark.parametrize("name", ["advanced", "expert"])
def test_a_mix_is_one(name):
    for round_ in range(1, 9):
        _, mix = player(name).mix(game_in(round_, 7).view(1), "s")
        assert mix.shape == (20,)
        assert mix.min() >= 0
        assert mix.sum() == pytest.approx(1, abs=1e-4)


def test_hands_that_are_imagined_fit_what_was_seen():
    guess = Guess(candidates=40, memory=2, greedy=0.3, slip=0.05)
    for round_ in range(1, 8):
        view = game_in(round_, 8).view(0)
        s = Situation.of(view)
        hands = believe(fitted(), [s], [dice("s", view)], guess, 30).hands[0]
        allowed = {*s.unseen, s.other_joker}
        assert all(len(set(hand)) == 6 and allowed.issuperset(hand) for hand in hands.tolist())
        if s.other_joker >= 0:
            assert (hands.max(axis=1) == s.other_joker).all()
        assert JOKER not in hands  # that is one's own


def test_who_plays_like_greedy_is_taken_to_be_greedy():
    guess = Guess(candidates=100, memory=2, greedy=0.3, slip=0.05)
    shares = {}
    for name in ("greedy", "random"):
        views = [game_in(6, seed, name).view(0) for seed in range(12)]
        situations = [Situation.of(view) for view in views]
        rngs = [dice("s", view) for view in views]
        shares[name] = np.mean(believe(fitted(), situations, rngs, guess, 10).greedy)
    assert shares["greedy"] > shares["random"] + 0.1


def test_nobody_else_has_a_name():
    with pytest.raises(UnknownPlayer) as refused:
        player("grandmaster")
    assert (refused.value.code, refused.value.field) == ("unknown_player", "player")


def test_in_round_8_what_is_thought_of_the_other_counts():
    """Nothing: the equilibrium. The more he is taken to be greedy, the more is won if he is, and the less is sure."""
    s = Situation.of(game_in(8, 9).view(0))
    others = s.unseen if s.other_joker < 0 else np.append(s.unseen, s.other_joker)
    sets = np.stack([s.hand, others])[:, PLAY]
    matrix = exact(sets[None], s.piles[None, -1], s.stock[None, -1])[0]
    if_greedy = matrix[:, greedy_order(sets[1]).argmax()]
    mixes = [last_mix(s, share) for share in (0, 0.5, 1)]
    assert (mixes[0] @ matrix).min() == pytest.approx(equilibrium(matrix)[2])
    won, sure = [mix @ if_greedy for mix in mixes], [(mix @ matrix).min() for mix in mixes]
    assert won == sorted(won)
    assert won[2] == pytest.approx(if_greedy.max())
    assert sure == sorted(sure, reverse=True)
