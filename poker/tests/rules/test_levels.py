"""§4 by value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker.rules import (
    LEVELS,
    chips_change,
    forfeit_difference,
    may_enter,
    points_change,
    ranking_points,
    tier,
)


def test_the_table_of_levels() -> None:
    rows = [
        (level.code, level.factor, level.chips_to_enter, level.chips_lost, level.open_hands)
        for level in LEVELS.values()
    ]
    assert rows == [
        ("beginner", 1, 0, 0, True),
        ("intermediate", 2, 10, 3, True),
        ("advanced", 3, 50, 10, False),
        ("expert", 5, 200, 30, False),
    ]


def test_whoever_may_enter_has_the_stake() -> None:
    assert all(level.chips_lost <= level.chips_to_enter for level in LEVELS.values())


@pytest.mark.parametrize(
    ("level", "difference", "points"),
    [
        ("beginner", 17, 17),
        ("intermediate", 17, 34),
        ("advanced", 17, 51),
        ("expert", 17, 85),
        ("beginner", -17, -17),
        ("expert", -17, -17),
        ("expert", 1, 5),
        ("expert", 0, 0),
        ("expert", 150, 750),
    ],
)
def test_points(level, difference, points) -> None:
    assert points_change(LEVELS[level], difference) == points


@pytest.mark.parametrize(
    ("level", "difference", "total", "chips"),
    [
        ("beginner", 1, 0, 1),
        ("beginner", 19, 0, 1),
        ("beginner", 20, 0, 2),
        ("beginner", 39, 0, 2),
        ("beginner", 40, 0, 3),
        ("expert", 40, 0, 3),  # the same at all levels
        ("expert", 40, 499, 3),
        ("expert", 40, 500, 6),
        ("expert", 40, 10_000, 15),
        ("expert", 40, -300, 3),
        ("beginner", 0, 0, 0),
        ("expert", 0, 10_000, 0),
        ("beginner", -60, 0, 0),
        ("intermediate", -60, 0, -3),
        ("advanced", -60, 0, -10),
        ("expert", -1, 10_000, -30),
        ("expert", -150, -5, -30),
    ],
)
def test_chips(level, difference, total, chips) -> None:
    assert chips_change(LEVELS[level], difference, total) == chips


@pytest.mark.parametrize(
    ("total", "factor"),
    [
        (-10_000, 1),
        (-1, 1),
        (0, 1),
        (499, 1),
        (500, 2),
        (1_999, 2),
        (2_000, 3),
        (4_999, 3),
        (5_000, 4),
        (9_999, 4),
        (10_000, 5),
        (10**9, 5),
    ],
)
def test_tiers(total, factor) -> None:
    assert tier(total) == factor


@pytest.mark.parametrize(
    ("level", "chips", "may"),
    [
        ("beginner", 0, True),
        ("intermediate", 9, False),
        ("intermediate", 10, True),
        ("advanced", 49, False),
        ("advanced", 50, True),
        ("expert", 199, False),
        ("expert", 200, True),
    ],
)
def test_who_may_enter(level, chips, may) -> None:
    assert may_enter(LEVELS[level], chips) is may


@pytest.mark.parametrize(
    ("own", "computer", "difference"),
    [(0, 0, -60), (0, 60, -60), (0, 61, -61), (20, 85, -65), (100, 10, -60), (0, 140, -140)],
)
def test_a_game_given_up_is_lost_by_sixty_at_least(own, computer, difference) -> None:
    assert forfeit_difference(own, computer) == difference


@pytest.mark.parametrize(
    ("points", "best"),
    [
        ([], None),
        ([100] * 9, None),
        ([1] * 10, 10),
        ([-1] * 10, -10),
        ([-5] + [1] * 10, 10),
        ([1] * 10 + [-5], 10),
        ([-1] * 9 + [20, -1, 30], 42),
        ([50] + [0] * 10 + [50], 50),  # the two never stand within ten games
        ([50] + [0] * 8 + [50], 100),
    ],
)
def test_ranking_points(points, best) -> None:
    assert ranking_points(points) == best


@given(st.lists(st.integers(min_value=-150, max_value=750), min_size=10, max_size=60))
def test_ranking_points_are_the_best_ten_in_a_row(points) -> None:
    assert ranking_points(points) == max(sum(points[start : start + 10]) for start in range(len(points) - 9))


@given(st.lists(st.integers(min_value=-150, max_value=750), min_size=11, max_size=60))
def test_a_stored_best_needs_the_last_ten_games_only(points) -> None:
    assert ranking_points(points) == max(ranking_points(points[:-1]), ranking_points(points[-10:]))
