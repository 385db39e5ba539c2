"""Clocks: one tick before, at, after, twice, and with nobody there to apply them (rules §3)."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from accounts.services import heartbeat, presence
from ratematch.models import Engagement, Match, MatchEvent, RatingChange
from ratematch.rules.lifecycle import RUNNING, Ending, State, Verb
from ratematch.services import deadlines
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db
TICK = timedelta(microseconds=1)
WHERE_TO = {
    State.ROOM: State.VOID,
    State.PLAYING: State.VOID,
    State.ABANDONED: State.VOID,
    State.REPORTING: State.EVIDENCE,
    State.RECONFIRM: State.EVIDENCE,
    State.EVIDENCE: State.VOID,
}


@pytest.mark.parametrize("state", RUNNING)
def test_clock_of_every_state_a_tick_before_at_and_twice(state):
    table = Table().to(state)
    due = table.row.deadline_at
    assert not deadlines.expire_one_due(due - TICK)
    assert table.row.state == state
    assert deadlines.expire_one_due(due)
    assert table.row.state == WHERE_TO[state]
    events = MatchEvent.objects.filter(match=table.id, verb="clock").count()
    assert not deadlines.expire_one_due(due)
    assert not deadlines.settle(table.id, due)
    assert MatchEvent.objects.filter(match=table.id, verb="clock").count() == events == 1


@pytest.mark.parametrize("state", RUNNING)
def test_clock_of_every_state_is_applied_late_by_a_reader(state):
    table = Table().to(state)
    late = table.row.deadline_at + timedelta(hours=1)
    assert deadlines.settle(table.id, late)
    match = table.row
    assert match.state == WHERE_TO[state]
    if match.state == State.EVIDENCE:
        assert match.deadline_at == late + timedelta(minutes=5)  # the new period starts when it could be seen


def test_silence_after_a_declaration_settles_on_it():
    table = Table().to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    assert deadlines.expire_one_due(table.row.deadline_at)
    assert (table.row.ending, RatingChange.objects.count()) == (Ending.SILENT_REPORT, 2)
    assert Engagement.objects.count() == 0


def test_longest_overdue_comes_first():
    early, late = Table(), Table()
    Match.objects.filter(pk=late.id).update(deadline_at=early.row.deadline_at + timedelta(seconds=1))
    assert deadlines.expire_one_due(early.row.deadline_at + timedelta(minutes=1))
    assert (early.row.state, late.row.state) == (State.VOID, State.ROOM)


def test_broken_row_is_put_off_and_does_not_block_the_others():
    broken, fine = Table(), Table()
    now = fine.row.deadline_at + timedelta(seconds=1)
    Match.objects.filter(pk=broken.id).update(deadline_at=now - timedelta(hours=1))
    broken.row.sides.all().delete()  # half a match: nothing can be made of it
    while deadlines.expire_one_due(now):
        pass
    assert fine.row.state == State.VOID
    assert Match.objects.get(pk=broken.id).deadline_at == now + deadlines.PUSH_AHEAD


def test_warning_goes_to_whoever_is_awaited_and_away():
    table = Table().to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    due = table.row.warn_at
    assert due == table.row.deadline_at - timedelta(seconds=90)
    presence.touch(table.user(1).pk, active=True, now=due - timedelta(hours=1))
    assert not deadlines.warn_one_due(due - TICK)
    assert deadlines.warn_one_due(due)
    notice = Notice.objects.get(kind="ratematch.deadline_near")
    assert notice.user == table.user(1)
    assert not deadlines.warn_one_due(due)


def test_room_that_nobody_has_entered_is_warned_of_too():
    table = Table()
    presence.touch(table.user(0).pk, active=True, now=table.now - timedelta(hours=1))
    assert deadlines.warn_one_due(table.row.deadline_at - timedelta(seconds=90))
    assert [notice.user for notice in Notice.objects.filter(kind="ratematch.deadline_near")] == [table.user(0)]


def test_warning_is_not_sent_to_whoever_is_looking():
    table = Table().to(State.REPORTING)
    due = table.row.warn_at
    for seat in (0, 1):
        presence.touch(table.user(seat).pk, active=True, now=due)
    assert deadlines.warn_one_due(due)
    assert not Notice.objects.filter(kind="ratematch.deadline_near").exists()


def test_outage_does_not_eat_the_minutes_in_which_a_room_can_be_looked_for():
    table = Table().to(State.PLAYING)
    deadlines.shift_open(timedelta(minutes=10))
    table.now += timedelta(minutes=14)
    assert table.move(0, Verb.NOT_IN_ROOM).state == State.ROOM


def test_outage_moves_every_open_clock_and_no_other():
    running, over = Table(), Table().to(State.SETTLED)
    due, gap = running.row.deadline_at, timedelta(minutes=7)
    deadlines.shift_open(gap)
    assert running.row.deadline_at == due + gap
    assert over.row.deadline_at is None
    assert not deadlines.settle(running.id, due)


def test_page_that_is_read_after_an_outage_applies_no_clock_before_they_are_moved():
    table = Table().to(State.RECONFIRM)
    due = table.row.deadline_at
    heartbeat.beat("web", due - timedelta(minutes=2))
    later = due + timedelta(minutes=8)
    assert not deadlines.settle(table.id, later)
    deadlines.shift_open(heartbeat.revive(later))
    assert table.row.deadline_at == later + timedelta(minutes=2)
    assert not deadlines.settle(table.id, later)
    heartbeat.beat("web", later + timedelta(minutes=2))
    assert deadlines.settle(table.id, later + timedelta(minutes=2))


@pytest.mark.parametrize(("after_s", "held"), [(0, 0), (3, 3), (4, 3), (600, 3)])
def test_sweep_holds_nobody_to_a_clock_that_ran_out_while_no_page_could_be_reached(after_s, held):
    beat = Table().now
    heartbeat.beat("web", beat)
    assert heartbeat.site_now(beat + timedelta(seconds=after_s)) == beat + timedelta(seconds=held)


def test_warning_comes_also_to_whoever_closes_the_page_later():
    table = Table().to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    first = table.row.warn_at
    for seat in (0, 1):
        presence.touch(table.user(seat).pk, active=True, now=first)
    assert deadlines.warn_one_due(first)
    assert not Notice.objects.filter(kind="ratematch.deadline_near").exists()
    now = first
    while (again := table.row.warn_at) is not None:
        now = again
        assert deadlines.warn_one_due(now)
    notice = Notice.objects.get(kind="ratematch.deadline_near")
    assert notice.user == table.user(1)
    assert now < table.row.deadline_at
