"""docs/battle-poker.md says what the code does: each of its tables is worked out again."""

from pathlib import Path

import pytest

from poker import rules
from poker.rules import (
    LEVELS,
    Category,
    beats,
    category,
    chips_change,
    forfeit_difference,
    levels,
    points_change,
    ranking_points,
)
from poker.rules.cards import ALL_POINTS, SUIT_POINTS, points_of, to_bits
from poker.rules.categories import ALL_OF_SUIT, KEEPS, TAKES

PAGE = Path(__file__).parents[3].joinpath("docs", "battle-poker.md").read_text(encoding="utf-8")


def table(*head):
    """The rows below every table that begins with these words, without backticks."""
    rows = []
    for part in PAGE.split("| " + " | ".join(head) + " |\n")[1:]:
        for line in part.splitlines()[1:]:
            if not line.startswith("|"):
                break
            rows.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
    assert rows
    return rows


def test_points_of_cards() -> None:
    said = dict(table("card", "points"))
    assert said == {"joker": str(points_of(to_bits(["X1"])))} | {
        "♠♥♦♣"["shdc".index(suit)]: str(points) for suit, points in SUIT_POINTS.items()
    }
    assert f"count {ALL_POINTS}." in PAGE


def test_categories_and_effects() -> None:
    rows = table("letter", "category", "three cards", "a winner's own three", "and he takes of the loser's score pile")
    amounts = {0: "nothing", ALL_OF_SUIT: "all"}
    done = [
        [
            made.letter,
            made.name.lower().replace("_", " "),
            "kept" if made in KEEPS else "discarded",
            amounts.get(TAKES.get(made, 0), str(TAKES.get(made))),
        ]
        for made in sorted(Category, reverse=True)
    ]
    assert [[letter, name, own, takes.split(" ")[0]] for letter, name, _, own, takes in rows] == done


@pytest.mark.parametrize(("three", "letter"), table("three cards", "category"))
def test_examples_of_categories(three, letter) -> None:
    assert category(three.split()).letter == letter


@pytest.mark.parametrize(("these", "those", "outcome"), table("these", "against these", "outcome"))
def test_examples_of_outcomes(these, those, outcome) -> None:
    assert {True: "win", False: "loss", None: "tie"}[beats(these.split(), those.split())] == outcome


def test_levels() -> None:
    done = [
        [level.code, level.factor, level.chips_to_enter, level.chips_lost, "open" if level.open_hands else "hidden"]
        for level in LEVELS.values()
    ]
    said = table("level", "points factor", "chips to enter", "chips lost", "hands")
    assert said == [list(map(str, row)) for row in done]


def test_tiers() -> None:
    assert table("total points from", "tier") == [[str(start), str(factor)] for start, factor in levels.TIERS]


@pytest.mark.parametrize(
    "name", ["CHIPS_FOR_A_WIN", "SCORE_FOR_ANOTHER_CHIP", "RANKED_GAMES", "FORFEIT_SCORE", "ABANDONED_AFTER_S"]
)
def test_every_number_is_named(name) -> None:
    assert f"`{name}` = {getattr(levels, name)}" in PAGE


@pytest.mark.parametrize(
    "row", table("level", "total points before", "player's points", "computer's points", "points", "chips")
)
def test_examples_of_pay(row) -> None:
    level, (total, own, computer, points, chips) = LEVELS[row[0]], map(int, row[1:])
    assert points_change(level, own - computer) == points
    assert chips_change(level, own - computer, total) == chips


@pytest.mark.parametrize("row", table("given up at player's points", "computer's points", "lost by"))
def test_examples_of_giving_up(row) -> None:
    own, computer, lost_by = map(int, row)
    assert forfeit_difference(own, computer) == -lost_by


@pytest.mark.parametrize(("games", "points"), table("points of the games, in order", "ranking points"))
def test_examples_of_ranking_points(games, points) -> None:
    assert str(ranking_points([int(game) for game in games.split()])).lower() == points


@pytest.mark.parametrize("name", sorted(set(rules.__all__) - {"CARDS", "DECK", "JOKERS", "Card", "Level"}))
def test_every_public_name_is_named(name) -> None:
    assert f"`{name}" in PAGE.partition("## 7.")[2]
