"""How points make a level, and what a level means (rules §4)."""

from datetime import UTC, datetime, timedelta

import pytest

from ratematch.rules.fairplay import EFFECTS, Category, Filed, Level, Policy, pattern, standing

NOW = datetime(2026, 6, 13, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)
POLICY = Policy()


@pytest.mark.parametrize(
    ("points", "level"),
    [(0, "A"), (2, "A"), (3, "B"), (5, "B"), (6, "C"), (9, "C"), (10, "D"), (99, "D")],
)
def test_level_begins_at_its_threshold(points, level):
    assert POLICY.level(points) == level


def test_effects_are_those_of_the_table():
    rows = [
        (level, row.streak_shown, row.regular_tournaments, row.gains_halved, row.may_play)
        for level, row in EFFECTS.items()
    ]
    assert rows == [
        ("A", True, True, False, True),
        ("B", False, False, False, True),
        ("C", False, False, True, True),
        ("D", False, False, True, False),
    ]


def test_points_add_up_until_they_expire():
    penalties = [(3, NOW + DAY), (4, NOW + 2 * DAY), (9, NOW)]
    now = standing(penalties, NOW, POLICY)
    assert (now.points, now.level, now.until) == (7, Level.C, NOW + DAY)
    later = standing(penalties, NOW + DAY, POLICY)
    assert (later.points, later.level, later.until) == (4, Level.B, NOW + 2 * DAY)
    assert standing(penalties, NOW + 2 * DAY, POLICY) == standing([], NOW, POLICY)


def test_categories_have_one_to_six_points():
    assert set(POLICY.points) == set(Category)
    assert {min(POLICY.points.values()), max(POLICY.points.values())} == {1, 6}


def filed(*reporters, category=Category.ABUSE, at=NOW):
    return [Filed(category, reporter, at) for reporter in reporters]


@pytest.mark.parametrize(
    ("reports", "found"),
    [
        (filed(1, 2, 3), [Category.ABUSE]),
        (filed(1, 2, 2, 1), []),
        ([*filed(1, 2), *filed(3, category=Category.CHAT)], []),
        ([*filed(1, 2), *filed(3, at=NOW - 14 * DAY)], []),
        ([*filed(1, 2), *filed(3, at=NOW - 14 * DAY + timedelta(seconds=1))], [Category.ABUSE]),
        ([*filed(1, 2, 3), *filed(1, 4, 5, category=Category.DISCONNECT)], [Category.DISCONNECT, Category.ABUSE]),
    ],
    ids=["three", "the same two", "two categories", "too old", "just in time", "two patterns"],
)
def test_pattern_needs_three_opponents_one_category_and_fourteen_days(reports, found):
    assert pattern(reports, NOW, POLICY) == found
