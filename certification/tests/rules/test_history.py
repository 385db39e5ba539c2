"""Rules §1 to §3 over a table's whole history: what was, and what would have been under another version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certification.rules import recompute
from certification.rules.errors import (
    BadEvent,
    BadExp,
    NotSeated,
    NoWinner,
    SeatedTwice,
    SeatTaken,
    UnknownRank,
    UnknownTable,
    UnknownVersion,
)
from certification.rules.history import Left, Log, Played, Sat, Standing
from certification.rules.ranks import after
from certification.rules.settlement import Basis
from certification.rules.tables import RANKS, TABLES, VERSIONS
from certification.tests.rules.untimed import untimed


def sat(player, seat, rank="初段", exp=500, *, bot=False):
    return Sat(player, seat, Standing(rank, exp), bot)


def played(players, winner, bet=80, ante=40):
    """A hand in which `winner` bets and all others fold."""
    return Played(dict.fromkeys(players, ante), {winner: bet}, [winner])


def table(*events, name="中級", version="2"):
    return Log(name, events, version)


def run(log, version="2"):
    return recompute(log, version)


def test_two_who_sit_down_at_once_are_locked_and_stay_so():
    log = table(sat("A", 1), sat("B", 2), played("AB", "A"), sat("C", 3), played("ABC", "C"))
    first, second = run(log).hands
    assert first.opponents.locks == second.opponents.locks == {frozenset("AB")}
    assert first.lines["A"].basis is Basis.CERTIFICATION
    assert first.after == {"A": ("初段", 540, 0), "B": ("初段", 460, 0)}
    assert second.lines["C"].basis is Basis.OWN_RESULT  # both others are locked
    assert second.after["C"] == ("初段", 500 + 4 * 9, 0)


def test_of_three_at_once_two_are_not_locked_when_one_leaves():
    log = table(
        sat("A", 1), sat("B", 2), sat("C", 3), played("ABC", "A"), Left("C", Standing("初段", 0)), played("AB", "A")
    )
    assert [hand.opponents.locks for hand in run(log).hands] == [frozenset(), frozenset()]


def test_a_lock_is_over_when_one_leaves_though_he_comes_back():
    log = table(
        sat("A", 1),
        sat("B", 2),
        played("AB", "A"),
        Left("B", Standing("初段", 460)),
        sat("B", 2, exp=460),
        played("AB", "A"),
    )
    first, second = run(log).hands
    assert (first.opponents.locks, second.opponents.locks) == ({frozenset("AB")}, frozenset())


def test_both_leave_and_come_back_as_three():
    """They were locked, and then three sat down at once."""
    log = table(
        sat("A", 1),
        sat("B", 2),
        played("AB", "A"),
        Left("A", Standing("初段", 540)),
        Left("B", Standing("初段", 460)),
        sat("A", 1, exp=540),
        sat("B", 2, exp=460),
        sat("C", 3),
        played("ABC", "A"),
    )
    assert run(log).hands[1].opponents.locks == frozenset()


def test_who_is_first_dealt_in_later_sat_down_later():
    """B and C come together, but B waits a hand: nobody is locked, and B looks back to C."""
    log = table(sat("A", 1, "十級", 0), sat("B", 2), sat("C", 3), played("AC", "A"), played("ABC", "A"))
    _, second = run(log).hands
    assert second.opponents.locks == frozenset()
    assert dict(second.opponents.opponent_of) == {"C": "B", "B": "C"}
    assert second.opponents.explain("B")[0].way == "back"


def test_an_opponent_who_is_not_dealt_in_is_none_in_that_hand():
    log = table(sat("A", 1), sat("B", 2), played("AB", "A"), sat("K", 3, "十級", 0), played("AK", "A"))
    second = run(log).hands[1]
    assert second.opponents.opponent_of["A"] == "B"
    assert second.lines["A"].basis is Basis.OWN_RESULT


def test_promotion_changes_opponents_from_the_next_hand_on():
    log = table(
        sat("A", 1, "初段", 500),
        sat("K", 4, "十級", 0),
        played("AK", "A"),
        sat("B", 2, "三段", 2990),
        played("ABK", "B"),
        played("ABK", "B"),
    )
    _, second, third = run(log).hands
    assert second.opponents.opponent_of == {"A": "B", "B": "A"}
    assert second.after["B"] == ("四段", 2000, 1)
    assert third.opponents.opponent_of == {"A": None, "B": None}


def test_under_another_version_other_exp_come_of_it():
    log = table(sat("A", 1, "初段", 500), sat("K", 2, "十級", 0), played("AK", "A"), played("AK", "K"))
    exp = {version: run(log, version).standings for version in VERSIONS}
    # A wins 2 units and loses 2; K loses 2 and wins 2.
    assert exp["2"] == {"A": Standing("初段", 504), "K": Standing("十級", 60)}
    assert exp["1.10"] == {"A": Standing("初段", 499), "K": Standing("十級", 60)}
    assert exp["1"] == {"A": Standing("初段", 500), "K": Standing("十級", 40)}


def test_who_comes_back_as_he_left_goes_on_from_what_would_have_been():
    hand = played("AK", "A")
    log = table(
        sat("A", 1),
        sat("K", 2, "十級", 0),
        hand,
        Left("A", Standing("初段", 518)),
        sat("A", 1, exp=518),
        hand,
    )
    assert run(log).standings["A"] == Standing("初段", 536)
    assert run(log, "1").standings["A"] == Standing("初段", 500)


def test_who_has_played_elsewhere_meanwhile_brings_what_he_has():
    hand = played("AK", "A")
    log = table(sat("A", 1), sat("K", 2, "十級", 0), hand, Left("A", Standing("初段", 518)), sat("A", 1, exp=700), hand)
    assert run(log, "1").standings["A"] == Standing("初段", 700)


def test_hands_with_bots_move_no_dan_exp_and_no_bot():
    players = [sat("A", 1), sat("K", 2, "十級", 0), sat("bot", 3, "十級", 350, bot=True)]
    log = table(
        *players, played("AK", "A", ante=20), played(["A", "K", "bot"], "A", ante=20), name="初級", version="1.10"
    )
    first, second = run(log, "1.10").hands
    assert first.lines["A"].exp > 0
    assert (second.lines["A"].exp, second.lines["A"].basis) == (0, Basis.NONE)
    assert second.lines["A"].score == 40
    assert second.lines["K"].exp == -20
    assert (second.lines["bot"].exp, second.after["bot"]) == (0, ("十級", 350, 0))


@st.composite
def logs(draw):
    """Any evening at a table: people come, leave, come back and play."""
    seated, free, events = {}, [1, 2, 3, 4, 5], []
    for _ in range(draw(st.integers(0, 25))):
        absent = sorted(set("ABCDEFG") - set(seated))
        what = draw(st.sampled_from(["sit", "sit", "leave", "play", "play", "play"]))
        if what == "sit" and free:
            player = draw(st.sampled_from(absent))
            seated[player] = free.pop(draw(st.integers(0, len(free) - 1)))
            events.append(sat(player, seated[player], draw(st.sampled_from(RANKS)), draw(st.integers(0, 199))))
        elif what == "leave" and seated:
            player = draw(st.sampled_from(sorted(seated)))
            free.append(seated.pop(player))
            events.append(Left(player, Standing("初段", 0)))
        elif what == "play" and len(seated) > 1:
            dealt = draw(st.lists(st.sampled_from(sorted(seated)), min_size=2, unique=True))
            bets = {player: draw(st.integers(0, 1_000)) for player in dealt}
            winners = draw(st.lists(st.sampled_from(dealt), min_size=1, unique=True))
            events.append(Played(dict.fromkeys(dealt, 40), bets, winners))
    return Log(draw(st.sampled_from(list(TABLES))), tuple(events))


@untimed
@given(logs(), st.sampled_from(VERSIONS))
def test_any_history_adds_up(log, version):
    """Each standing is the one before and what the hand was worth; opponents are never out of reach."""
    history = recompute(log, version)
    assert recompute(log, version) == history
    hands = iter(history.hands)
    now = {}
    for event in log.events:
        if isinstance(event, Sat):
            now[event.player] = None  # what he goes on from isn't in the log where he comes back
        elif isinstance(event, Played):
            hand = next(hands)
            for player, line in hand.lines.items():
                if now[player] is not None:
                    assert hand.after[player] == after(*now[player], line.exp)
                now[player] = hand.after[player][:2]
    assert next(hands, None) is None
    assert all(exp >= 0 for _, exp in history.standings.values())


@pytest.mark.parametrize(
    ("events", "error", "said"),
    [
        ([sat("A", 1), sat("A", 2)], SeatedTwice, "player='A', seat=2"),
        ([sat("A", 1), sat("B", 1)], SeatTaken, "player='B', other='A', seat=1"),
        ([sat("A", 1, "一段")], UnknownRank, "rank='一段', player='A'"),
        ([sat("A", 1, exp=-1)], BadExp, "exp=-1, player='A'"),
        ([Left("A", Standing("初段", 0))], NotSeated, "player='A'"),
        ([sat("A", 1), played("AB", "A")], NotSeated, "player='B'"),
        ([sat("A", 1), sat("B", 2), Played({"A": 1, "B": 1}, {}, [])], NoWinner, "hand_no_winner"),
        ([sat("A", 1), "played"], BadEvent, "place=1"),
        ([None], BadEvent, "place=0"),
    ],
)
def test_no_table_has_such_a_log(events, error, said):
    with pytest.raises(error) as refused:
        run(table(*events))
    assert said in str(refused.value)


def test_no_such_table_or_version():
    with pytest.raises(UnknownTable):
        run(table(name="特級"))
    with pytest.raises(UnknownVersion):
        run(table(), "3")
