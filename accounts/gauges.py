"""Figures for monitors; `/metrics` shows them. An app's `gauges` module has `gauges(now)`, and `oldest_deadline()` if
it has clocks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count

from accounts.models import Heartbeat, Presence, WebhookDelivery, WebhookEndpoint


class Gauge(NamedTuple):
    """One figure: `banzuke_<name>`, what it is in words, its value, and labels that tell it from its like."""

    name: str
    words: str
    value: float
    labels: dict[str, str] = {}


def gauges(now: datetime) -> Iterator[Gauge]:
    """Who is here, the parts' pulses, and webhooks that wait."""
    online = Presence.objects.filter(seen_at__gt=now - timedelta(seconds=settings.PRESENCE_ONLINE_S))
    yield Gauge("users_online", "Users whose page or program is here.", online.count())
    for part, beat_at in Heartbeat.objects.values_list("part", "beat_at"):
        age = max(0.0, (now - beat_at).total_seconds())
        yield Gauge("heartbeat_age_seconds", "Since a part of the site last said that it lives.", age, {"part": part})
    waiting = WebhookDelivery.objects.filter(due_at__isnull=False, endpoint__disabled_at=None)
    yield Gauge("webhook_backlog", "Webhook deliveries that wait, those to be tried again too.", waiting.count())
    oldest = waiting.filter(due_at__lte=now).order_by("due_at").values_list("due_at", flat=True).first()
    late = (now - oldest).total_seconds() if oldest else 0.0
    yield Gauge("webhook_oldest_due_seconds", "How long the longest due webhook delivery has been due.", late)
    counted = WebhookEndpoint.objects.values_list("disabled_for").annotate(count=Count("pk")).order_by("disabled_for")
    for reason, count in counted:
        yield Gauge("webhook_endpoints", "Webhooks of users.", count, {"disabled_for": reason or "no"})
