"""What must hold of accounts at all times; `manage.py check_integrity` runs it. Each app has such a module.

A check is a generator: it is given the time, reads with a bounded memory whatever the number of rows, and yields
`Damage`. An app's checks are listed in its CHECKS, under the words that say what is being looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Lower
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from accounts.models import ApiToken, Notice, User, WebhookDelivery, WebhookEndpoint
from accounts.services.heartbeat import site_now
from accounts.services.webhooks import kinds

UNSENT_AFTER = timedelta(minutes=10)
"""A delivery that was due so long ago is one that nobody sends."""


class Damage(NamedTuple):
    """Something that must not be: the table, the row's primary key, and what is wrong with it."""

    table: str
    id: Any
    what: str


Check = Callable[[datetime], Iterator[Damage]]


def addresses(now: datetime) -> Iterator[Damage]:
    """The address that one signs in by is the one that allauth sends to, in small letters."""
    table = User._meta.db_table
    for pk in User.objects.exclude(email=Lower("email")).values_list("pk", flat=True).iterator():
        yield Damage(table, pk, "the e-mail address isn't in small letters")
    others = EmailAddress.objects.filter(user=OuterRef("pk"), primary=True).exclude(email=OuterRef("email"))
    for pk in User.objects.filter(Exists(others)).values_list("pk", flat=True).iterator():
        yield Damage(table, pk, "the e-mail address isn't the primary one")


def notices(now: datetime) -> Iterator[Damage]:
    """Every notice can be said, and none was read before it came."""
    table = Notice._meta.db_table
    kinds = Notice.objects.order_by("kind").values_list("kind", flat=True).distinct()
    speechless = [kind for kind in kinds if not _has_words(kind)]
    for pk, kind in Notice.objects.filter(kind__in=speechless).values_list("pk", "kind").iterator():
        yield Damage(table, pk, f"there are no words for its kind {kind!r}")
    for pk in Notice.objects.filter(read_at__lt=F("at")).values_list("pk", flat=True).iterator():
        yield Damage(table, pk, "it was read before it came")


def _has_words(kind: str) -> bool:
    try:
        get_template(Notice(kind=kind).template)
    except (TemplateDoesNotExist, ValueError):
        return False
    return True


def tokens(now: datetime) -> Iterator[Damage]:
    """Every token ends, and may do only what there is."""
    table = ApiToken._meta.db_table
    for pk, expiry, scopes in ApiToken.objects.values_list("token_key", "expiry", "scopes").iterator():
        if expiry is None:
            yield Damage(table, pk, "it never expires")
        if not scopes or not set(scopes) <= set(ApiToken.SCOPES):
            yield Damage(table, pk, f"its scopes are {scopes!r}")


def webhooks(now: datetime) -> Iterator[Damage]:
    """Nothing waits to be sent for long, and every endpoint asks for what there is."""
    late = site_now(now) - UNSENT_AFTER
    waiting = WebhookDelivery.objects.filter(due_at__lte=late, endpoint__disabled_at=None)
    for pk, due_at in waiting.values_list("pk", "due_at").iterator():
        yield Damage(WebhookDelivery._meta.db_table, pk, f"it was to be sent at {due_at:%F %T}, and nobody has")
    known = set(kinds.registered())
    for pk, events in WebhookEndpoint.objects.values_list("pk", "events").iterator():
        if not events or not set(events) <= known:
            yield Damage(WebhookEndpoint._meta.db_table, pk, f"it asks for {events!r}")


CHECKS: dict[str, Check] = {"addresses": addresses, "notices": notices, "tokens": tokens, "webhooks": webhooks}
