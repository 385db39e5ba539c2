"""Our own outages: noticed by one process, made up for once, and never charged to players."""

from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import DatabaseError, connections

from accounts.models import Heartbeat
from accounts.services import heartbeat
from common.live import STREAM
from common.redis import client
from config import outage
from ratematch.models import Match
from ratematch.rules.lifecycle import State
from ratematch.services import queue
from ratematch.tests import factories
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 6, 13, 20, 51, 30, tzinfo=UTC)
S = timedelta(seconds=1)


def test_the_first_start_ever_is_no_outage() -> None:
    assert outage.beat(NOW) == timedelta()
    assert heartbeat.last_beat("web") == NOW


@pytest.mark.parametrize(("away", "gap"), [(2 * S, 0 * S), (8 * S, 0 * S), (9 * S, 9 * S), (3600 * S, 3600 * S)])
def test_open_deadlines_move_by_an_outage_and_by_nothing_shorter(away: timedelta, gap: timedelta) -> None:
    table = Table()
    due = table.row.deadline_at
    assert due is not None
    outage.beat(NOW)
    assert outage.beat(NOW + away) == gap
    assert table.row.deadline_at == due + gap
    assert outage.beat(NOW + away) == timedelta()
    assert table.row.deadline_at == due + gap
    told = [event["verb"] for _id, event in client().xrange(STREAM)]
    assert ("resync" in told) == bool(gap)


def test_an_outage_is_not_over_before_all_games_have_moved_their_deadlines(monkeypatch: Any) -> None:
    table = Table()
    due = table.row.deadline_at
    outage.beat(NOW)
    monkeypatch.setattr(outage, "SHIFTS", [*outage.SHIFTS, "config.tests.test_outage.fail"])
    with pytest.raises(DatabaseError):
        outage.beat(NOW + 60 * S)
    assert table.row.deadline_at == due
    assert heartbeat.last_beat("web") == NOW


def test_an_outage_takes_nobody_out_of_the_queue() -> None:
    player = factories.player()
    queue.join_queue(actor=player.user, condition="any", now=NOW)
    outage.beat(NOW)
    outage.beat(NOW + 600 * S)
    assert not queue.drop_stale(NOW + 600 * S + 44 * S)
    assert queue.drop_stale(NOW + 600 * S + 45 * S)


def fail(gap: timedelta) -> None:
    raise DatabaseError("a game that can't")


def test_of_many_processes_that_start_one_moves_the_deadlines() -> None:
    table = Table()
    due = table.row.deadline_at
    assert due is not None
    outage.beat(NOW)
    starters = 6
    together, gaps = Barrier(starters), []

    def start() -> None:
        try:
            together.wait()
            gaps.append(outage.beat(NOW + 60 * S))
        finally:
            connections.close_all()

    threads = [Thread(target=start) for _ in range(starters)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(gaps) == [timedelta()] * (starters - 1) + [60 * S]
    assert table.row.deadline_at == due + 60 * S


def test_time_stands_still_for_deadlines_while_no_page_can_be_reached(settings: Any) -> None:
    assert heartbeat.site_now(NOW) == NOW
    outage.beat(NOW)
    grace = timedelta(seconds=settings.HEARTBEAT_EVERY_S + 1)
    assert heartbeat.site_now(NOW + grace) == NOW + grace
    assert heartbeat.site_now(NOW + grace + 3600 * S) == NOW + grace


def test_a_deadline_that_passed_during_an_outage_is_open_again_after_it() -> None:
    table = Table()
    due = table.row.deadline_at
    assert due is not None
    outage.beat(due - 60 * S)
    assert not Match.objects.due(heartbeat.site_now(due + 60 * S)).exists()
    outage.beat(due + 60 * S)
    assert table.row.state == State.ROOM
    assert table.row.deadline_at == due + 120 * S


def test_a_beat_survives_a_database_that_is_away(monkeypatch: Any) -> None:
    def away(now: datetime) -> timedelta:
        raise DatabaseError("away")

    monkeypatch.setattr(heartbeat, "revive", away)
    outage._beat_safely()
    monkeypatch.undo()
    outage._beat_safely()
    assert Heartbeat.objects.filter(part="web").exists()


def test_beating_can_be_switched_off(monkeypatch: Any) -> None:
    monkeypatch.setenv("BANZUKE_BEAT", "0")
    outage.keep_beating()
    assert not Heartbeat.objects.exists()
