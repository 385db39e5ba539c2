"""Ratings by value (rules §1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratematch.rules import elo

RATINGS = st.integers(min_value=1200, max_value=4000)
RESULTS = st.sampled_from([0, 0.5, 1])


@pytest.mark.parametrize(
    ("own", "opponent", "result", "change"),
    [
        (1600, 1800, 1, 24),
        (1600, 1800, 0, -8),
        (1600, 1400, 1, 8),
        (1600, 1400, 0, -24),
        (1600, 1600, 0.5, 0),
        (1200, 1200, 0, -16),
    ],
)
def test_rating_change_of_worked_examples(own, opponent, result, change):
    assert elo.rating_change(own, opponent, result) == change


@pytest.mark.parametrize(("opponent", "expected"), [(1800, 0.2403), (1400, 0.7597), (1600, 0.5)])
def test_expected_score_of_worked_examples(opponent, expected):
    assert round(elo.expected_score(1600, opponent), 4) == expected


def test_rating_change_halved_is_rounded_once():
    assert round(elo.exact_change(1600, 1800, 1), 2) == 24.31
    assert elo.rating_change(1600, 1800, 1, halved=True) == 12


def test_rating_change_halved_leaves_a_loss_alone():
    assert elo.rating_change(1600, 1800, 0, halved=True) == -8


def test_apply_change_stops_at_the_floor():
    assert elo.apply_change(1200, -16) == 1200
    assert elo.apply_change(1210, -16) == 1200
    assert elo.apply_change(1216, -16) == 1200


def test_rating_change_of_an_unknown_result_is_an_error():
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0"):
        elo.rating_change(1600, 1600, 2)


@given(RATINGS, RATINGS)
def test_expected_scores_of_both_add_up_to_one(own, opponent):
    assert elo.expected_score(own, opponent) + elo.expected_score(opponent, own) == pytest.approx(1)


@given(RATINGS, RATINGS, RESULTS)
def test_rating_change_of_the_two_cancels_out(own, opponent, result):
    assert elo.rating_change(own, opponent, result) + elo.rating_change(opponent, own, 1 - result) == 0


@given(RATINGS, RATINGS, RESULTS)
def test_halving_never_changes_the_sign_and_never_helps(own, opponent, result):
    full, half = elo.rating_change(own, opponent, result), elo.rating_change(own, opponent, result, halved=True)
    assert half == full if full <= 0 else 0 <= half <= full
