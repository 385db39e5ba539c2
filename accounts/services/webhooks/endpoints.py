"""Where a user wants events. All commands are the owner's; of others' endpoints nobody learns that they exist."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User, WebhookDelivery, WebhookEndpoint
from accounts.services.webhooks import addresses, kinds, outbox
from accounts.services.webhooks.sending import SECRET_PREFIX
from common.errors import Conflict, Invalid, Missing

MOST = 10
SECRET_BYTES = 32
OLD_SECRET_LASTS = timedelta(hours=24)
"""After a rotation everything is signed with both for so long."""


def add(*, actor: User, url: str, events: Collection[str], now: datetime, active: bool = True) -> WebhookEndpoint:
    """Have `events` sent to `url`. The endpoint's `secret` is shown this once.

    Raises:
        Invalid: ``bad_webhook_url``, ``private_webhook_url``, ``bad_webhook_events``.
        Conflict: ``too_many_webhooks``.
    """
    addresses.parse(url)
    wanted = _checked(events)
    with transaction.atomic(durable=True):
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # so that two at once can't both be the last
        if WebhookEndpoint.objects.filter(user=actor).count() >= MOST:
            raise Conflict("too_many_webhooks", most=MOST)
        endpoint = WebhookEndpoint(user=actor, url=url, events=wanted, secret=_secret(), made_at=now)
        if not active:
            endpoint.disabled_at, endpoint.disabled_for = now, WebhookEndpoint.OWNER
        endpoint.save(force_insert=True)
    return endpoint


def change(
    *,
    actor: User,
    endpoint_id: int,
    now: datetime,
    url: str | None = None,
    events: Collection[str] | None = None,
    active: bool | None = None,
) -> WebhookEndpoint:
    """Change what is named; the rest stays. `active` switches it off and, after a failure too, on again.

    Raises:
        Missing: ``no_such_webhook``.
        Invalid: as for `add`.
    """
    if url is not None:
        addresses.parse(url)
    wanted = None if events is None else _checked(events)
    with transaction.atomic(durable=True):
        endpoint = _locked(actor, endpoint_id)
        endpoint.url = endpoint.url if url is None else url
        endpoint.events = endpoint.events if wanted is None else wanted
        if active is True and endpoint.disabled_at is not None:
            endpoint.disabled_at, endpoint.disabled_for, endpoint.failing_since = None, "", None
        elif active is False and endpoint.disabled_at is None:
            endpoint.disabled_at, endpoint.disabled_for = now, WebhookEndpoint.OWNER
        endpoint.save(update_fields=["url", "events", "disabled_at", "disabled_for", "failing_since"])
    return endpoint


def rotate(*, actor: User, endpoint_id: int, now: datetime) -> WebhookEndpoint:
    """Give the endpoint another secret, shown this once; for a day everything is signed with the old one too.

    Raises:
        Missing: ``no_such_webhook``.
    """
    with transaction.atomic(durable=True):
        endpoint = _locked(actor, endpoint_id)
        endpoint.old_secret, endpoint.old_secret_until = endpoint.secret, now + OLD_SECRET_LASTS
        endpoint.secret = _secret()
        endpoint.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return endpoint


def remove(*, actor: User, endpoint_id: int) -> None:
    """Send nothing there any more, and forget what was.

    Raises:
        Missing: ``no_such_webhook``.
    """
    with transaction.atomic(durable=True):
        _locked(actor, endpoint_id).delete()


def ping(*, actor: User, endpoint_id: int, now: datetime) -> WebhookDelivery:
    """Send a `ping` there, once, to see whether it arrives.

    Raises:
        Missing: ``no_such_webhook``.
        Conflict: ``webhook_disabled``; ``ping_on_its_way``.
    """
    with transaction.atomic(durable=True):
        endpoint = _locked(actor, endpoint_id)
        if endpoint.disabled_at is not None:
            raise Conflict("webhook_disabled")
        waiting = endpoint.deliveries.filter(kind=kinds.PING, status=WebhookDelivery.WAITING)
        if waiting.exists():
            raise Conflict("ping_on_its_way")
        outbox.write([endpoint], kinds.PING, {"webhook": endpoint.pk}, now)
        return waiting.get()


def resend(*, actor: User, endpoint_id: int, delivery_id: int, now: datetime) -> WebhookDelivery:
    """Send a delivery again, under the same id, whether it had arrived or was given up.

    Raises:
        Missing: ``no_such_webhook``, ``no_such_delivery``.
        Conflict: ``webhook_disabled``; ``delivery_on_its_way``.
    """
    with transaction.atomic(durable=True):
        endpoint = _locked(actor, endpoint_id)
        if endpoint.disabled_at is not None:
            raise Conflict("webhook_disabled")
        delivery = endpoint.deliveries.filter(pk=delivery_id).first()
        if delivery is None:
            raise Missing("no_such_delivery")
        columns = {"status": WebhookDelivery.WAITING, "due_at": now, "tries": 0}
        done = endpoint.deliveries.filter(pk=delivery_id).exclude(status=WebhookDelivery.WAITING)
        if not done.update(**columns):
            raise Conflict("delivery_on_its_way")
        transaction.on_commit(outbox.wake, robust=True)
    delivery.refresh_from_db()
    return delivery


def _locked(actor: User, endpoint_id: int) -> WebhookEndpoint:
    own = WebhookEndpoint.objects.select_for_update(no_key=True).filter(pk=endpoint_id, user=actor).first()
    if own is None:
        raise Missing("no_such_webhook")
    return own


def _checked(events: Collection[str]) -> list[str]:
    if not events or not set(events) <= set(kinds.registered()):
        raise Invalid("bad_webhook_events", field="events")
    return sorted(set(events))


def _secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
