"""What is true of every game, whatever the deck and the choices."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import Refusal
from poker.rules import CARDS, DECK, Game, replay
from poker.rules.cards import ALL_POINTS, points_of, to_bits
from poker.rules.game import ROUNDS
from poker.tests.rules.tables import played

seeds = st.integers(min_value=0, max_value=2**64)
rounds = st.integers(min_value=0, max_value=ROUNDS)
seats = st.sampled_from([0, 1])


not_dealt_yet = st.sampled_from(CARDS[10:])
things = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary() | not_dealt_yet
junk = st.recursive(
    things,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(not_dealt_yet, inner, max_size=3),
    max_leaves=8,
)


def undrawn(game):
    return game.deck[len(game.deck) - game.view(0).deck_count :]


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_every_card_is_somewhere_once(seed) -> None:
    whole, choices = played(seed)
    for number in range(ROUNDS + 1):
        game = replay(whole.deck, choices[:number])
        places = [*game.hands, *game.score_piles, game.stock, game.discards, undrawn(game)]
        assert sorted(card for place in places for card in place) == sorted(CARDS)
        assert sum(points_of(to_bits(place)) for place in places) == ALL_POINTS == 150
        assert game.points() == tuple(points_of(to_bits(pile)) for pile in game.score_piles)
    assert game.hands == ((), ())
    assert undrawn(game) == ()


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_results_tell_where_every_card_goes(seed) -> None:
    game, _ = played(seed)
    piles, stock, discards = ([], []), [], []
    for result in game.history:
        shown = [*result.shown[0], *result.shown[1]]
        moved = [*result.captured, *result.kept, *result.discarded, *result.stocked]
        assert sorted(shown) == sorted(moved)
        if result.winner is None:
            stock += result.stocked
            continue
        winner, loser = piles[result.winner], piles[1 - result.winner]
        assert sorted(result.stock_won) == sorted(stock)
        stock = []
        for card in result.taken:
            loser.remove(card)
        winner += [*result.taken, *result.captured, *result.kept, *result.stock_won]
        discards += result.discarded
    assert [set(pile) for pile in piles] == [set(pile) for pile in game.score_piles]
    assert (sorted(stock), sorted(discards)) == (sorted(game.stock), sorted(game.discards))


@settings(max_examples=300, deadline=None)
@given(seeds, rounds, seats, st.randoms(use_true_random=False))
def test_a_view_does_not_differ_where_only_the_hidden_differs(seed, number, seat, random) -> None:
    """Cards that this seat hasn't seen change places in the deck; the same choices are made; the view is equal."""
    game, choices = played(seed, number)
    hidden = set(game.view(seat).unseen) - {"X1", "X2"}
    places = [place for place, card in enumerate(game.deck) if card in hidden]
    deck = list(game.deck)
    for place, card in zip(places, random.sample(sorted(hidden), len(hidden)), strict=True):
        deck[place] = card
    other = replay(deck, choices)
    assert other.view(seat) == game.view(seat)
    assert repr(other.view(seat)) == repr(game.view(seat))


@settings(max_examples=50, deadline=None)
@given(seeds, rounds)
def test_a_replay_is_exact(seed, number) -> None:
    game, choices = played(seed, number)
    again = replay(game.deck, choices)
    assert (again.history, again.view(0), again.view(1)) == (game.history, game.view(0), game.view(1))


@settings(max_examples=50, deadline=None)
@given(seeds)
def test_seats_are_alike(seed) -> None:
    """With hands, draws and choices exchanged the same happens to the other seat."""
    game, choices = played(seed)
    deck = list(game.deck)
    mirrored = deck[5:10] + deck[:5]
    for start in range(10, 52, 6):
        mirrored += deck[start + 3 : start + 6] + deck[start : start + 3]
    swap = {"X1": "X2", "X2": "X1"}
    other = Game(mirrored)
    for three0, three1 in choices:
        other.play([swap.get(card, card) for card in three1], [swap.get(card, card) for card in three0])
    assert other.points() == game.points()[::-1]


@settings(max_examples=50, deadline=None)
@given(seeds, seats)
def test_the_order_in_which_cards_are_chosen_is_nothing(seed, seat) -> None:
    game, choices = played(seed)
    random = Random(seed)  # noqa: S311
    other = replay(game.deck, [[random.sample(three, 3) for three in pair] for pair in choices])
    assert other.view(seat) == game.view(seat)


@settings(max_examples=300, deadline=None)
@given(junk, seats)
def test_only_refusals_come_of_nonsense(three, seat) -> None:
    game = Game(DECK)
    before, choices = game.view(seat), [hand[:3] for hand in game.hands]
    choices[seat] = three
    with pytest.raises(Refusal):
        game.play(*choices)
    assert game.view(seat) == before
