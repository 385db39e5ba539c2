"""The file of a backup: a tar whose last member is the manifest."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

MANIFEST = "manifest.json"
CHUNK = 1 << 20


class BadArchive(Exception):
    """The file is no whole backup; its words say why."""


class Writer:
    """Adds members and remembers their checksums."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.members: dict[str, dict[str, Any]] = {}

    def add(self, name: str, file: IO[bytes]) -> None:
        """One member. `file` can be sought in, and is read from its start."""
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        digest = hashlib.sha256()
        while chunk := file.read(CHUNK):
            digest.update(chunk)
        file.seek(0)
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        self._tar.addfile(entry, file)
        self.members[name] = {"size": size, "sha256": digest.hexdigest()}

    def finish(self, facts: dict[str, Any]) -> None:
        """The manifest: `facts`, and every member with its checksum."""
        text = json.dumps(facts | {"members": self.members}, ensure_ascii=False, indent=1).encode()
        entry = tarfile.TarInfo(MANIFEST)
        entry.size, entry.mode = len(text), 0o600
        self._tar.addfile(entry, io.BytesIO(text))


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """A new archive, for nobody else to read; there as a whole or not at all. Raises FileExistsError, OSError."""
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    unfinished = path.with_name(path.name + ".unfinished")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
                yield Writer(tar)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)


class Reader:
    """A backup whose members have all been checked."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        """Raises BadArchive: a member is missing, there is one too many, or one isn't what it was."""
        self._tar = tar
        self._entries = {entry.name: entry for entry in tar.getmembers() if entry.isfile()}
        manifest = self._entries.pop(MANIFEST, None)
        if manifest is None:
            raise BadArchive("it has no manifest, so it isn't whole")
        try:
            self.facts: dict[str, Any] = json.loads(self._tar.extractfile(manifest).read())  # type: ignore[union-attr]
            self.members: dict[str, dict[str, Any]] = self.facts["members"]
        except (ValueError, KeyError) as error:
            raise BadArchive("its manifest can't be read") from error
        if set(self._entries) != set(self.members):
            raise BadArchive("its members aren't those of its manifest")
        for name, known in self.members.items():
            with self.open(name) as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != known["sha256"]:  # type: ignore[arg-type]
                    raise BadArchive(f"{name} isn't what it was: its checksum differs")

    def open(self, name: str) -> IO[bytes]:
        """A member's content."""
        file = self._tar.extractfile(self._entries[name])
        assert file is not None
        return file


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """Open and check a backup. Raises BadArchive."""
    try:
        with tarfile.open(path, "r:") as tar:
            yield Reader(tar)
    except tarfile.TarError as error:
        raise BadArchive(str(error)) from error
