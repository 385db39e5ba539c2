"""Throwing away what nobody needs any more."""

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from accounts.models import ApiToken, BrowserSession, IdempotentAnswer, KeptForAddress, Presence, WebhookDelivery
from accounts.services import exports, sessions

ANSWERS_KEPT = timedelta(hours=24)
EXPIRED_TOKENS_KEPT = timedelta(days=30)  # their owners should see why a program stopped
PRESENCES_KEPT = timedelta(days=30)
DELIVERIES_KEPT = timedelta(days=30)


def tidy(*, now: datetime) -> dict[str, int]:
    """Delete what is old of answers, presences, tokens, deliveries, sessions and addresses; answers how many rows."""
    old = {
        "answers": IdempotentAnswer.objects.filter(at__lte=now - ANSWERS_KEPT),
        "tokens": ApiToken.objects.filter(expiry__lte=now - EXPIRED_TOKENS_KEPT),
        "presences": Presence.objects.filter(seen_at__lte=now - PRESENCES_KEPT),
        "deliveries": WebhookDelivery.objects.filter(due_at=None, at__lte=now - DELIVERIES_KEPT),
        "sessions": Session.objects.filter(expire_date__lte=now),
        "kept": KeptForAddress.objects.filter(until__lte=now),
        "browsers": BrowserSession.objects.filter(~Exists(Session.objects.filter(session_key=OuterRef("session_key")))),
    }
    gone = {name: rows.delete()[0] for name, rows in old.items()}
    return gone | {"addresses": sessions.forget_old_addresses(now), "exports": exports.forget_old(now)}
