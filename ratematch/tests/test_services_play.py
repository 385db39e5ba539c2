"""Moves through the database: what is written, who is freed, who is told (rules §3)."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.models import Engagement, MatchEvent, RatingChange
from ratematch.rules.lifecycle import Ending, Outcome, State, Verb
from ratematch.services import play
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db


def needed(table):
    players = {table.row.seats[seat].player_id: seat for seat in (0, 1)}
    return {players[pk] for pk in Engagement.objects.filter(match=table.id).values_list("player_id", flat=True)}


def told(table, seat):
    return list(Notice.objects.filter(user=table.user(seat)).order_by("pk").values_list("kind", flat=True))


def test_agreed_match_moves_both_ratings_once():
    one, two = factories.player(rating=1600), factories.player(rating=1800)
    table = Table(one, two).to(State.SETTLED)
    match = table.row
    assert (match.state, match.outcome, match.ending) == (State.SETTLED, Outcome.PLAYER1, Ending.AGREED)
    assert match.ended_at == table.now
    winner, loser = table.player(0), table.player(1)
    gain = 24 if winner.pk == one.pk else 8
    assert RatingChange.objects.filter(match=match).count() == 2
    rows = {row.player_id: row for row in match.rating_changes.all()}
    assert (rows[winner.pk].computed, rows[winner.pk].applied) == (gain, gain)
    assert winner.rating == rows[winner.pk].after == (1600 if gain == 24 else 1800) + gain
    assert rows[loser.pk].applied == -gain
    assert (winner.wins, winner.streak, winner.best_streak) == (1, 1, 1)
    assert (loser.losses, loser.streak) == (1, 0)
    assert needed(table) == set()


def test_loss_at_the_floor_says_what_was_computed_and_what_applied():
    table = Table(factories.player(rating=1200), factories.player(rating=1200)).to(State.SETTLED)
    row = RatingChange.objects.get(match=table.id, player=table.player(1))
    assert (row.before, row.computed, row.applied, row.after) == (1200, -16, 0, 1200)


def test_rating_counts_as_it_stood_when_the_match_was_made():
    one, two = factories.player(rating=1600), factories.player(rating=1600)
    table = Table(one, two).to(State.REPORTING)
    type(one).objects.filter(pk__in=(one.pk, two.pk)).update(rating=2000)
    table.move(0, Verb.DECLARE, "win")
    table.move(1, Verb.DECLARE, "loss")
    assert [table.player(seat).rating for seat in (0, 1)] == [2016, 1984]


def test_every_move_writes_one_event():
    table = Table().to(State.SETTLED)
    events = list(MatchEvent.objects.filter(match=table.id).values_list("verb", "seat", "state_from", "state_to"))
    assert events == [
        ("matched", None, "", "room"),
        ("set_room_number", 0, "room", "room"),
        ("enter_room", 1, "room", "playing"),
        ("report_result", 0, "playing", "reporting"),
        ("report_result", 1, "reporting", "reporting"),
        ("declare", 0, "reporting", "reporting"),
        ("declare", 1, "reporting", "settled"),
    ]


def test_move_meant_for_another_state_is_refused_and_changes_nothing():
    table = Table().to(State.PLAYING)
    before = table.row.value()
    with pytest.raises(Conflict) as no:
        table.move(1, Verb.LEAVE, seen="room")
    assert (no.value.code, no.value.facts["state"]) == ("match_moved", "playing")
    assert table.row.value() == before


@pytest.mark.parametrize("seen", ["", "nowhere", "ROOM"])
def test_move_with_an_unknown_state_is_invalid(seen):
    table = Table()
    with pytest.raises(Invalid) as no:
        play.make_move(match_id=table.id, actor=table.user(0), verb=Verb.SET_ROOM, seen=seen, now=NOW, value="A1")
    assert no.value.field == "state"


def test_move_by_a_stranger_is_forbidden():
    table = Table()
    with pytest.raises(Forbidden) as no:
        play.make_move(match_id=table.id, actor=factories.user(), verb=Verb.SET_ROOM, seen="room", now=NOW, value="A1")
    assert no.value.code == "not_your_match"


def test_move_in_a_match_that_is_not_there_is_missing():
    with pytest.raises(Missing):
        play.make_move(match_id=1, actor=factories.user(), verb=Verb.ENTER, seen="room", now=NOW)


def test_refused_move_names_the_present_state():
    table = Table().to(State.REPORTING)
    with pytest.raises(Conflict) as no:
        table.move(0, Verb.LEAVE)
    assert (no.value.code, no.value.facts["state"]) == ("wrong_state", "reporting")


def test_late_click_is_refused_after_the_clock_was_applied():
    table = Table()
    deadline = table.row.deadline_at
    table.now = deadline - timedelta(seconds=1)
    with pytest.raises(Conflict) as no:
        table.move(0, Verb.SET_ROOM, "A1", seen="room", after_s=1)
    assert no.value.facts["state"] == "void"
    assert (table.row.state, table.row.ending) == (State.VOID, Ending.NEVER_ENTERED)
    assert needed(table) == set()


def test_click_one_tick_before_the_deadline_counts():
    table = Table()
    table.now = table.row.deadline_at - timedelta(microseconds=1)
    assert table.move(0, Verb.SET_ROOM, "A1", after_s=0).room_number == "A1"


def test_leaver_of_a_running_game_is_free_and_the_other_is_not():
    table = Table().to(State.ABANDONED)
    assert needed(table) == {0}
    assert told(table, 0)[-1] == "ratematch.opponent_left"


def test_leaving_the_room_is_recorded_with_who_left():
    table = Table()
    table.move(1, Verb.LEAVE, after_s=120)
    match = table.row
    assert match.ending == Ending.LEFT
    assert [bool(side.left_at) for side in match.seats] == [False, True]
    assert [side.result for side in match.seats] == ["void", "void"]
    assert RatingChange.objects.count() == 0


def test_wrong_number_tells_player_1_at_once():
    table = Table()
    table.move(0, Verb.SET_ROOM, "K7")
    table.move(1, Verb.WRONG_NUMBER)
    assert told(table, 0)[-1] == "ratematch.wrong_number"
    assert table.row.state == State.ROOM


def test_no_evidence_of_the_reporting_side_costs_the_match():
    table = Table(factories.player(rating=1500), factories.player(rating=1500)).to(State.PLAYING)
    table.move(0, Verb.REPORT)
    table.move(0, Verb.PROVE_INSTEAD)
    table.move(0, Verb.NO_EVIDENCE)
    assert (table.row.outcome, table.row.ending) == (Outcome.PLAYER2, Ending.NO_PROOF)
    assert [table.player(seat).rating for seat in (0, 1)] == [1484, 1516]


def test_draw_between_equals_moves_nothing_but_is_in_the_history():
    table = Table(factories.player(rating=1500), factories.player(rating=1500)).to(State.REPORTING)
    table.move(0, Verb.DECLARE, "draw")
    table.move(1, Verb.DECLARE, "draw")
    assert [row.applied for row in RatingChange.objects.all()] == [0, 0]
    assert [table.player(seat).draws for seat in (0, 1)] == [1, 1]


def test_streak_ends_with_a_draw_and_the_best_stays():
    one, two = factories.player(streak=3, best_streak=5), factories.player()
    table = Table(one, two).to(State.REPORTING)
    for seat in (0, 1):
        table.move(seat, Verb.DECLARE, "draw")
    one.refresh_from_db()
    assert (one.streak, one.best_streak) == (0, 5)


def test_second_report_tells_the_first_presser_nothing_that_is_done():
    table = Table().to(State.PLAYING)
    table.move(0, Verb.REPORT)
    table.move(1, Verb.REPORT)
    assert told(table, 1)[-1] == "ratematch.reported"
    assert "ratematch.reported" not in told(table, 0)
