"""Joining, leaving and pairing through the database (rules §2)."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from accounts.services import blocks, presence
from common.errors import Conflict, Invalid
from ratematch.models import Engagement, Match
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import queue
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db


def join(player, condition="any", now=NOW):
    queue.join_queue(actor=player.user, condition=condition, now=now)


def waiting():
    return set(Engagement.objects.waiting().values_list("player_id", flat=True))


def test_join_waits_until_somebody_suits():
    one, two = factories.player(rating=1500), factories.player(rating=1601)
    join(one, "near")
    join(two, "near")
    assert waiting() == {one.pk, two.pk}


def test_join_makes_a_match_at_once_when_somebody_suits():
    one, two = factories.player(rating=1500), factories.player(rating=1600)
    join(one, "near")
    join(two, "near")
    match = Match.objects.get()
    assert match.state == State.ROOM
    assert match.deadline_at == NOW + timedelta(minutes=15)
    assert {side.player_id: side.rating for side in match.seats} == {one.pk: 1500, two.pk: 1600}
    assert waiting() == set()
    assert Notice.objects.filter(kind="ratematch.match_made").count() == 2


def test_join_twice_is_refused():
    player = factories.player()
    join(player)
    with pytest.raises(Conflict) as no:
        join(player)
    assert no.value.code == "already_waiting"
    assert Engagement.objects.count() == 1


def test_join_is_refused_while_a_match_needs_the_player():
    table = Table()
    with pytest.raises(Conflict) as no:
        join(table.player(0))
    assert (no.value.code, no.value.facts["match"]) == ("needed_by_match", table.id)


def test_join_with_an_unknown_condition_is_refused():
    with pytest.raises(Invalid) as no:
        join(factories.player(), "close")
    assert no.value.field == "condition"


def test_join_of_a_new_user_starts_at_1200():
    user = factories.user()
    player = queue.join_queue(actor=user, condition="any", now=NOW)
    assert player.rating == 1200


def test_leave_takes_the_entry_out_once():
    player = factories.player()
    join(player)
    queue.leave_queue(actor=player.user, now=NOW)
    assert waiting() == set()
    with pytest.raises(Conflict) as no:
        queue.leave_queue(actor=player.user, now=NOW)
    assert no.value.code == "not_waiting"


def test_leave_after_a_match_was_made_names_the_match():
    table = Table()
    with pytest.raises(Conflict) as no:
        queue.leave_queue(actor=table.user(0), now=NOW)
    assert no.value.facts["match"] == table.id
    assert Engagement.objects.filter(match=table.id).count() == 2


def test_wider_condition_keeps_the_time_waited_and_pairs_at_once():
    one, two = factories.player(rating=1500), factories.player(rating=1900)
    join(one, "near", NOW - timedelta(seconds=30))
    join(two, "any")
    queue.change_condition(actor=one.user, condition="any", now=NOW)
    side = Match.objects.get().sides.get(player=one)
    assert side.waited_s == 30


def test_blocked_players_are_not_paired_whoever_blocked():
    one, two = factories.player(), factories.player()
    blocks.block(actor=two.user, user_id=one.user_id)
    join(one)
    join(two)
    assert waiting() == {one.pk, two.pk}


def test_a_block_does_not_end_a_running_match():
    table = Table()
    blocks.block(actor=table.user(0), user_id=table.user(1).pk)
    assert table.move(0, Verb.SET_ROOM, "A1").room_number == "A1"


def test_rematch_waits_a_minute_and_then_the_sweep_makes_it():
    table = Table().to(State.SETTLED)
    one, two = table.player(0), table.player(1)
    join(one)
    join(two)
    assert waiting() == {one.pk, two.pk}
    later = NOW + timedelta(seconds=60)
    for player in (one, two):
        presence.touch(player.user_id, active=True, now=later)
    assert queue.pair_waiting(later - timedelta(seconds=1)) == 0
    assert queue.pair_waiting(later) == 1


def test_a_void_match_counts_as_having_met():
    table = Table()
    table.move(0, Verb.LEAVE, after_s=120)
    for seat in (0, 1):
        presence.touch(table.user(seat).pk, active=True, now=table.now)
        join(table.player(seat), now=table.now)
    assert len(waiting()) == 2


def test_entry_whose_page_is_gone_for_45_seconds_is_dropped_with_a_notice():
    player = factories.player()
    join(player)
    assert not queue.drop_stale(NOW + timedelta(seconds=44, microseconds=999_999))
    assert queue.drop_stale(NOW + timedelta(seconds=45))
    assert waiting() == set()
    assert Notice.objects.get().facts == {"reason": "page_gone"}
    assert not queue.drop_stale(NOW + timedelta(seconds=45))


def test_entry_whose_page_is_gone_is_not_paired_even_before_it_is_dropped():
    one, two = factories.player(), factories.player()
    join(one, now=NOW - timedelta(seconds=50))
    presence.touch(one.user_id, active=True, now=NOW - timedelta(seconds=50))
    join(two)
    assert waiting() == {one.pk, two.pk}


def test_entry_older_than_half_an_hour_is_dropped_with_a_notice():
    player = factories.player()
    join(player)
    for minutes, dropped in ((29, False), (30, True)):
        now = NOW + timedelta(minutes=minutes)
        presence.touch(player.user_id, active=True, now=now)
        assert bool(queue.drop_stale(now)) is dropped
    assert Notice.objects.get().facts == {"reason": "too_long"}


def test_seats_are_given_at_random():
    first = {Table().row.seats[0].player_id % 2 for _ in range(20)}
    assert first == {0, 1}
