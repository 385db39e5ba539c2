"""§1 to §3 by value: where the cards go, round by round."""

import pytest

from poker.rules import DECK, Game
from poker.tests.rules.tables import cards, played, stacked


def play(game, three0, three1):
    return game.play(cards(three0), cards(three1))


def test_dealing_alternates_five_and_five_then_three_and_three() -> None:
    game = Game(DECK)
    assert game.hands == (("X1", *DECK[:5]), ("X2", *DECK[5:10]))
    for number in range(1, 9):
        assert (game.round, game.view(0).deck_count) == (number, 52 - 10 - 6 * (number - 1))
        assert [len(hand) for hand in game.hands] == [6, 6]
        left = [hand[3:] for hand in game.hands]
        game.play(*(hand[:3] for hand in game.hands))
        start = 10 + 6 * (number - 1)
        assert game.hands == ((*left[0], *DECK[start : start + 3]), (*left[1], *DECK[start + 3 : start + 6]))
    assert (game.round, [len(hand) for hand in game.hands], game.view(0).deck_count) == (9, [3, 3], 0)
    assert not game.finished
    game.play(*game.hands)
    assert (game.round, game.finished, game.hands) == (9, True, ((), ()))


def test_a_win_captures_the_loser_s_three_and_discards_the_winner_s() -> None:
    game = stacked("2s 2h 7s 9d Jc | 3s 5h 8d Ts Kd")
    result = play(game, "2s 7s 2h", "8d 3s 5h")
    assert (result.round, result.winner, result.captured) == (1, 0, cards("3s 5h 8d"))
    assert [made.letter for made in result.categories] == ["E", "F"]
    assert result.shown == (cards("2s 7s 2h"), cards("3s 5h 8d"))
    assert (result.discarded, result.kept, result.taken, result.stock_won, result.stocked) == (
        cards("2s 7s 2h"),
        (),
        (),
        (),
        (),
    )
    assert game.score_piles == (cards("3s 5h 8d"), ())
    assert game.discards == cards("2s 7s 2h")
    assert game.points() == (4 + 3 + 2, 0)


def test_the_stock_grows_over_ties_and_goes_to_the_next_winner_whole() -> None:
    game = stacked("2s 5s 9h Jd Kc | 3h 6h Td Qc 8s", "2h 2d 4c | 3s 3d 5c")
    assert play(game, "2s 5s 9h", "3h 6h Td").stocked == cards("2s 5s 9h 3h 6h Td")
    assert game.score_piles == ((), ())
    tie = play(game, "2h 2d 4c", "3s 3d 5c")
    assert (tie.winner, tie.captured, tie.discarded) == (None, (), ())
    stock = cards("2s 5s 9h 3h 6h Td 2h 2d 4c 3s 3d 5c")
    assert (game.stock, game.discards, game.points()) == (stock, (), (0, 0))
    won = play(game, "X1 Jd Kc", "Qc 8s " + game.hands[1][3])
    assert (won.winner, won.stock_won, won.captured[-1]) == (0, stock, "Qc")
    assert game.stock == ()
    assert set(stock) < set(game.score_piles[0])
    assert set(game.discards) == set(cards("X1 Jd Kc"))


def test_a_straight_keeps_its_own_three() -> None:
    game = stacked("2s 5s 9h Jd Kc | 3h 4d 5c Qc 8s")
    result = play(game, "2s 5s 9h", "3h 4d 5c")
    assert (result.winner, result.kept, result.discarded) == (1, cards("3h 4d 5c"), ())
    assert game.score_piles == ((), cards("2s 5s 3h 9h 4d 5c"))
    assert game.discards == ()


def test_a_straight_with_a_joker_keeps_nothing() -> None:
    game = stacked("2s 5s 9h Jd Kc | 3h 4d 6c Qc 8s")
    result = play(game, "2s 5s 9h", "3h 4d X2")
    assert (result.winner, result.kept, result.discarded) == (1, (), cards("3h 4d X2"))
    assert game.discards == cards("3h 4d X2")


def won_some_spades():
    """Seat 0 has 4s 8s Js in his score pile (a pair beat a no pair)."""
    game = stacked("2s 2h 7c 9d Ac | 4s 8s Jh Js Td", "5d 6d Th | 3s 6s 9s")
    play(game, "2s 2h 7c", "4s 8s Jh")
    assert game.score_piles[0] == cards("4s 8s Jh")
    return game


def test_a_flush_takes_one_of_its_suit_the_highest() -> None:
    game = won_some_spades()
    result = play(game, "9d Ac Th", "3s 6s 9s")
    assert (result.winner, result.taken, result.captured) == (1, cards("8s"), cards("Th 9d Ac"))
    assert game.score_piles == (cards("4s Jh"), cards("8s Th 9d Ac"))
    assert game.discards == cards("2s 3s 6s 9s 2h 7c")
    assert game.points() == (4 + 3, 4 + 3 + 2 + 1)


def test_a_flush_with_a_joker_takes_nothing() -> None:
    game = won_some_spades()
    result = play(game, "9d Ac Th", "3s 9s X2")
    assert [made.letter for made in result.categories] == ["F", "D"]
    assert (result.winner, result.taken) == (1, ())
    assert game.score_piles[0] == cards("4s 8s Jh")


def test_a_straight_flush_takes_three_of_its_suit_or_what_there_is_and_keeps_its_own() -> None:
    game = stacked("2s 2h 7c 9d Ac | 4s 8s Jh Js Td", "5s 6d Th | 9s Ts Ks")
    play(game, "2s 2h 7c", "4s 8s Jh")
    result = play(game, "5s Ac Th", "Js 9s Ts")
    # The spade that was played this round is captured beside the two that are taken.
    assert (result.winner, result.taken, result.captured) == (1, cards("4s 8s"), cards("5s Th Ac"))
    assert game.score_piles == (cards("Jh"), cards("4s 5s 8s 9s Ts Js Th Ac"))


def lost_four_spades(third_draw):
    """Seat 0 has four spades and two others in his score pile; seat 1 holds As and Js and draws what is said."""
    game = stacked("2h 2c 7c 9d Ac | 4s 8s As Js Td", "3d 3h Th | 6s Jh 2s", f"Kd 4c 8c | {third_draw}")
    play(game, "2h 2c 7c", "4s 8s Td")
    play(game, "3d 3h Th", "6s 2s Jh")
    assert game.score_piles[0] == cards("2s 4s 6s 8s Jh Td")
    return game


def test_a_straight_flush_takes_the_highest_three_and_leaves_the_fourth() -> None:
    game = lost_four_spades("9s Ts 5c")
    result = play(game, "9d Ac 4c", "9s Ts Js")
    assert (result.taken, result.kept) == (cards("4s 6s 8s"), cards("9s Ts Js"))
    assert game.score_piles[0] == cards("2s Jh Td")


def test_a_royal_flush_takes_all_of_its_suit_and_keeps_its_own() -> None:
    game = lost_four_spades("Qs Ks 5c")
    result = play(game, "9d Ac 4c", "As Qs Ks")
    assert (result.taken, result.kept) == (cards("2s 4s 6s 8s"), cards("Qs Ks As"))
    assert game.score_piles == (cards("Jh Td"), cards("2s 4s 6s 8s Qs Ks As 9d 4c Ac"))


def test_a_royal_flush_with_a_joker_is_a_straight_flush_that_takes_nothing() -> None:
    game = lost_four_spades("Qs Kc 5c")
    result = play(game, "9d Ac 4c", "As Qs X2")
    assert (result.categories[1].letter, result.taken, result.kept) == ("A", (), ())
    assert game.score_piles[0] == cards("2s 4s 6s 8s Jh Td")


def test_three_of_a_kind_takes_all_of_the_suit_that_is_missing() -> None:
    game = stacked("2h 2c 7c 9d Ac | 4s 8s As Js Td", "3d 3h Th | 9h 9c 9s", "Kd 4c 8c | 5c 6c 7d")
    play(game, "2h 2c 7c", "4s 8s Td")
    result = play(game, "Ac 3d Th", "9s 9h 9c")
    assert (result.winner, result.taken, result.discarded) == (1, cards("Td"), cards("9s 9h 9c"))
    assert game.score_piles == (cards("4s 8s"), cards("Th 3d Td Ac"))


def test_three_of_a_kind_with_a_joker_takes_nothing() -> None:
    game = stacked("2h 2c 7c 9d Ac | 4s 8s As Js Td", "3d 3h Th | 9h 9c 9s")
    play(game, "2h 2c 7c", "4s 8s Td")
    result = play(game, "Ac 3d Th", "X2 9h 9c")
    assert [made.letter for made in result.categories] == ["F", "B"]
    assert (result.winner, result.taken, result.discarded) == (1, (), cards("9h 9c X2"))
    assert game.score_piles[0] == cards("4s 8s Td")


def test_a_lost_joker_counts_ten_and_is_never_taken_back() -> None:
    game = stacked("2s 3s 4s 9d Ac | 8h 8d Kc Qc Jd", "5c Th 6h | Kd Qh 2d", "7c 3c 2c | Kh Ks 3d")
    result = play(game, "2s 3s 4s", "8h 8d X2")
    assert (result.winner, result.captured) == (0, cards("8h 8d X2"))
    assert game.points() == (3 * 4 + 3 + 2 + 10, 0)
    play(game, "9d Th Ac", "Qc Kd Jd")
    result = play(game, "5c 6h 2c", "Kc Kh Ks")  # the missing suit is diamonds
    assert result.taken == cards("8d")
    assert "X2" in game.score_piles[0]


def test_without_a_joker_wins_within_a_category() -> None:
    game = stacked("2s 3s 4s 9d Ac | 7h 8h Kc Qc Jd")
    result = play(game, "2s 3s 4s", "7h 8h X2")
    assert [made.letter for made in result.categories] == ["A", "A"]
    assert (result.winner, result.kept, game.points()[0]) == (0, cards("2s 3s 4s"), 12 + 3 + 3 + 10)


def test_two_jokers_tie_and_wait_in_the_stock() -> None:
    game = stacked("2s 3s 7h 9d Kd | 7d 8d Kc Qc 5h", "4s 4h 6c | 2d 3c Tc")
    result = play(game, "X1 2s 3s", "X2 7d 8d")
    assert ([made.letter for made in result.categories], result.winner) == (["A", "A"], None)
    result = play(game, "4s 4h 6c", "2d Tc Kc")
    assert (result.winner, set(result.stock_won)) == (0, set(cards("X1 2s 3s X2 7d 8d")))
    assert game.points()[0] == 10 + 4 + 4 + 10 + 2 + 2 + 2 + 1 + 1


def test_what_is_in_the_stock_after_round_nine_counts_for_nobody() -> None:
    """Round 9 is a tie in this game, as it is in most: so the piles don't add up to 150 less the discards."""
    game, _ = next(found for found in map(played, range(100)) if found[0].history[-1].winner is None)
    left = game.history[-1].stocked
    assert set(left) <= set(game.stock)
    piles = [card for pile in game.score_piles for card in pile]
    assert sorted([*piles, *game.stock, *game.discards]) == sorted([*DECK, "X1", "X2"])
    values = {"s": 4, "h": 3, "d": 2, "c": 1, "1": 10, "2": 10}
    assert game.points() == tuple(sum(values[card[1]] for card in pile) for pile in game.score_piles)


@pytest.mark.parametrize("rounds", range(10))
def test_a_view_says_what_the_seat_may_know(rounds) -> None:
    game, _ = played(7, rounds)
    for seat in (0, 1):
        view = game.view(seat)
        assert (view.seat, view.round, view.finished) == (seat, game.round, game.finished)
        assert (view.hand, view.other_count, view.other_hand) == (game.hands[seat], len(game.hands[1 - seat]), None)
        assert (view.score_piles, view.stock, view.discards) == (game.score_piles, game.stock, game.discards)
        assert (view.points, view.history) == (game.points(), game.history)
        assert len(view.unseen) == view.deck_count + view.other_count
        assert set(game.hands[1 - seat]) <= set(view.unseen)
        assert set(game.view(seat, open_hands=True).other_hand) == set(game.hands[1 - seat])
