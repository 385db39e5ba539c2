"""§2 and the joker of §3, over all threes that there are and by value."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from poker.rules import DECK, JOKERS, Category, beats, category
from poker.rules.cards import to_bits, to_cards
from poker.rules.categories import three_of
from poker.rules.game import taken_by
from poker.tests.rules.tables import cards


def letter(text):
    return category(cards(text)).letter


def test_how_many_threes_without_a_joker_make_what() -> None:
    made = Counter(category(three).letter for three in combinations(DECK, 3))
    assert made == {"S": 4, "A": 44, "B": 52, "C": 720, "D": 1096, "E": 3744, "F": 16440}


@pytest.mark.parametrize("joker", JOKERS)
def test_how_many_threes_with_a_joker_make_what(joker) -> None:
    made = Counter(category((*two, joker)).letter for two in combinations(DECK, 2))
    assert made == {"A": 100, "B": 78, "C": 300, "D": 212, "E": 636}


def test_the_order_of_categories() -> None:
    assert [made.letter for made in sorted(Category, reverse=True)] == list("SABCDEF")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Qs Ks As", "S"),
        ("Js Qs Ks", "A"),
        ("As 2s 3s", "A"),
        ("9s 9h 9c", "B"),
        ("Ac 2s 3s", "C"),
        ("Qd Kc Ah", "C"),
        ("9c Tc Jd", "C"),
        ("2s 7s Ks", "D"),
        ("2s 2h Ks", "E"),
        ("2s 7h Ks", "F"),
        # K-A-2 is not a straight
        ("Kh Ad 2c", "F"),
        ("Kh Ah 2h", "D"),
        ("Ah 2d Kc", "F"),
        ("Qh Ah 2d", "F"),
    ],
)
def test_categories_by_value(text, made) -> None:
    assert {category(order).letter for order in permutations(cards(text))} == {made}


@pytest.mark.parametrize(
    ("two", "made"),
    [
        ("Ad Kc", "C"),  # for Q
        ("Ad 3c", "C"),  # for 2
        ("Ad 2c", "C"),  # for 3
        ("Ad Qc", "C"),  # for K
        ("Kd 2c", "E"),
        ("Kd 2d", "D"),
        ("Kd 3c", "E"),
        ("Ad 4c", "E"),
        ("Jd Kc", "C"),
        ("Ad Kd", "A"),  # Q-K-A of one suit, but no royal flush
        ("Qd Kd", "A"),
        ("Qd Ad", "A"),
        ("Ad 3d", "A"),
        ("5d 7d", "A"),
        ("5d 8d", "D"),
        ("5d 8c", "E"),
        ("9d 9c", "B"),
    ],
)
@pytest.mark.parametrize("joker", JOKERS)
def test_the_joker_stands_for_what_makes_most(two, made, joker) -> None:
    assert letter(f"{two} {joker}") == made


def test_a_joker_without_a_pair_makes_one_at_least() -> None:
    assert min(category((*two, "X1")) for two in combinations(DECK, 2)) is Category.ONE_PAIR


def test_a_first_hand_can_always_make_a_straight_or_better() -> None:
    """Of five cards two are of one rank, and make three of a kind with the joker, or their ranks are one of these."""
    for five in combinations("A23456789TJQK", 5):
        hand = [rank + suit for rank, suit in zip(five, "shdcs", strict=True)]
        assert max(category((*two, "X1")) for two in combinations(hand, 2)) >= Category.STRAIGHT


@pytest.mark.parametrize(
    ("a", "b", "wins"),
    [
        ("Qs Ks As", "2h 3h 4h", True),
        ("2h 3h 4h", "9s 9h 9d", True),
        ("9s 9h 9d", "2h 3c 4h", True),
        ("2h 3c 4h", "2s 7s 9s", True),
        ("2s 7s 9s", "Ah Ad 2c", True),
        ("2h 2d 3c", "As Kh 9d", True),
        ("As Kh 9d", "2h 2d 3c", False),
        # ranks and suits never break a tie
        ("As Ah Kd", "2c 2d 3c", None),
        ("Qs Ks As", "Qh Kh Ah", None),
        ("As Kh 9d", "2c 3c 5d", None),
        # the same on both sides: without a joker wins; both with one tie
        ("2c 2d 3c", "As Kh X1", False),  # A-K and a joker are a straight
        ("2c 2d 3c", "9s 4h X1", True),
        ("9s 4h X2", "2c 2d 3c", False),
        ("9s 4h X2", "2c 7d X1", None),
        ("Qs Ks X1", "2h 3h 4h", False),
        ("Qs Ks X1", "Qh Kh Ah", False),
        ("9s 9h X1", "Jd Jh Js", False),
        # a stronger category wins with a joker too
        ("9s 9h X1", "Qs Kh Ad", True),
    ],
)
def test_what_beats_what(a, b, wins) -> None:
    assert beats(cards(a), cards(b)) is wins
    assert beats(cards(b), cards(a)) is (None if wins is None else not wins)


PILE = "2s 9s Ts As 3h 5h 4d X2"


@pytest.mark.parametrize(
    ("three", "taken"),
    [
        ("Qs Ks As", "2s 9s Ts As"),  # all of the suit
        ("Qh Kh Ah", "3h 5h"),
        ("Qc Kc Ac", ""),
        ("3s 4s 5s", "9s Ts As"),  # three, the highest
        ("6h 7h 8h", "3h 5h"),  # what there is
        ("6d 7d 8d", "4d"),
        ("6c 7c 8c", ""),
        ("9h 9d 9c", "2s 9s Ts As"),  # the suit that is missing
        ("9s 9d 9c", "3h 5h"),
        ("9s 9h 9c", "4d"),
        ("9s 9h 9d", ""),
        ("3s 4h 5s", ""),  # a straight takes nothing
        ("3s 7s 8s", "As"),  # a flush takes one
        ("2h 7h 8h", "5h"),
        ("2c 7c 8c", ""),
        ("9h 9d 2c", ""),
        ("9h 7d 2c", ""),
        # with a joker nothing is taken
        ("Ks Qs X1", ""),
        ("3s 4s X1", ""),
        ("9h 9d X1", ""),
        ("3s 8s X1", ""),
    ],
)
def test_what_a_win_takes(three, taken) -> None:
    assert to_cards(taken_by(three_of(cards(three)), to_bits(cards(PILE)))) == cards(taken)


@pytest.mark.parametrize(
    ("three", "keeps"),
    [
        ("Qs Ks As", True),
        ("3s 4s 5s", True),
        ("3s 4h 5s", True),
        ("9h 9d 9c", False),
        ("3s 7s 8s", False),
        ("9h 9d 2c", False),
        ("9h 7d 2c", False),
        ("3s 4s X1", False),
        ("3s 4h X1", False),
    ],
)
def test_who_keeps_his_own_three(three, keeps) -> None:
    assert three_of(cards(three)).keeps is keeps
