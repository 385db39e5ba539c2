"""Titles by value (§4)."""

from decimal import Decimal

import pytest

from xiangqi.rules.ratings import Kind
from xiangqi.rules.titles import GateTitles, Rank, Title, champion_title, gate_title, rating_title, shown_title


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (GateTitles.DUO, "一舵 二舵 三舵 四舵 五舵 六舵 七舵 八舵 九舵"),
        (GateTitles.JI, "初级 二级 三级 四级 五级 六级 七级 八级 九级"),
        (GateTitles.XIAN, "一弦 二弦 三弦 四弦 五弦 六弦 七弦 八弦 九弦"),
    ],
)
def test_gate_titles_from_the_lowest_to_the_highest(titles, names):
    assert [gate_title(titles, gate).name for gate in range(1, 10)] == names.split()


@pytest.mark.parametrize("gate", [0, 10])
def test_there_is_no_title_for_a_gate_that_there_isnt(gate):
    with pytest.raises(ValueError, match="1 to 9"):
        gate_title(GateTitles.JI, gate)


@pytest.mark.parametrize(
    ("points", "slow", "rapid"),
    [(2, "一段", "一星"), (3, "一段", "一星"), (4, "二段", "二星"), (18, "九段", "九星"), (40, "九段", "九星")],
)
def test_a_champion_s_title_takes_two_points_a_step(points, slow, rapid):
    named = [champion_title(kind, points) for kind in (Kind.SLOW, Kind.RAPID)]
    assert [title and title.name for title in named] == [slow, rapid]


@pytest.mark.parametrize("points", [0, 1])
def test_below_two_defence_points_there_is_no_champion_s_title(points):
    assert champion_title(Kind.SLOW, points) is None


@pytest.mark.parametrize(
    ("rating", "name"),
    [("1500", "5r"), ("1599.99", "5r"), ("1600", "6r"), ("2345.67", "13r"), ("1000", "0r"), ("900", "0r")],
)
def test_a_rating_s_title_is_cut_and_at_least_zero(rating, name):
    assert rating_title(Kind.SLOW, Decimal(rating)).name == name


def test_rapid_ratings_have_the_letter_f():
    assert rating_title(Kind.RAPID, Decimal(1712)).name == "7f"


def test_the_highest_title_is_shown():
    low, high = gate_title(GateTitles.JI, 3), gate_title(GateTitles.DUO, 4)
    champion = champion_title(Kind.SLOW, 2)
    top = Title(Rank.TOP, 1, "国手")
    rating = Decimal(2900)
    assert shown_title(Kind.SLOW, rating, []).name == "19r"
    assert shown_title(Kind.SLOW, rating, [low]) is low
    assert shown_title(Kind.SLOW, rating, [low, high]) is high
    assert shown_title(Kind.SLOW, rating, [low, champion, high]) is champion
    assert shown_title(Kind.SLOW, rating, [top, low, champion]) is top
