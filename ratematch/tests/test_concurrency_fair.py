"""Reports, levels, cases, contests and free matches, everything at once, on real row locks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction

from common.errors import Refusal
from ratematch.models import Case, Contest, Engagement, Flag, FreeRoom, LevelChange, Penalty, Player, Report
from ratematch.rules.lifecycle import State
from ratematch.services import cases, contests, free, levels, penalties, queue, reports, rulings
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table, in_review
from ratematch.tests.test_concurrency import at_once
from ratematch.tests.test_contests import silent_report
from ratematch.tests.test_reports import report

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ROUNDS = 5


def refused(results):
    """The codes of refusals; anything else that was raised fails the test."""
    for result in results:
        assert isinstance(result, Refusal) or not isinstance(result, Exception), repr(result)
    return [result.code for result in results if isinstance(result, Refusal)]


def test_three_reports_at_once_make_one_penalty():
    for _round in range(ROUNDS):
        accused = factories.player()
        tables = [Table(accused, factories.player()).to(State.SETTLED) for _number in range(3)]
        results = at_once(
            *(
                lambda table=table: reports.report_opponent(
                    match_id=table.id,
                    actor=next(table.user(seat) for seat in (0, 1) if table.user(seat).pk != accused.user_id),
                    category="abuse",
                    text="Insults.",
                    uploads=[],
                    now=NOW + timedelta(hours=1),
                )
                for table in tables
            )
        )
        assert refused(results) == []
        assert Penalty.objects.filter(player=accused).count() == Flag.objects.filter(player=accused).count() == 1


def test_a_double_click_reports_once():
    table = Table().to(State.SETTLED)
    filed = at_once(
        *(
            lambda: reports.report_opponent(
                match_id=table.id, actor=table.user(0), category="abuse", text="x", uploads=[], now=table.now
            )
            for _click in range(3)
        )
    )
    assert refused(filed) == ["already_reported_player"] * 2
    assert (Report.objects.count(), Case.objects.count()) == (1, 1)


def test_two_moderators_decide_a_case_once():
    for _round in range(ROUNDS):
        case = report(factories.player(), factories.player()).case
        moderators = [factories.moderator(), factories.moderator()]
        results = at_once(
            *(
                lambda moderator=moderator: cases.decide(
                    case_id=case.pk, actor=moderator, verdict="penalised", category="abuse", reason="Seen.", now=NOW
                )
                for moderator in moderators
            )
        )
        assert refused(results) == ["case_closed"]
        assert Penalty.objects.filter(report=case.report).count() == 1


def test_penalties_given_at_once_add_up():
    for _round in range(ROUNDS):
        player = factories.player()
        moderators = [factories.moderator() for _number in range(4)]
        at_once(
            *(
                lambda moderator=moderator: penalties.penalise_player(
                    player_id=player.pk, actor=moderator, category="disconnect", reason="Seen.", now=NOW
                )
                for moderator in moderators
            )
        )
        player.refresh_from_db()
        assert (player.level, Penalty.objects.filter(player=player).count()) == ("D", 4)
        steps = LevelChange.objects.filter(player=player).order_by("pk").values_list("before", "after")
        assert [step[0] for step in steps] == ["A", *(step[1] for step in list(steps)[:-1])]


def test_expiry_is_applied_once():
    player = factories.player()
    penalties.penalise_player(
        player_id=player.pk, actor=factories.moderator(), category="matching", reason="Seen.", now=NOW
    )
    later = NOW + timedelta(days=30)
    at_once(*(lambda: levels.expire_one_due(later) for _worker in range(4)))
    assert LevelChange.objects.filter(cause="expiry").count() == 1


def test_falling_to_d_and_queueing_at_once_never_leaves_one_in_the_queue():
    for _round in range(ROUNDS):
        player = factories.player()
        moderator = factories.moderator()
        penalties.penalise_player(player_id=player.pk, actor=moderator, category="matching", reason="Seen.", now=NOW)
        results = at_once(
            lambda: queue.join_queue(actor=player.user, condition="near", now=NOW),
            lambda: penalties.penalise_player(
                player_id=player.pk, actor=moderator, category="matching", reason="Seen.", now=NOW
            ),
        )
        refused(results)
        player.refresh_from_db()
        assert player.level == "D"
        assert not Engagement.objects.filter(player=player, match=None).exists()


def test_two_who_join_a_room_at_once():
    for _round in range(ROUNDS):
        host, one, two = factories.player(), factories.player(), factories.player()
        room = free.open_room(actor=host.user, title="Warm up", comment="", now=NOW)
        results = at_once(
            lambda: free.join_room(room_id=room.pk, actor=one.user, now=NOW),
            lambda: free.join_room(room_id=room.pk, actor=two.user, now=NOW),
        )
        assert refused(results) == ["room_taken"]
        assert Engagement.objects.filter(room=room).count() == 2


def test_joining_a_room_and_the_queue_at_once_is_one_of_them():
    for _round in range(ROUNDS):
        host, guest = factories.player(), factories.player()
        room = free.open_room(actor=host.user, title="Warm up", comment="", now=NOW)
        results = at_once(
            lambda: free.join_room(room_id=room.pk, actor=guest.user, now=NOW),
            lambda: queue.join_queue(actor=guest.user, condition="near", now=NOW),
            lambda: free.open_room(actor=guest.user, title="Mine", comment="", now=NOW),
        )
        assert len(refused(results)) == 2
        assert Engagement.objects.filter(player=guest).count() == 1
        Engagement.objects.all().delete()
        FreeRoom.objects.all().delete()


def test_a_contest_is_filed_once_and_answered_or_ruled():
    table = silent_report()
    filed = at_once(
        *(
            lambda: contests.contest(
                match_id=table.id,
                actor=table.user(1),
                text="Crashed",
                uploads=[factories.upload(factories.png())],
                now=table.now,
            )
            for _click in range(2)
        )
    )
    assert (refused(filed), Contest.objects.count()) == (["contested_already"], 1)
    late = Contest.objects.get().answer_until
    moderator = factories.moderator()
    at_once(
        lambda: contests.answer(
            match_id=table.id, actor=table.user(0), text="No", uploads=[], now=late - timedelta(seconds=1)
        ),
        lambda: rulings.rule(
            match_id=table.id, moderator=moderator, outcome="void", reason="x", seen_ruling=None, now=late
        ),
    )
    assert Contest.objects.get().ruling is not None


def test_rulings_that_penalise_the_same_two_crosswise_dont_lock_each_other_out():
    for _round in range(ROUNDS):
        one = in_review()
        two = in_review()
        players = [one.player(0), one.player(1)]
        seats = [two.row.seats[0].pk, two.row.seats[1].pk]
        two.row.sides.filter(pk=seats[0]).update(player=players[1])
        two.row.sides.filter(pk=seats[1]).update(player=players[0])
        results = at_once(
            *(
                lambda table=table: rulings.rule(
                    match_id=table.id,
                    moderator=factories.moderator(),
                    outcome="void",
                    reason="x",
                    seen_ruling=None,
                    now=table.now,
                    penalties=[(0, "abuse"), (1, "abuse")],
                )
                for table in (one, two)
            )
        )
        assert refused(results) == []
        assert [Penalty.objects.filter(player=player).count() for player in players] == [2, 2]
        assert set(Player.objects.filter(pk__in=[p.pk for p in players]).values_list("level", flat=True)) == {"B"}


def test_a_penalty_of_the_moment_is_waited_for_by_whoever_begins_something():
    """Who is about to fall to D can't slip into the queue or a room while that isn't committed yet."""
    player, host = factories.player(), factories.player()
    room = free.open_room(actor=host.user, title="Warm up", comment="", now=NOW)

    def impatient(act):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        return act()

    for begin in (
        lambda: queue.join_queue(actor=player.user, condition="near", now=NOW),
        lambda: free.open_room(actor=player.user, title="Mine", comment="", now=NOW),
        lambda: free.join_room(room_id=room.pk, actor=player.user, now=NOW),
    ):
        with transaction.atomic():
            for _number in range(2):
                penalties.penalise(player, "matching", now=NOW)
            [waited] = at_once(lambda begin=begin: impatient(begin))
            assert isinstance(waited, OperationalError), waited
            transaction.set_rollback(True)
    assert not Engagement.objects.filter(player=player).exists()


def test_pairing_and_falling_to_d_take_the_same_rows_in_the_same_order():
    """Whoever falls to D is taken out of the queue after the player's row is held; so pairing holds that first, too."""
    one, two = factories.player(), factories.player(rating=1900)
    for each, condition in ((one, "near"), (two, "any")):
        queue.join_queue(actor=each.user, condition=condition, now=NOW)
    Engagement.objects.filter(player=one).update(condition="any")
    with while_waiting_for(one, lambda: queue.pair_waiting(NOW)) as made:
        assert Engagement.objects.waiting().filter(player=one).delete()[0] == 1
    assert made.result() == 0


def test_withdrawing_takes_the_player_before_the_penalty_as_a_ruling_does():
    player = factories.player()
    given = penalties.penalise_player(
        player_id=player.pk, actor=factories.moderator(), category="abuse", reason="Seen.", now=NOW
    )
    chief = factories.chief()

    def withdraw():
        return penalties.withdraw_penalty(penalty_id=given.pk, actor=chief, reason="x", now=NOW)

    with while_waiting_for(player, withdraw) as withdrawn:
        assert Penalty.objects.filter(pk=given.pk).update(withdrawal_reason="a ruling was here")
    assert withdrawn.result().pk == given.pk


@contextmanager
def while_waiting_for(player, act):
    """Hold a player's row, run `act` beside, and go on when it waits for that: whatever else it holds is in the way."""

    def run():
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic(), connection.cursor() as cursor:
        levels.lock(player)
        result = pool.submit(run)
        for _try in range(2000):
            cursor.execute("SELECT pg_sleep(0.002), count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            if cursor.fetchone()[1]:
                break
        cursor.execute("SET LOCAL lock_timeout = '500ms'")
        yield result
