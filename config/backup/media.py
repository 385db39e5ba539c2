"""What the storages hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO

from django.apps import apps
from django.core.files.base import File
from django.core.files.storage import Storage, storages
from django.db.models import FileField

STORAGES = ("default", "private")
PREFIX = "media"
IN_MEMORY = 32 << 20

Kept = tuple[str, str]
"""Which storage, and the file's name in it."""


def held() -> Iterator[Kept]:
    """All files that there are now."""
    for alias in STORAGES:
        for name in _below(storages[alias], ""):
            yield alias, name


def named() -> set[Kept]:
    """All files that rows name. A storage that is none of STORAGES isn't ours to keep."""
    aliases = {id(storages[alias]): alias for alias in STORAGES}
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            alias = aliases.get(id(field.storage)) if isinstance(field, FileField) else None
            if alias:
                rows = model._base_manager.exclude(**{field.name: ""}).values_list(field.name, flat=True)
                found |= {(alias, name) for name in rows.iterator() if name}
    return found


def read(kept: Kept) -> IO[bytes] | None:
    """A file's content as it is now, or None if it has just gone."""
    alias, name = kept
    copy: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed by whoever reads it
    try:
        with storages[alias].open(name) as file:
            for chunk in file.chunks():
                copy.write(chunk)
    except FileNotFoundError:
        copy.close()
        return None
    return copy


def write(kept: Kept, content: IO[bytes]) -> None:
    """Put a file back under its own name."""
    alias, name = kept
    storage = storages[alias]
    if storage.exists(name):
        storage.delete(name)
    storage.save(name, File(content, name))


def delete_all() -> None:
    """Delete every file that there is."""
    for alias, name in list(held()):
        storages[alias].delete(name)


def member(kept: Kept) -> str:
    """What a file is called in a backup."""
    return "/".join((PREFIX, *kept))


def of_member(name: str) -> Kept | None:
    """The file that a member of a backup is, or None. A name that leads out of its storage is none."""
    parts = PurePosixPath(name).parts
    if len(parts) < 3 or parts[0] != PREFIX or parts[1] not in STORAGES or ".." in parts:
        return None
    return parts[1], "/".join(parts[2:])


def _below(storage: Storage, folder: str) -> Iterator[str]:
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:  # nothing has been kept yet
        return
    for name in files:
        yield f"{folder}{name}"
    for name in folders:
        yield from _below(storage, f"{folder}{name}/")
