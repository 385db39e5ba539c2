"""Screenshots: their rows, and their files (rules §3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from accounts.integrity import Damage
from accounts.services.heartbeat import site_now
from ratematch.models import Picture, Side, private_storage
from ratematch.rules.lifecycle import Answer, State

TABLE = Picture._meta.db_table

UNCHECKED_FOR = timedelta(minutes=5)
"""A screenshot that waits so long for its check is one that nobody checks."""


def pictures(now: datetime) -> Iterator[Damage]:
    """A checked screenshot has a file and its measures, a refused one a reason; none waits for ever."""
    unmeasured = Q(sha256="") | Q(likeness="") | Q(width=None) | Q(height=None) | Q(file="")
    for pk in Picture.objects.filter(unmeasured, status=Picture.READY).values_list("pk", flat=True).iterator():
        yield Damage(TABLE, pk, "it was checked, but file or measures are missing")
    for pk in (
        Picture.objects.filter(Q(status=Picture.REFUSED) ^ ~Q(refusal="")).values_list("pk", flat=True).iterator()
    ):
        yield Damage(TABLE, pk, "a refusal and its reason don't go together")
    waiting = Picture.objects.filter(status=Picture.NEW, received_at__lte=site_now(now) - UNCHECKED_FOR)
    for pk, received_at in waiting.values_list("pk", "received_at").iterator():
        yield Damage(TABLE, pk, f"it has waited for its check since {received_at:%F %T}")
    shown = Picture.objects.evidence().filter(match=OuterRef("match"), seat=OuterRef("seat"), status=Picture.READY)
    bare = Side.objects.filter(~Exists(shown), match__state__in=[State.EVIDENCE, State.REVIEW], answer=Answer.SUBMITTED)
    for side in bare.iterator():
        yield Damage(Side._meta.db_table, side.pk, f"it has handed in nothing that match {side.match_id} could show")


def files(now: datetime) -> Iterator[Damage]:
    """Every file that a row names is in the storage."""
    storage = private_storage()
    for pk, name in Picture.objects.exclude(file="").values_list("pk", "file").iterator():
        if not storage.exists(name):
            yield Damage(TABLE, pk, f"its file {name} isn't there")
