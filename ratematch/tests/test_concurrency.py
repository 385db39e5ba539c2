"""Everything at once, on real row locks: never two matches for a player, never two rating changes for one."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.services import presence
from common.errors import Conflict
from ratematch.models import Engagement, Match, MatchEvent, Picture, Player, RatingChange, Ruling, Side
from ratematch.rules.lifecycle import Outcome, State, Verb
from ratematch.services import deadlines, evidence, play, queue, rulings, screening
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ROUNDS = 5


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """Run all in threads that start together; answers what each returned or raised, in order."""
    start = threading.Barrier(len(actions))
    results: list[Any] = [None] * len(actions)

    def run(index: int, action: Callable[[], Any]) -> None:
        start.wait()
        try:
            results[index] = action()
        except Exception as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads), "a deadlock"
    return results


def conflicts(results):
    """The codes of refusals; anything else that was raised fails the test."""
    codes = []
    for result in results:
        if isinstance(result, Exception):
            assert isinstance(result, Conflict), repr(result)
            codes.append(result.code)
    return codes


def mover(table, seat, verb, value="", seen=None, now=None):
    actor, state, at = table.user(seat), seen or table.row.state, now or table.now
    return lambda: play.make_move(match_id=table.id, actor=actor, verb=verb, seen=state, now=at, value=value)


def check_invariants():
    assert all(count == 1 for count in Counter(Engagement.objects.values_list("player", flat=True)).values())
    for match in Match.objects.with_sides():
        assert len({side.player_id for side in match.seats}) == 2
        assert {side.seat for side in match.seats} == {0, 1}
    rows = Counter(RatingChange.objects.filter(corrects=None).values_list("match", "player"))
    assert all(count == 1 for count in rows.values())
    for player in Player.objects.all():
        last = player.rating_changes.last()
        assert last is None or last.after == player.rating


def test_twenty_players_who_join_at_once_are_paired_once_each():
    players = [factories.player(rating=1500 + 5 * number) for number in range(20)]
    results = at_once(*(lambda p=p: queue.join_queue(actor=p.user, condition="any", now=NOW) for p in players))
    assert conflicts(results) == []
    queue.pair_waiting(NOW)
    assert Match.objects.count() == 10
    assert Counter(Side.objects.values_list("player", flat=True)) == Counter(p.pk for p in players)
    assert Engagement.objects.filter(match__isnull=False).count() == 20
    check_invariants()


def test_one_player_who_joins_from_many_tabs_waits_once():
    player = factories.player()
    results = at_once(*[lambda: queue.join_queue(actor=player.user, condition="any", now=NOW)] * 8)
    assert conflicts(results) == ["already_waiting"] * 7
    assert Engagement.objects.count() == 1


def test_new_user_who_joins_from_many_tabs_is_one_player():
    user = factories.user()
    results = at_once(*[lambda: queue.join_queue(actor=user, condition="any", now=NOW)] * 8)
    assert conflicts(results) == ["already_waiting"] * 7
    assert Player.objects.filter(user=user).count() == 1


@pytest.mark.parametrize("_round", range(3 * ROUNDS))
def test_leaving_the_queue_against_being_paired(_round):
    one, two = factories.player(), factories.player()
    queue.join_queue(actor=one.user, condition="any", now=NOW)
    left, joined = at_once(
        lambda: queue.leave_queue(actor=one.user, now=NOW),
        lambda: queue.join_queue(actor=two.user, condition="any", now=NOW),
    )
    assert not isinstance(joined, Exception)
    match = Match.objects.first()
    if isinstance(left, Conflict):
        assert left.facts["match"] == match.pk
        assert Engagement.objects.filter(match=match).count() == 2
    else:
        assert match is None
        assert Engagement.objects.get().player == two
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_many_pairers_make_each_match_once(_round):
    players = [factories.player(rating=1500 + number) for number in range(8)]
    for player in players:
        entry = Engagement(player=player, condition="any", joined_at=NOW, expires_at=NOW + timedelta(minutes=30))
        entry.save(force_insert=True)
    results = at_once(*[lambda: queue.pair_waiting(NOW)] * 6)
    assert sum(results) == 4
    assert Match.objects.count() == 4
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_both_report_at_the_same_moment(_round):
    table = Table().to(State.PLAYING)
    results = at_once(mover(table, 0, Verb.REPORT), mover(table, 1, Verb.REPORT))
    assert conflicts(results) == ["match_moved"]
    match = table.row
    assert match.state == State.REPORTING
    assert sum(bool(side.pressed_at) for side in match.seats) == 1


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_both_declare_at_the_same_moment(_round):
    table = Table().to(State.REPORTING)
    results = at_once(mover(table, 0, Verb.DECLARE, "win"), mover(table, 1, Verb.DECLARE, "loss"))
    assert conflicts(results) == []
    assert table.row.state == State.SETTLED
    assert RatingChange.objects.count() == 2
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_one_claim_sent_many_times_counts_once(_round):
    table = Table().to(State.REPORTING)
    results = at_once(*[mover(table, 0, Verb.DECLARE, "win")] * 6)
    assert conflicts(results) == ["already_declared"] * 5
    assert MatchEvent.objects.filter(match=table.id, verb="declare").count() == 1


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_leaving_against_reporting(_round):
    table = Table().to(State.PLAYING)
    results = at_once(mover(table, 0, Verb.LEAVE), mover(table, 1, Verb.REPORT))
    assert conflicts(results) == ["match_moved"]
    assert table.row.state in (State.ABANDONED, State.REPORTING)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_sweep_against_a_click_at_the_deadline(_round):
    table = Table().to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    due = table.row.deadline_at
    sweep, click = at_once(lambda: deadlines.expire_one_due(due), mover(table, 1, Verb.DECLARE, "loss", now=due))
    assert not isinstance(sweep, Exception)
    assert conflicts([click]) == ["match_moved"]
    assert click.facts["state"] == "settled"
    assert RatingChange.objects.count() == 2
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_sweep_against_a_click_just_in_time(_round):
    table = Table().to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    due = table.row.deadline_at
    just = due - timedelta(microseconds=1)
    _sweep, click = at_once(lambda: deadlines.expire_one_due(due), mover(table, 1, Verb.DECLARE, "loss", now=just))
    assert conflicts([click]) in ([], ["match_moved"])
    assert (table.row.state, RatingChange.objects.count()) == (State.SETTLED, 2)
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_many_sweeps_apply_each_clock_once(_round):
    tables = [Table() for _ in range(4)]
    now = NOW + timedelta(minutes=16)

    def sweep():
        while deadlines.expire_one_due(now):
            pass

    assert conflicts(at_once(*[sweep] * 4)) == []
    assert {table.row.state for table in tables} == {State.VOID}
    assert MatchEvent.objects.filter(verb="clock").count() == 4


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_two_moderators_rule_at_once(_round):
    table = factories.in_review()

    def ruler(outcome):
        moderator = factories.moderator()
        return lambda: rulings.rule(
            match_id=table.id, moderator=moderator, outcome=outcome, reason="seen", seen_ruling=None, now=table.now
        )

    results = at_once(ruler(Outcome.PLAYER1), ruler(Outcome.PLAYER2))
    assert conflicts(results) == ["already_ruled"]
    assert (Ruling.objects.count(), RatingChange.objects.count()) == (1, 2)
    check_invariants()


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_both_answer_for_evidence_at_once(_round):
    table = Table().to(State.EVIDENCE)
    results = at_once(mover(table, 0, Verb.NO_EVIDENCE), mover(table, 1, Verb.NO_EVIDENCE))
    assert conflicts(results) == []
    assert table.row.state == State.VOID


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_a_fourth_picture_can_not_slip_in(_round):
    table = Table().to(State.PLAYING)
    actor = table.user(0)
    results = at_once(
        *[
            lambda: evidence.attach_picture(
                match_id=table.id, actor=actor, upload=factories.upload(factories.png()), now=table.now
            )
        ]
        * 5
    )
    assert conflicts(results) == ["too_many_pictures"] * 2
    assert Picture.objects.count() == 3


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_one_picture_checked_by_many_is_kept_once(_round):
    table = Table().to(State.EVIDENCE)
    picture = evidence.attach_picture(
        match_id=table.id, actor=table.user(0), upload=factories.upload(factories.png()), now=table.now
    )
    evidence.submit(match_id=table.id, actor=table.user(0), seen="evidence", now=table.now)
    results = at_once(*[lambda: screening.check_picture(picture_id=picture.pk, now=table.now)] * 4)
    assert conflicts(results) == []
    picture.refresh_from_db()
    assert picture.status == Picture.READY
    assert picture.file.storage.exists(picture.file.name)
    assert table.row.seats[0].answer == "submitted"
    assert MatchEvent.objects.filter(match=table.id, verb="submit_evidence").count() == 1


def test_players_who_meet_again_and_again_never_deadlock():
    """Two matches that end at once lock the same kinds of rows, in the same order."""
    players = [factories.player() for _ in range(4)]
    tables = [Table(players[0], players[1]).to(State.REPORTING), Table(players[2], players[3]).to(State.REPORTING)]
    moves = []
    for table in tables:
        moves += [mover(table, 0, Verb.DECLARE, "win"), mover(table, 1, Verb.DECLARE, "loss")]
    assert conflicts(at_once(*moves)) == []
    for player in players:
        presence.touch(player.user_id, active=True, now=NOW)
    joins = [lambda p=p: queue.join_queue(actor=p.user, condition="any", now=NOW) for p in players]
    assert conflicts(at_once(*joins)) == []
    queue.pair_waiting(NOW)
    assert Match.objects.count() == 4
    check_invariants()
