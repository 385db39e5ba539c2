"""A user's own data as a file: asked for, built by a task from what each app offers, fetched by its owner only."""

from __future__ import annotations

import json
import logging
import tempfile
import uuid
import zipfile
from datetime import datetime, timedelta
from typing import IO

from celery import current_app
from django.core.files import File
from django.core.files.storage import storages
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.urls import reverse

from accounts import hooks
from accounts.models import DataExport, User
from accounts.services import notices
from common.errors import Conflict, Missing

log = logging.getLogger(__name__)

AT_MOST_EVERY = timedelta(days=1)
KEPT = timedelta(days=7)


def ask(*, actor: User, now: datetime) -> DataExport:
    """Have the data of `actor` put together; a notice tells when it is ready.

    Raises:
        Conflict: ``export_too_soon``, with `available_at`.
    """
    with transaction.atomic(durable=True):
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # so that two at once can't both be the first
        latest = DataExport.objects.filter(user=actor).order_by("-asked_at").first()
        if latest and latest.asked_at + AT_MOST_EVERY > now:
            raise Conflict("export_too_soon", available_at=latest.asked_at + AT_MOST_EVERY)
        export = DataExport.objects.create(user=actor, asked_at=now)
        transaction.on_commit(lambda: current_app.send_task("accounts.sweep", retry=False), robust=True)
    return export


def build_waiting(now: datetime) -> int:
    """Build what was asked for; answers how many. One that fails is tried again with the next sweep."""
    count = 0
    for export in DataExport.objects.filter(ready_at=None).select_related("user").order_by("asked_at"):
        try:
            count += _build(export, now)
        except Exception:
            log.exception("export %s can't be built", export.pk)
    return count


def _build(export: DataExport, now: datetime) -> bool:
    private = storages["private"]
    with tempfile.TemporaryFile() as file:
        write(export.user, file)
        size = file.tell()
        file.seek(0)
        name = private.save(f"exports/{uuid.uuid4().hex}.zip", File(file))
    with transaction.atomic(durable=True):
        fresh = DataExport.objects.filter(pk=export.pk, ready_at=None)
        mine = bool(fresh.update(ready_at=now, file=name, size=size))
        if mine:
            notices.notify([export.user_id], "accounts.export_ready", facts={}, url=reverse("your_data"), now=now)
    if not mine:  # another worker was faster, or the account is gone
        private.delete(name)
    return mine


def write(user: User, file: IO[bytes]) -> None:
    """Write what every app offers of `user` as a ZIP archive."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for module in hooks.modules("export").values():
            for part in module.export(user):
                if part.open is None:
                    text = json.dumps(part.data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
                    archive.writestr(part.name, text)
                else:
                    with part.open() as source, archive.open(part.name, "w") as target:
                        while chunk := source.read(65536):
                            target.write(chunk)


def open_export(*, export_id: int, actor: User, now: datetime) -> File[bytes]:
    """The file of an export of `actor`.

    Raises:
        Missing: ``no_such_export``: somebody else's, not ready yet, or not kept any more.
    """
    export = DataExport.objects.filter(pk=export_id, user=actor, ready_at__gt=now - KEPT).exclude(file="").first()
    if export is None:
        raise Missing("no_such_export")
    try:
        return storages["private"].open(export.file, "rb")
    except FileNotFoundError:
        raise Missing("no_such_export") from None


def of(user: User, now: datetime) -> list[DataExport]:
    """The exports that `user` waits for or can still fetch, the latest first."""
    rows = DataExport.objects.filter(user=user).order_by("-asked_at")
    return [row for row in rows if row.ready_at is None or (row.file and row.ready_at > now - KEPT)]


def forget_old(now: datetime) -> int:
    """Delete the files that were kept long enough; answers how many. The rows tell when the last one was asked for."""
    old = DataExport.objects.filter(ready_at__lte=now - KEPT).exclude(file="")
    return delete_files(list(old))


def delete_files(exports: list[DataExport]) -> int:
    """Delete the files of `exports`, and that there is a file from their rows; answers how many."""
    for export in exports:
        storages["private"].delete(export.file)
    DataExport.objects.filter(pk__in=[export.pk for export in exports]).update(file="")
    return len(exports)
