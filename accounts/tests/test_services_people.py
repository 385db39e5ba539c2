"""Notices, presence, blocks, and the tidying of what is old."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session

from accounts.models import ApiToken, Block, IdempotentAnswer, Notice, Presence
from accounts.services import blocks, notices, presence, tidying, tokens
from accounts.tests.factories import UserFactory
from common.errors import Invalid, Missing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
pytestmark = pytest.mark.django_db


def notify(*users):
    notices.notify([user.pk for user in users], "ratematch.ended", facts={"match": 1}, url="/m/1/", now=NOW)


def test_a_notice_for_each_is_published_after_commit(django_capture_on_commit_callbacks):
    one, two = UserFactory(), UserFactory()
    with django_capture_on_commit_callbacks() as after_commit:
        notify(one, two)
    assert list(Notice.objects.order_by("pk").values_list("user", "kind", "url")) == [
        (one.pk, "ratematch.ended", "/m/1/"),
        (two.pk, "ratematch.ended", "/m/1/"),
    ]
    assert len(after_commit) == 1


def test_the_first_reading_counts():
    user = UserFactory()
    notify(user)
    pk = Notice.objects.get().pk
    notices.mark_read(actor=user, notice_id=pk, now=NOW)
    assert notices.mark_read(actor=user, notice_id=pk, now=NOW + SECOND).read_at == NOW


def test_notices_of_others_are_not_there():
    user = UserFactory()
    notify(user)
    with pytest.raises(Missing, match="no_such_notice"):
        notices.mark_read(actor=UserFactory(), notice_id=Notice.objects.get().pk, now=NOW)
    assert notices.mark_all_read(actor=UserFactory(), now=NOW) == 0
    assert Notice.objects.filter(read_at=None).count() == 1


def test_all_are_read_at_once():
    user = UserFactory()
    notify(user, user)
    assert notices.mark_all_read(actor=user, now=NOW) == 2
    assert not Notice.objects.filter(read_at=None).exists()


def test_presence_is_one_statement(django_assert_num_queries):
    user = UserFactory()
    for active in (False, True):
        with django_assert_num_queries(1):
            presence.touch(user.pk, active=active, now=NOW)


def test_who_only_looks_becomes_idle_and_who_is_silent_is_away():
    user = UserFactory()
    presence.touch(user.pk, active=True, now=NOW)
    later = NOW + timedelta(minutes=5)
    presence.touch(user.pk, active=False, now=later)
    row = Presence.objects.get()
    assert (row.seen_at, row.active_at) == (later, NOW)
    assert row.state(later - SECOND) == "online"
    assert row.state(later) == "idle"
    assert row.state(later + 44 * SECOND) == "idle"
    assert row.state(later + 45 * SECOND) == "away"


def test_away_agrees_with_state_at_the_tick():
    here, never = UserFactory(), UserFactory()
    presence.touch(here.pk, active=True, now=NOW)
    both = {here.pk, never.pk}
    assert presence.away(both, NOW + 44 * SECOND) == {never.pk}
    assert presence.online_ids(NOW + 44 * SECOND) == {here.pk}
    assert presence.away(both, NOW + 45 * SECOND) == both
    assert presence.online_ids(NOW + 45 * SECOND) == set()
    assert presence.away(both, NOW + 45 * SECOND, after_s=60) == {never.pk}


def test_a_block_holds_for_both():
    one, two, three = UserFactory(), UserFactory(), UserFactory()
    blocks.block(actor=one, user_id=two.pk)
    blocks.block(actor=one, user_id=two.pk)
    blocks.block(actor=three, user_id=one.pk)
    assert Block.objects.count() == 2
    assert blocks.between({one.pk, two.pk}) == {one.pk: {two.pk}, two.pk: {one.pk}}
    assert blocks.between({two.pk, three.pk}) == {}
    blocks.unblock(actor=one, user_id=two.pk)
    blocks.unblock(actor=one, user_id=two.pk)
    assert blocks.between({one.pk, two.pk}) == {}


def test_whom_one_cant_block():
    user = UserFactory()
    with pytest.raises(Invalid, match="cant_block_oneself"):
        blocks.block(actor=user, user_id=user.pk)
    for nobody in (0, UserFactory(is_active=False).pk):
        with pytest.raises(Missing, match="no_such_user"):
            blocks.block(actor=user, user_id=nobody)
    with pytest.raises(Missing, match="no_such_user"):
        blocks.unblock(actor=user, user_id=2**80)


def test_tidying_leaves_what_is_still_needed():
    for age in (0 * SECOND, SECOND):  # just long enough; a second too short
        user = UserFactory()
        kept = {"user": user, "key": "k", "fingerprint": "f"}
        IdempotentAnswer.objects.create(at=NOW - tidying.ANSWERS_KEPT + age, **kept)
        made_at = NOW - tidying.EXPIRED_TOKENS_KEPT - timedelta(days=1) + age
        tokens.create(actor=user, name="t", scopes=["read"], days=1, now=made_at)
        presence.touch(user.pk, active=True, now=NOW - tidying.PRESENCES_KEPT + age)
        Session.objects.create(session_key=f"s{age.seconds}", session_data="", expire_date=NOW + age)
    assert tidying.tidy(now=NOW).items() >= {"answers": 1, "tokens": 1, "presences": 1, "sessions": 1}.items()
    assert not any(tidying.tidy(now=NOW).values())
    assert {model.objects.count() for model in (IdempotentAnswer, ApiToken, Presence, Session)} == {1}
