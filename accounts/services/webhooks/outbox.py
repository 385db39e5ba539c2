"""What is to be sent: written with what it tells of, claimed by one sender at a time, finished or tried again."""

from __future__ import annotations

import json
import logging
import random
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import kombu.exceptions
from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from accounts.models import WebhookDelivery, WebhookEndpoint
from accounts.services import notices
from accounts.services.webhooks.kinds import PING
from accounts.services.webhooks.sending import Result

log = logging.getLogger(__name__)

WAITS = [timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)]
WAITS += [timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)]
"""Between one try and the next, as Standard Webhooks has it: ten tries in three days."""
JITTER = 0.1
"""The longest random addition, as a share of the wait."""
LONGEST_WAIT = timedelta(hours=24)
CLAIM = timedelta(seconds=60)
"""How long an endpoint is one sender's alone; longer than a request may take. A sender that died loses it then."""
GIVE_UP_AFTER = timedelta(days=3)
"""An endpoint that has taken nothing for so long, through all tries of an event, is sent nothing more."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that is this sender's to send, and until when."""

    delivery: WebhookDelivery
    until: datetime


def emit(kind: str, payload: Mapping[str, Any], *, users: Iterable[int], now: datetime) -> None:
    """Step: have an event sent to all endpoints of `users` that ask for its kind. It goes out if, and only if, the
    command that calls this commits.

    Args:
        kind: one that was registered.
        payload: the event's `data`, as JSON can hold it. Whoever gets it may show it to anybody.
    """
    own = WebhookEndpoint.objects.filter(user__in=list(users), user__is_active=True, disabled_at=None)
    asked = [endpoint for endpoint in own if kind in endpoint.events]
    if asked:
        write(asked, kind, payload, now)


def write(endpoints: Iterable[WebhookEndpoint], kind: str, payload: Mapping[str, Any], now: datetime) -> None:
    """Step: one event for each of `endpoints`, whatever they ask for."""
    message_id = f"msg_{uuid.uuid4().hex}"
    event = {"type": kind, "timestamp": now.astimezone(UTC).isoformat().replace("+00:00", "Z"), "data": payload}
    body = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(endpoint=endpoint, message_id=message_id, kind=kind, body=body, at=now, due_at=now)
        for endpoint in endpoints
    )
    transaction.on_commit(wake, robust=True)


def wake() -> None:
    """Have the outbox looked at now. The sweep looks every few seconds anyway."""
    try:
        current_app.send_task("accounts.send_webhooks", retry=False)
    except kombu.exceptions.OperationalError as error:
        log.warning("webhooks wait for the sweep: %s", error)


def due_count(now: datetime) -> int:
    """How many endpoints have something to be sent now and are nobody's at present."""
    free = Q(endpoint__claimed_until=None) | Q(endpoint__claimed_until__lte=now)
    due = WebhookDelivery.objects.filter(free, due_at__lte=now, endpoint__disabled_at=None)
    return due.order_by().values("endpoint").distinct().count()


def claim_one(now: datetime) -> Claimed | None:
    """The longest due delivery whose endpoint nobody else is sending to; None if there is none."""
    free = Q(endpoint__claimed_until=None) | Q(endpoint__claimed_until__lte=now)
    due = WebhookDelivery.objects.filter(free, due_at__lte=now, endpoint__disabled_at=None).order_by("due_at", "pk")
    while (found := due.values_list("pk", "endpoint").first()) is not None:
        delivery_id, endpoint_id = found
        until = now + CLAIM
        # Own columns only: a condition over a join isn't looked at again after waiting for a lock.
        unclaimed = Q(claimed_until=None) | Q(claimed_until__lte=now)
        mine = WebhookEndpoint.objects.filter(unclaimed, pk=endpoint_id, disabled_at=None).update(claimed_until=until)
        if mine:
            still = WebhookDelivery.objects.filter(pk=delivery_id, due_at__lte=now).select_related("endpoint").first()
            if still:
                return Claimed(still, until)
            _release(endpoint_id, until)
    return None


def finish(claimed: Claimed, result: Result, now: datetime) -> None:
    """Command: note what came of a try, say when the next one is, and let the endpoint go."""
    delivery, endpoint = claimed.delivery, claimed.delivery.endpoint
    tries = delivery.tries + 1
    columns: dict[str, Any] = {"tries": tries, "tried_at": now, "answer": result.status, "problem": result.problem}
    with transaction.atomic(durable=True):
        endpoint = WebhookEndpoint.objects.select_for_update(no_key=True).filter(pk=endpoint.pk).first() or endpoint
        if result.delivered:
            columns |= {"status": WebhookDelivery.DELIVERED, "due_at": None}
            WebhookEndpoint.objects.filter(pk=endpoint.pk, failing_since__isnull=False).update(failing_since=None)
        else:
            WebhookEndpoint.objects.filter(pk=endpoint.pk, failing_since=None).update(failing_since=now)
            columns |= _next_try(delivery, tries, result, now)
        # Compare and set: another sender may have taken over from one that was slow, or the owner sent it again.
        WebhookDelivery.objects.filter(pk=delivery.pk, tries=delivery.tries, due_at=delivery.due_at).update(**columns)
        if result.gone:
            _disable(endpoint, WebhookEndpoint.GONE, now)
        elif "status" in columns and not result.delivered and _fails_for_long(endpoint, now):
            _disable(endpoint, WebhookEndpoint.FAILING, now)
        _release(endpoint.pk, claimed.until)


def _next_try(delivery: WebhookDelivery, tries: int, result: Result, now: datetime) -> dict[str, Any]:
    if result.gone or tries > len(WAITS) or delivery.kind == PING:
        return {"status": WebhookDelivery.FAILED, "due_at": None}
    wait = WAITS[tries - 1] * (1 + random.uniform(0, JITTER))  # noqa: S311  # so that not all come back at once
    asked = min(timedelta(seconds=result.retry_after_s), LONGEST_WAIT)
    return {"due_at": now + max(wait, asked)}


def _fails_for_long(endpoint: WebhookEndpoint, now: datetime) -> bool:
    return endpoint.failing_since is not None and now - endpoint.failing_since >= GIVE_UP_AFTER


def _disable(endpoint: WebhookEndpoint, reason: str, now: datetime) -> None:
    """Step: send nothing more there, and tell its owner. What waited stays to be sent again by hand."""
    if not WebhookEndpoint.objects.filter(pk=endpoint.pk, disabled_at=None).update(
        disabled_at=now, disabled_for=reason
    ):
        return
    WebhookDelivery.objects.filter(endpoint=endpoint, status=WebhookDelivery.WAITING).update(
        status=WebhookDelivery.FAILED, due_at=None
    )
    url = reverse("webhook", args=[endpoint.pk])
    facts = {"url": endpoint.url, "reason": reason}
    notices.notify([endpoint.user_id], "accounts.webhook_disabled", facts=facts, url=url, now=now)


def _release(endpoint_id: int, until: datetime) -> None:
    WebhookEndpoint.objects.filter(pk=endpoint_id, claimed_until=until).update(claimed_until=None)
