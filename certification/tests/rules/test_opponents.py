"""Rules §3 by value: who is whose opponent, and why."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from certification.rules.errors import BadLock, BadSeat, NotSeated, SeatedTwice, SeatTaken
from certification.rules.opponents import Finding, Seat, Step, Way, resolve

DATA = Path(__file__).parents[4] / "shared" / "data" / "cert_opponents.json"


def table(text):
    """Seats from such as "A3@1 B5@2": player, dan, tick; numbered from 1 as they stand there."""
    return [Seat(word[0], *map(int, word[1:].split("@")), number) for number, word in enumerate(text.split(), 1)]


def opponents(text, locks=None, new_tick=None):
    """The opponents as "A-B B-A C--", and the locks as "AB", in the order of the seats."""
    found = resolve(table(text), locks, new_tick=new_tick)
    said = [f"{player}-{found.opponent_of[player] or '-'}" for player in sorted(found.opponent_of)]
    return " ".join(said), " ".join(sorted("".join(sorted(lock)) for lock in found.locks))


@pytest.mark.parametrize(
    ("text", "expected", "locked"),
    [
        ("A3@1", "A--", ""),
        ("A3@1 B5@2", "A-B B-A", ""),
        ("A3@1 B6@2", "A-- B--", ""),
        ("A2@1 B2@2 C3@3 D1@4", "A-B B-A C-B D-C", ""),  # the game's example
        ("A3@1 B2@1", "A-B B-A", "AB"),
        ("A3@1 B6@1", "A-- B--", ""),  # two at once, but too far apart
        ("A4@1 B9@2 C5@3", "A-C B-- C-A", ""),
        ("A2@1 B4@1 C3@1", "A-C B-C C-B", ""),  # three at once: by dan
        ("A3@1 B3@1 C3@1", "A-B B-A C-B", ""),  # and by seat
        ("A1@1 B4@2 C2@3", "A-C B-C C-B", ""),
        ("A3@1 B3@1 C3@2", "A-B B-A C--", "AB"),  # both are locked, nobody is left
        ("A3@1 B3@1 C3@2 D3@3", "A-B B-A C-D D-C", "AB"),
        ("A3@1 B3@2 C3@2", "A-B B-A C-B", ""),  # two at once, but not the first dan players here
        ("A0@1 B3@2 C3@2", "B-C C-B", "BC"),  # kyu players don't count
        ("A0@1 B0@1", "", ""),
        ("A10@1 B8@2 C7@3", "A-B B-A C-B", ""),
    ],
)
def test_who_is_whose_opponent(text, expected, locked):
    assert opponents(text) == (expected, locked)


@pytest.mark.parametrize(
    ("text", "locks", "new_tick", "expected", "locked"),
    [
        # A lock that is known stays, whoever comes.
        ("A3@1 B2@1 C3@2", ["AB"], 2, "A-B B-A C--", "AB"),
        ("A3@1 B2@1 C3@2 D3@2", ["AB"], 2, "A-B B-A C-D D-C", "AB"),
        # It ends when they drift apart, when one leaves or loses dan rank.
        ("A3@1 B6@1", ["AB"], None, "A-- B--", ""),
        ("A3@1 C3@2", ["AB"], None, "A-C C-A", ""),
        ("A3@1 B0@1 C3@2", ["AB"], None, "A-C C-A", ""),
        ("A3@1 B5@1", ["AB"], None, "A-B B-A", "AB"),
        # Once it has ended, it doesn't come back by itself.
        ("A3@1 B3@1", [], None, "A-B B-A", ""),
        # Of three who sat down at once one has left: the two others weren't two.
        ("A3@1 B3@1 C3@2", [], 2, "A-B B-A C-B", ""),
        # Two who have just sat down are locked only if there was no dan player before.
        ("A3@4 B3@4", [], 4, "A-B B-A", "AB"),
        ("A3@4 B3@4", [], 5, "A-B B-A", ""),
        ("A3@1 B3@4 C3@4", [], 4, "A-B B-A C-B", ""),
        ("A0@1 B3@4 C3@4", [], 4, "B-C C-B", "BC"),
        ("A3@4 B3@4 C3@4", [], 4, "A-B B-A C-B", ""),
        ("A3@4 B6@4", [], 4, "A-- B--", ""),
        # Left and came back between two hands: the lock is over, though both sit here.
        ("A3@1 B3@2", ["AB"], 2, "A-B B-A", ""),
        # Told again in the same tick.
        ("A3@4 B3@4", ["AB"], 4, "A-B B-A", "AB"),
    ],
)
def test_with_a_history_of_locks(text, locks, new_tick, expected, locked):
    assert opponents(text, locks, new_tick) == (expected, locked)


def test_the_partner_gone_the_other_is_free_for_others():
    """Both at 1, a third at 2, then the partner leaves."""
    before, _ = opponents("A3@1 B3@1 C4@2", ["AB"])
    after, locks = opponents("A3@1 C4@2", ["AB"])
    assert (before, after, locks) == ("A-B B-A C--", "A-C C-A", "")


def test_a_search_explains_itself():
    found = resolve(table("A4@1 B9@2 C5@3 D1@4"))
    assert found.explain("C") == [
        Step("B", Way.BACK, Finding.OUT_OF_RANGE, 4),
        Step("A", Way.BACK, Finding.TAKEN, 1),
    ]
    assert found.explain("D") == [
        Step("C", Way.BACK, Finding.OUT_OF_RANGE, 4),
        Step("B", Way.BACK, Finding.OUT_OF_RANGE, 8),
        Step("A", Way.BACK, Finding.OUT_OF_RANGE, 3),
    ]


def test_locks_explain_themselves():
    found = resolve(table("A3@1 B3@1 C3@2 D9@3 E4@4"))
    assert found.explain("A") == [Step("B", Way.LOCK, Finding.TAKEN, 0)]
    assert found.explain("C") == [
        Step("B", Way.BACK, Finding.LOCKED, 0),
        Step("A", Way.BACK, Finding.LOCKED, 0),
        Step("D", Way.FORWARD, Finding.OUT_OF_RANGE, 6),
        Step("E", Way.FORWARD, Finding.TAKEN, 1),
    ]


def test_nobody_is_looked_at_for_a_kyu_player():
    found = resolve(table("A0@1 B3@1"))
    assert found.explain("A") == []
    assert "A" not in found.opponent_of
    with pytest.raises(NotSeated, match="player='Z'"):
        found.explain("Z")


def test_an_empty_table():
    assert dict(resolve([]).opponent_of) == {}


def test_the_order_of_input_does_not_matter():
    seats = table("A2@1 B4@1 C3@1 D0@2 E6@2")
    results = [resolve(order) for order in permutations(seats)]
    assert all(result.opponent_of == results[0].opponent_of for result in results)


@pytest.mark.parametrize(
    ("seats", "error", "said"),
    [
        ([("A", 3, 1, 1), ("A", 4, 1, 2)], SeatedTwice, "player='A', seat=2"),
        ([("A", 3, 1, 1), ("B", 4, 1, 1)], SeatTaken, "player='A', other='B', seat=1"),
        ([("A", 11, 1, 1)], BadSeat, "player='A', seat=1"),
        ([("A", -1, 1, 1)], BadSeat, "player='A', seat=1"),
        ([("A", "3", 1, 1)], BadSeat, "player='A', seat=1"),
        ([("A", 3, None, 1)], BadSeat, "player='A', seat=1"),
        ([("A", 3, 1)], BadSeat, "table_bad_seat"),
        ([("A", 3, 1, 1, 1)], BadSeat, "table_bad_seat"),
        ([None], BadSeat, "table_bad_seat"),
        ([(["A"], 3, 1, 1)], BadSeat, "seat=1"),
    ],
)
def test_impossible_seats(seats, error, said):
    with pytest.raises(error, match=said):
        resolve(seats)


@pytest.mark.parametrize("locks", [["A"], ["AA"], ["ABC"], [""], ["AB", "BC"], [None]])
def test_impossible_locks(locks):
    with pytest.raises(BadLock):
        resolve(table("A3@1 B3@1 C3@1"), locks)


@pytest.mark.skipif(not DATA.exists(), reason="the worked cases aren't beside the project")
def test_the_worked_cases():
    for case in json.loads(DATA.read_text()):
        seats = [(player["name"], player["dan"], player["t"], player["seat"]) for player in case["players"]]
        found = resolve(seats)
        assert dict(found.opponent_of) == case["opponents"], case["title"]
        assert found.locks == {frozenset(pair) for pair in case["locked"]}, case["title"]
