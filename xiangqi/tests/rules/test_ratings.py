"""Ratings by value (§3)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi.rules import ratings
from xiangqi.rules.ratings import Category, Kind, Venue

RATINGS = st.decimals(min_value=0, max_value=3500, places=2)

# The table that was published with the formula, Dr without the first move's handicap.
PUBLISHED = [
    (0, 0.50, 0.50), (25, 0.54, 0.46), (50, 0.57, 0.43), (75, 0.61, 0.39), (100, 0.64, 0.36),
    (125, 0.67, 0.33), (150, 0.70, 0.30), (175, 0.73, 0.27), (200, 0.76, 0.24), (250, 0.81, 0.19),
    (300, 0.85, 0.15), (350, 0.88, 0.12), (400, 0.91, 0.09), (450, 0.93, 0.07), (500, 0.95, 0.05),
]  # fmt: skip


@pytest.mark.parametrize(("difference", "higher", "lower"), PUBLISHED)
def test_expected_scores_are_the_published_ones(difference, higher, lower):
    # The one moving first stands 100 higher than his rating says, so at `difference` he is rated 100 less.
    strong, weak = Decimal(1500 + difference - ratings.FIRST_MOVE), Decimal(1500)
    assert round(ratings.expected_score(strong, weak, moves_first=True), 2) == higher
    assert round(ratings.expected_score(weak, strong, moves_first=False), 2) == lower


@pytest.mark.parametrize(
    ("rating", "k"),
    [
        ("0", 30), ("1799.99", 30), ("1800", 25), ("1999.99", 25), ("2000", 20), ("2199.99", 20),
        ("2200", 15), ("2399.99", 15), ("2400", 10), ("2900", 10),
    ],
)  # fmt: skip
def test_k_bands_are_half_open(rating, k):
    assert ratings.k_factor(Decimal(rating)) == k


@pytest.mark.parametrize(
    ("base_s", "increment_s", "category"),
    [
        (1200, 0, Category.SLOW), (1199, 0, Category.RAPID), (301, 0, Category.RAPID), (300, 0, Category.BLITZ),
        (60, 0, Category.BLITZ), (600, 15, Category.SLOW), (600, 14, Category.RAPID), (180, 3, Category.BLITZ),
        (180, 4, Category.RAPID), (0, 30, Category.SLOW),
    ],
)  # fmt: skip
def test_category_is_that_of_base_and_forty_increments(base_s, increment_s, category):
    assert ratings.category(base_s, increment_s) is category


def test_blitz_moves_the_rapid_rating_by_half():
    assert [c.kind for c in Category] == [Kind.SLOW, Kind.RAPID, Kind.RAPID]
    assert [c.speed_factor for c in Category] == [1, 1, 0.5]


@pytest.mark.parametrize(
    ("own", "opponent", "result", "moves_first", "category", "venue", "change"),
    [
        ("1500", "1500", 1, True, Category.SLOW, Venue.FREE, "10.80"),  # 30 * (1 - 0.640065)
        ("1500", "1500", 1, False, Category.SLOW, Venue.FREE, "19.20"),
        ("1500", "1500", 0.5, True, Category.SLOW, Venue.FREE, "-4.20"),
        ("1500", "1500", 1, True, Category.SLOW, Venue.RING, "21.60"),
        ("1500", "1500", 1, True, Category.SLOW, Venue.TOURNAMENT, "10.80"),
        ("1500", "1500", 1, True, Category.RAPID, Venue.FREE, "10.80"),
        ("1500", "1500", 1, True, Category.BLITZ, Venue.FREE, "5.40"),
        ("1500", "1600", 0.5, True, Category.SLOW, Venue.FREE, "0.00"),
        ("2450", "2350", 0, False, Category.BLITZ, Venue.RING, "-5.00"),
    ],
)
def test_rating_change_of_worked_examples(own, opponent, result, moves_first, category, venue, change):
    got = ratings.rating_change(
        Decimal(own), Decimal(opponent), result, moves_first=moves_first, category=category, venue=venue
    )
    assert str(got) == change


def test_rating_change_of_an_unknown_result_is_an_error():
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0"):
        ratings.rating_change(
            Decimal(1500), Decimal(1500), 2, moves_first=True, category=Category.SLOW, venue=Venue.FREE
        )


@pytest.mark.parametrize(
    ("own", "opponent", "venue", "rated"),
    [
        ("2200", "2200", Venue.FREE, True), ("2200.01", "1500", Venue.FREE, False),
        ("1500", "2200.01", Venue.FREE, False), ("2500", "1500", Venue.RING, True),
        ("2500", "2500", Venue.TOURNAMENT, True),
    ],
)  # fmt: skip
def test_free_games_above_2200_are_not_rated(own, opponent, venue, rated):
    assert ratings.is_rated(Decimal(own), Decimal(opponent), venue) is rated


@pytest.mark.parametrize(("rating", "whole"), [("1500.00", 1500), ("1499.51", 1500), ("1499.49", 1499)])
def test_a_rating_is_shown_as_a_whole_number(rating, whole):
    assert ratings.shown(Decimal(rating)) == whole


@given(RATINGS, RATINGS)
def test_expected_scores_of_both_add_up_to_one(own, opponent):
    first = ratings.expected_score(own, opponent, moves_first=True)
    assert first + ratings.expected_score(opponent, own, moves_first=False) == pytest.approx(1)


@given(RATINGS, RATINGS, st.sampled_from(list(Category)), st.sampled_from(list(Venue)), st.booleans())
def test_a_win_never_costs_and_a_loss_never_pays(own, opponent, category, venue, moves_first):
    won, drawn, lost = (
        ratings.rating_change(own, opponent, result, moves_first=moves_first, category=category, venue=venue)
        for result in (1, 0.5, 0)
    )
    assert lost <= 0 <= won
    assert lost <= drawn <= won
    assert (own + won).as_tuple().exponent == -2
