"""Rules §2 by value: the game's examples and ours, and hands that can't have been."""

from fractions import Fraction

import pytest

from certification.rules.errors import (
    BadAmount,
    NotDealtIn,
    NoWinner,
    OwnOpponent,
    TooFewPlayers,
    UnequalAntes,
    UnknownRank,
    UnknownTable,
    UnknownVersion,
    WinnerTwice,
)
from certification.rules.pots import pot_of
from certification.rules.settlement import Basis, Line, Name, settle


def hand(bets, winners, *, players="ABCDE", ante=40, rank="初段", ranks=None, **given):
    """Settle a hand at 中級 under version 2, unless something else is given."""
    given = {"table": "中級", "version": "2", "opponents": {}} | given
    ranks = dict.fromkeys(players, rank) | (ranks or {})
    return settle(antes=dict.fromkeys(players, ante), bets=bets, winners=winners, ranks=ranks, **given)


def working(line):
    return [(step.name.value, step.value) for step in line.working]


def test_the_game_s_first_example():
    """七段 bets 80, all fold."""
    line = hand({"A": 80}, ["A"], rank="七段")["A"]
    assert line == Line(net=60, score=80, exp=22, basis=Basis.OWN_RESULT, exact_exp=Fraction("22.32"))
    assert working(line) == [
        ("own_ante", 40),
        ("own_bets", 80),
        ("all_antes", 200),
        ("all_bets", 80),
        ("pot_before", 280),
        ("pot_after", 180),
        ("winners", 1),
        ("exact_share", 180),
        ("share", 180),
        ("net", 60),
        ("balance", 160),
        ("score_factor", Fraction("0.5")),
        ("exact_score", 80),
        ("score", 80),
        ("units", 8),
        ("rate", Fraction("2.79")),
        ("exact_exp", Fraction("22.32")),
        ("exp", 22),
    ]


def test_the_game_s_second_example_but_for_its_slip():
    """初段: two bet 160 and share. The game prints 181 and -19 where 372 / 2 is 186."""
    lines = hand({"A": 160, "B": 160}, ["A", "B"])
    assert lines["A"] == lines["B"] == Line(-14, 30, 27, Basis.OWN_RESULT, Fraction(27))
    values = dict(working(lines["A"]))
    assert (values["pot_before"], values["pot_after"], values["share"]) == (520, 372, 186)


def test_the_game_s_example_of_certification():
    """A fifth player, 十級, lost what is missing from the printed balances."""
    lines = hand(
        {"A": 80, "B": 140, "C": 140, "D": 20, "E": 40},
        ["C"],
        ranks={"A": "二段", "B": "二段", "C": "三段", "D": "初段", "E": "十級"},
        opponents={"A": "B", "B": "A", "C": "B", "D": "C"},
    )
    assert {player: dict(working(line))["balance"] for player, line in lines.items()} == {
        "A": -120,
        "B": -180,
        "C": 440,
        "D": -60,
        "E": -80,
    }
    assert [lines[player].exp for player in "ABCD"] == [30, -30, 310, -250]
    assert {lines[player].basis for player in "ABCD"} == {Basis.CERTIFICATION}
    assert (lines["E"].basis, lines["E"].exp) == (Basis.OWN_RESULT, -40)
    assert working(lines["C"])[-5:] == [
        ("opponent_balance", -180),
        ("difference", 620),
        ("certification_factor", Fraction("0.5")),
        ("exact_exp", 310),
        ("exp", 310),
    ]


def test_three_share():
    """EXP is exactly 12; rounding the score first would have made 11 of it."""
    line = hand({"A": 160, "B": 160, "C": 160}, ["A", "B", "C"])["A"]
    assert line == Line(net=-39, score=13, exp=12, basis=Basis.OWN_RESULT, exact_exp=Fraction(12))
    values = dict(working(line))
    assert values["exact_score"] == Fraction(40, 3)
    assert values["exact_share"] == Fraction(484, 3)  # 161 to each of the three, one chip to the house


def test_odd_chips_stay_with_the_house():
    bets = {"A": 160, "B": 160, "C": 160}
    house = pot_of(antes=dict.fromkeys("ABCDE", 40), bets=bets, winners="ABC").house()
    assert (house.deducted, house.odd, house.total) == (196, 1, 197)
    assert -sum(line.net for line in hand(bets, "ABC").values()) == 197


def test_winners_with_unequal_bets_have_their_own_shares():
    """Only a reported hand can be like this. A: 100 + 0.7 * 100 + 200; B: 100 + 0.7 * 200 + 100."""
    lines = hand({"A": 200, "B": 100}, ["A", "B"])
    values = {player: dict(working(lines[player])) for player in "AB"}
    assert (values["A"]["pot_after"], values["B"]["pot_after"]) == (370, 340)
    assert (values["A"]["net"], values["B"]["net"]) == (185 - 240, 170 - 140)


def test_a_winner_takes_the_winner_s_rate_even_where_sharing_cost_him_chips():
    line = hand({"A": 400, "B": 40}, ["A", "B"])["A"]
    assert dict(working(line))["units"] == -6
    assert line.exact_exp == -6 * 9


def test_losses():
    lines = hand({"A": 80, "B": 80}, ["A"], ranks={"B": "十級", "C": "六段"})
    assert lines["B"] == Line(net=-120, score=-60, exp=-60, basis=Basis.OWN_RESULT, exact_exp=Fraction(-60))
    assert lines["C"] == Line(net=-40, score=-20, exp=-10, basis=Basis.OWN_RESULT, exact_exp=Fraction(-10))


def test_cut_towards_zero_on_both_sides():
    """Two of three share antes of 25, so there are halves."""
    lines = hand({}, ["A", "B"], players="ABC", ante=25, rank="七段", table="上級")
    assert dict(working(lines["A"]))["exact_score"] == Fraction(5, 2)
    assert lines["A"].score == 2
    assert lines["C"].score == -5
    assert (lines["C"].exact_exp, lines["C"].exp) == (Fraction(-3, 2), -1)
    assert (lines["A"].exact_exp, lines["A"].exp) == (Fraction("0.6975"), 0)


def test_a_hand_checked_down_is_legal():
    lines = hand({}, ["A"], players="AB")
    assert (lines["A"].net, lines["B"].net) == (0, -40)
    assert lines == hand({"A": 0, "B": 0}, ["A"], players="AB")


@pytest.mark.parametrize(
    ("version", "table", "basis", "exp"),
    [
        ("1", "初級", Basis.NONE, 0),
        ("1", "中級", Basis.CERTIFICATION, 100),
        ("1", "上級", Basis.CERTIFICATION, 40),
        ("1.10", "初級", Basis.OWN_RESULT, 81),
        ("1.10", "中級", Basis.CERTIFICATION, 100),
        ("2", "初級", Basis.NONE, 0),
        ("2", "上級", Basis.CERTIFICATION, 40),
    ],
)
def test_certification_needs_a_table_that_has_it(version, table, basis, exp):
    """The balances are 120 and -80 chips; at 初級 that is 12 units won, at 6.8 in version 1.10."""
    lines = hand({"A": 80, "B": 40}, ["A"], players="ABC", version=version, table=table, opponents={"A": "B"})
    assert (lines["A"].basis, lines["A"].exp) == (basis, exp)


@pytest.mark.parametrize(
    "opponents", [{}, {"A": None}, {"A": "Z"}, {"A": "K"}, {"Z": "A"}], ids=["no", "none", "out", "kyu", "other's"]
)
def test_without_an_opponent_in_this_hand_the_own_result_counts(opponents):
    lines = hand({"A": 80}, ["A"], ranks={"K": "一級"}, players="ABCDK", rank="七段", opponents=opponents)
    assert (lines["A"].basis, lines["A"].exp) == (Basis.OWN_RESULT, 22)


def test_version_1_has_nothing_for_a_dan_player_without_an_opponent():
    line = hand({"A": 80}, ["A"], version="1")["A"]
    assert (line.basis, line.exp, line.score) == (Basis.NONE, 0, 80)


def test_kyu_players_go_by_their_own_result_always():
    lines = hand({"A": 80}, ["A"], rank="十級", ranks={"B": "初段"}, opponents={"A": "B", "B": "A"})
    assert {line.basis for line in lines.values()} == {Basis.OWN_RESULT}
    assert lines["A"].exp == 240


@pytest.mark.parametrize(("rank", "ours"), [("七段", False), ("八段", True), ("十段", True)])
def test_a_rate_of_ours_is_marked(rank, ours):
    steps = hand({"A": 80}, ["A"], rank=rank)["A"].working
    assert [step.name for step in steps if step.ours] == ([Name.RATE] if ours else [])


def test_antes_and_bets_are_not_touched():
    antes, bets = {"A": 40, "B": 40}, {"A": 80}
    settle(
        antes=antes, bets=bets, winners={"A"}, table="中級", version="2", ranks={"A": "初段", "B": "初段"}, opponents={}
    )
    assert (antes, bets) == ({"A": 40, "B": 40}, {"A": 80})


GOOD = {
    "antes": {"A": 40, "B": 40},
    "bets": {"A": 80},
    "winners": ["A"],
    "table": "中級",
    "version": "2",
    "ranks": {"A": "初段", "B": "二段"},
    "opponents": {"A": "B", "B": "A"},
}


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"antes": {}}, TooFewPlayers, "players=0"),
        ({"antes": {"A": 40}}, TooFewPlayers, "players=1"),
        ({"antes": {"A": 40, "B": 20}}, UnequalAntes, "player='B', amount=20, expected=40"),
        ({"antes": {"A": -40, "B": -40}}, BadAmount, "player='A', amount=-40"),
        ({"antes": {"A": 40.0, "B": 40.0}}, BadAmount, "player='A', amount=40.0"),
        ({"antes": {"A": None, "B": 40}}, BadAmount, "player='A', amount=None"),
        ({"antes": {"A": True, "B": True}}, BadAmount, "player='A', amount=True"),
        ({"bets": {"B": -1}}, BadAmount, "player='B', amount=-1"),
        ({"bets": {"B": "20"}}, BadAmount, "player='B', amount='20'"),
        ({"bets": {"B": float("nan")}}, BadAmount, "player='B', amount=nan"),
        ({"bets": {"Z": 80}}, NotDealtIn, "player='Z'"),
        ({"winners": []}, NoWinner, "hand_no_winner"),
        ({"winners": ["Z"]}, NotDealtIn, "player='Z'"),
        ({"winners": ["A", "A"]}, WinnerTwice, "player='A'"),
        ({"table": "特級"}, UnknownTable, "table='特級'"),
        ({"version": "3"}, UnknownVersion, "version='3'"),
        ({"ranks": {"A": "初段"}}, UnknownRank, "rank=None, player='B'"),
        ({"ranks": {"A": "初段", "B": "一段"}}, UnknownRank, "rank='一段', player='B'"),
        ({"ranks": {"A": "初段", "B": 2}}, UnknownRank, "rank=2, player='B'"),
        ({"opponents": {"A": "A"}}, OwnOpponent, "player='A'"),
    ],
)
def test_impossible_hands(wrong, error, said):
    settle(**GOOD)
    with pytest.raises(error) as refused:
        settle(**(GOOD | wrong))
    assert said in str(refused.value)
