"""The same call again gets the same answer: `Idempotency-Key` on unsafe methods.

A row is written before the call runs, so of two that arrive together one runs and the other hears 409. A call whose
process died leaves its row unanswered; after 20 seconds the next one with the key takes the row over and runs again,
which is harmless, because every command looks at the state first.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.models import IdempotentAnswer
from common.errors import Conflict, Invalid, Refusal

HEADER = "Idempotency-Key"
DEAD_AFTER = timedelta(seconds=20)
KEY = re.compile("[!-~]+")
KEPT_HEADERS = ("Content-Type", "Location")


class KeyReused(Refusal):
    """The key belongs to another call (HTTP 422)."""

    status = 422


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to run the call of one key."""

    pk: int
    at: datetime

    def settle(self, response: HttpResponseBase) -> None:
        """Keep `response` for the next call with the key; a failure of ours is forgotten, so that it can be retried."""
        row = IdempotentAnswer.objects.filter(pk=self.pk, at=self.at, status=None)
        if response.status_code >= 500 or response.streaming:
            row.delete()
            return
        headers = {name: response[name] for name in KEPT_HEADERS if response.has_header(name)}
        body = response.content.decode()  # type: ignore[attr-defined]
        row.update(status=response.status_code, headers=headers, body=body)


def claim(request: Request) -> Claim | HttpResponse | None:
    """What the key of `request` stands for: a claim to run, an answer given before, or None (no key, or only a read).

    Raises:
        Invalid: ``bad_idempotency_key``: it isn't 1 to 255 visible ASCII characters.
        KeyReused: ``idempotency_key_reused``, the key came with another call before.
        Conflict: ``idempotency_in_progress``, that call still runs.
    """
    key = request.headers.get(HEADER)
    if key is None or request.method in SAFE_METHODS or not request.user.is_authenticated:
        return None
    if len(key) > 255 or not KEY.fullmatch(key):
        raise Invalid("bad_idempotency_key")
    now = timezone.now()
    fingerprint = _fingerprint(request)
    row = IdempotentAnswer(user=request.user, key=key, fingerprint=fingerprint, at=now)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return _claim_used(IdempotentAnswer.objects.filter(user=request.user, key=key).first(), fingerprint, now)
    return Claim(row.pk, now)


def _claim_used(row: IdempotentAnswer | None, fingerprint: str, now: datetime) -> Claim | HttpResponse:
    if row is None:  # failed and forgotten between our two statements: for this caller it was still running
        raise Conflict("idempotency_in_progress", retry_after=1)
    if row.fingerprint != fingerprint:
        raise KeyReused("idempotency_key_reused")
    if row.status is not None:
        return HttpResponse(row.body, status=row.status, headers=row.headers | {"Idempotent-Replayed": "true"})
    unanswered = IdempotentAnswer.objects.filter(pk=row.pk, at=row.at, status=None)
    if now - row.at < DEAD_AFTER or not unanswered.update(at=now):
        raise Conflict("idempotency_in_progress", retry_after=1)
    return Claim(row.pk, now)


def _fingerprint(request: Request) -> str:
    """SHA-256 of method, path and body. Of a form with files it takes names and contents: the boundary is random."""
    whole = hashlib.sha256(f"{request.method}\n{request.get_full_path()}\n".encode())
    if (request.content_type or "").startswith("multipart/"):
        form = cast(QueryDict, request.data)
        for name in sorted(form):
            for value in form.getlist(name):
                content = _content_hash(value) if isinstance(value, UploadedFile) else str(value)
                whole.update(f"{name}\0{content}\0".encode())
    else:
        whole.update(request._request.body)
    return whole.hexdigest()


def _content_hash(upload: UploadedFile) -> str:
    content = hashlib.sha256()
    for chunk in upload.chunks():
        content.update(chunk)
    upload.seek(0)
    return content.hexdigest()
