"""Webhooks: who may have which, what is written when, and what becomes of it."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connections, transaction
from django.test import TestCase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from standardwebhooks import Webhook

from accounts.models import Notice, WebhookDelivery, WebhookEndpoint
from accounts.services import tidying, webhooks
from accounts.services.webhooks import delivery, endpoints, kinds, outbox
from accounts.services.webhooks.sending import Result
from accounts.tests.factories import UserFactory
from accounts.tests.receiver import receiving
from common.errors import Conflict, Invalid, Missing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTLED, VOID = "chess.game.settled", "chess.game.void"
FAILED, OK = Result(status=500), Result(status=204)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    monkeypatch.setattr(kinds, "_labels", {})
    webhooks.register({SETTLED: _("settled"), VOID: _("void")})


def add(
    user: Any = None, url: str = "https://example.org/hook", events: tuple[str, ...] = (SETTLED,)
) -> WebhookEndpoint:
    return endpoints.add(actor=user or UserFactory(), url=url, events=events, now=NOW)


def emit(endpoint: WebhookEndpoint, kind: str = SETTLED, now: datetime = NOW) -> WebhookDelivery | None:
    webhooks.emit(kind, {"game": 7}, users=[endpoint.user_id], now=now)
    return endpoint.deliveries.first()


def try_once(result: Result, now: datetime) -> WebhookDelivery:
    """Claim what is due at `now` and let it end so."""
    claimed = outbox.claim_one(now)
    assert claimed
    outbox.finish(claimed, result, now)
    return WebhookDelivery.objects.get(pk=claimed.delivery.pk)


def test_what_is_asked_for_is_written_once_an_endpoint_under_one_id():
    user = UserFactory()
    one, two = add(user), add(user, "https://example.net/", (SETTLED, VOID))
    add(user, events=(VOID,))
    add(UserFactory())
    emit(one)
    rows = WebhookDelivery.objects.order_by("endpoint")
    assert [row.endpoint for row in rows] == [one, two]
    assert len({(row.message_id, row.body) for row in rows}) == 1
    assert rows[0].message_id.startswith("msg_")
    assert "." not in rows[0].message_id
    assert json.loads(rows[0].body) == {"type": SETTLED, "timestamp": "2026-03-01T12:00:00Z", "data": {"game": 7}}


def test_nothing_is_written_for_those_who_are_switched_off_or_gone():
    off, gone = add(), add()
    endpoints.change(actor=off.user, endpoint_id=off.pk, active=False, now=NOW)
    gone.user.is_active = False
    gone.user.save()
    assert emit(off) is None
    assert emit(gone) is None


def test_a_command_that_fails_has_told_nothing():
    endpoint = add()
    with transaction.atomic():
        emit(endpoint)
        transaction.set_rollback(True)
    assert not WebhookDelivery.objects.exists()


def test_one_that_arrives_is_done():
    endpoint = add()
    emit(endpoint)
    row = try_once(OK, NOW)
    assert (row.status, row.due_at, row.tries, row.answer, row.tried_at) == ("delivered", None, 1, 204, NOW)
    assert outbox.claim_one(NOW + timedelta(days=5)) is None


def test_tries_follow_the_schedule_and_end():
    endpoint = add()
    emit(endpoint)
    at = [NOW]
    for _try in range(9):
        row = try_once(FAILED, at[-1])
        assert row.status == "waiting"
        assert outbox.claim_one(row.due_at - timedelta(seconds=1)) is None
        at.append(row.due_at)
    due_s = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
    waits = [(later - earlier).total_seconds() for earlier, later in pairwise(at)]
    assert all(due <= wait <= due * 1.1 for due, wait in zip(due_s, waits, strict=True))
    row = try_once(FAILED, at[-1])
    assert (row.status, row.due_at, row.tries, row.answer) == ("failed", None, 10, 500)
    endpoint.refresh_from_db()
    assert (endpoint.disabled_at, endpoint.disabled_for) == (at[-1], "failing")
    notice = Notice.objects.get(user=endpoint.user)
    assert (notice.kind, notice.facts["reason"]) == ("accounts.webhook_disabled", "failing")
    assert emit(endpoint, now=at[-1]).pk == row.pk, "nothing more is written for it"


def test_an_endpoint_that_took_something_meanwhile_goes_on():
    endpoint = add()
    emit(endpoint)
    row, at = try_once(FAILED, NOW), NOW
    while row.status == "waiting":
        at = row.due_at
        WebhookEndpoint.objects.update(failing_since=None)  # as a success of another event leaves it
        row = try_once(FAILED, at)
    endpoint.refresh_from_db()
    assert (row.status, endpoint.disabled_at) == ("failed", None)


def test_success_forgets_failures():
    endpoint = add()
    emit(endpoint)
    row = try_once(FAILED, NOW)
    endpoint.refresh_from_db()
    assert endpoint.failing_since == NOW
    try_once(OK, row.due_at)
    endpoint.refresh_from_db()
    assert endpoint.failing_since is None


def test_gone_ends_it_at_once():
    endpoint = add()
    emit(endpoint)
    emit(endpoint)
    try_once(Result(status=410), NOW)
    endpoint.refresh_from_db()
    assert endpoint.disabled_for == "gone"
    assert set(endpoint.deliveries.values_list("status", flat=True)) == {"failed"}
    assert Notice.objects.get().facts["reason"] == "gone"


def test_who_asks_for_time_gets_it_but_no_more_than_a_day():
    endpoint = add()
    emit(endpoint)
    row = try_once(Result(status=503, retry_after_s=3600), NOW)
    assert row.due_at == NOW + timedelta(hours=1)
    row = try_once(Result(status=429, retry_after_s=900_000), row.due_at)
    assert row.due_at - row.tried_at == timedelta(days=1)


def test_an_endpoint_is_one_senders_alone():
    endpoint, other = add(), add()
    for each in (endpoint, endpoint, other):
        emit(each)
    first, second = outbox.claim_one(NOW), outbox.claim_one(NOW)
    assert first
    assert second
    assert {first.delivery.endpoint_id, second.delivery.endpoint_id} == {endpoint.pk, other.pk}
    assert outbox.claim_one(NOW) is None
    outbox.finish(first, OK, NOW)
    assert outbox.claim_one(NOW).delivery.endpoint_id == endpoint.pk


def test_a_sender_that_died_loses_its_claim_and_the_event_is_sent_again():
    emit(add())
    dead = outbox.claim_one(NOW)
    assert outbox.claim_one(NOW + timedelta(seconds=59)) is None
    later = NOW + timedelta(seconds=61)
    again = outbox.claim_one(later)
    assert dead
    assert again
    assert again.delivery.message_id == dead.delivery.message_id
    outbox.finish(again, OK, later)
    outbox.finish(dead, FAILED, later)  # it had only been slow
    assert WebhookDelivery.objects.get().status == "delivered"


def test_after_a_rotation_both_secrets_hold_for_a_day(settings):
    with receiving() as receiver:
        endpoint = endpoints.add(actor=UserFactory(), url=receiver.url, events=[SETTLED], now=timezone.now())
        new = endpoints.rotate(actor=endpoint.user, endpoint_id=endpoint.pk, now=timezone.now())
        for kept_until in (timezone.now() + timedelta(hours=1), timezone.now() - timedelta(hours=1)):
            WebhookEndpoint.objects.update(old_secret_until=kept_until)
            emit(endpoint, now=timezone.now())
            delivery.deliver(outbox.claim_one(timezone.now()))
    assert new.secret != endpoint.secret
    (headers, body), (later, _body) = receiver.came
    assert Webhook(endpoint.secret).verify(body, headers) == Webhook(new.secret).verify(body, headers)
    assert len(later["webhook-signature"].split()) == 1


def test_a_ping_arrives_whatever_was_asked_for_and_is_tried_once():
    endpoint = add()
    row = endpoints.ping(actor=endpoint.user, endpoint_id=endpoint.pk, now=NOW)
    assert (row.kind, json.loads(row.body)["data"]) == ("ping", {"webhook": endpoint.pk})
    with pytest.raises(Conflict, match="ping_on_its_way"):
        endpoints.ping(actor=endpoint.user, endpoint_id=endpoint.pk, now=NOW)
    assert try_once(FAILED, NOW).status == "failed"


def test_what_is_done_can_be_sent_again_under_its_id():
    endpoint = add()
    row = emit(endpoint)
    resend = {"actor": endpoint.user, "endpoint_id": endpoint.pk, "delivery_id": row.pk, "now": NOW}
    with pytest.raises(Conflict, match="delivery_on_its_way"):
        endpoints.resend(**resend)
    try_once(OK, NOW)
    again = endpoints.resend(**resend)
    assert (again.status, again.due_at, again.tries, again.message_id) == ("waiting", NOW, 0, row.message_id)
    endpoints.change(actor=endpoint.user, endpoint_id=endpoint.pk, active=False, now=NOW)
    with pytest.raises(Conflict, match="webhook_disabled"):
        endpoints.resend(**resend)
    with pytest.raises(Conflict, match="webhook_disabled"):
        endpoints.ping(actor=endpoint.user, endpoint_id=endpoint.pk, now=NOW)


def test_switched_on_again_it_starts_afresh():
    endpoint = add()
    WebhookEndpoint.objects.update(disabled_at=NOW, disabled_for="failing", failing_since=NOW - timedelta(days=4))
    changed = endpoints.change(actor=endpoint.user, endpoint_id=endpoint.pk, active=True, now=NOW)
    assert (changed.disabled_at, changed.disabled_for, changed.failing_since) == (None, "", None)


def test_others_endpoints_are_as_if_they_werent_there():
    endpoint, stranger = add(), UserFactory()
    own = {"actor": stranger, "endpoint_id": endpoint.pk}
    for command in (
        lambda: endpoints.change(**own, active=False, now=NOW),
        lambda: endpoints.rotate(**own, now=NOW),
        lambda: endpoints.remove(**own),
        lambda: endpoints.ping(**own, now=NOW),
        lambda: endpoints.resend(**own, delivery_id=1, now=NOW),
    ):
        with pytest.raises(Missing, match="no_such_webhook"):
            command()
    with pytest.raises(Missing, match="no_such_delivery"):
        endpoints.resend(actor=endpoint.user, endpoint_id=endpoint.pk, delivery_id=1, now=NOW)


def test_what_cant_be_had():
    user = UserFactory()
    for events in ((), ("ping",), (SETTLED, "chess.unheard_of")):
        with pytest.raises(Invalid, match="bad_webhook_events"):
            add(user, events=events)
    with pytest.raises(Invalid, match="bad_webhook_url"):
        add(user, "http://example.org/")
    for _number in range(endpoints.MOST):
        endpoint = add(user)
    with pytest.raises(Conflict, match="too_many_webhooks"):
        add(user)
    with pytest.raises(Invalid, match="private_webhook_url"):
        endpoints.change(actor=user, endpoint_id=endpoint.pk, url="https://10.0.0.1/", now=NOW)
    endpoints.remove(actor=user, endpoint_id=endpoint.pk)
    add(user)


def test_old_deliveries_go_but_none_that_waits():
    endpoint = add()
    emit(endpoint)
    try_once(OK, NOW)
    emit(endpoint)
    assert tidying.tidy(now=NOW + timedelta(days=31))["deliveries"] == 1
    assert WebhookDelivery.objects.get().status == "waiting"


class AfterCommitTest(TestCase):
    """The task is woken when something was written, and only after commit."""

    def test_the_task_is_woken(self) -> None:
        webhooks.register({SETTLED: _("settled")})
        endpoint = add()
        with self.captureOnCommitCallbacks() as callbacks:
            webhooks.emit("chess.else", {}, users=[endpoint.user_id], now=NOW)
        assert callbacks == []
        with self.captureOnCommitCallbacks() as callbacks:
            emit(endpoint)
        assert callbacks == [outbox.wake]


@pytest.mark.django_db(transaction=True)
def test_a_sweep_sends_all_that_is_due_and_never_twice_at_once_to_one():
    with receiving() as slow, receiving() as quick:
        slow.held = threading.Event()
        for receiver in (slow, quick):
            endpoint = endpoints.add(actor=UserFactory(), url=receiver.url, events=[SETTLED], now=NOW)
            for _event in range(5):
                emit(endpoint)
        sweeps = [threading.Thread(target=lambda: (delivery.send_due(), connections.close_all())) for _ in range(3)]
        for sweep in sweeps:
            sweep.start()
        while len(quick.came) < 5:  # a slow endpoint doesn't hold up another
            assert any(sweep.is_alive() for sweep in sweeps)
        slow.held.set()
        for sweep in sweeps:
            sweep.join()
    assert (slow.most_at_once, quick.most_at_once) == (1, 1)
    assert len({headers["webhook-id"] for headers, _body in slow.came}) == len(slow.came) == 5
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"delivered"}
