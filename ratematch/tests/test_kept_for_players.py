"""Notify me, evidence from the phone, and what is kept for how long (rules §9)."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.services import blocks
from accounts.tests.factories import api_client
from common.errors import Forbidden, Missing
from ratematch.models import Match, Picture, Ruling, Watch
from ratematch.rules.lifecycle import State
from ratematch.services import evidence, queue, retention, rulings, upload_links, watches
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table, in_review

pytestmark = pytest.mark.django_db


def told():
    return set(Notice.objects.filter(kind="ratematch.somebody_waits").values_list("user__display_name", flat=True))


def test_watchers_within_100_points_are_told_once():
    for name, rating in (("near", 1600), ("edge", 1400), ("far", 1601)):
        watches.watch(actor=factories.player(name, rating).user, now=NOW)
    player = factories.player(rating=1500)
    queue.join_queue(actor=player.user, condition="near", now=NOW)
    assert told() == {"near", "edge"}
    queue.leave_queue(actor=player.user, now=NOW)
    queue.join_queue(actor=player.user, condition="near", now=NOW)
    assert Notice.objects.filter(kind="ratematch.somebody_waits").count() == 2
    assert Watch.objects.count() == 1


def test_watchers_who_are_busy_blocked_barred_or_late_are_not_told():
    player = factories.player()
    busy, apart, barred, late = (factories.player(name) for name in ("busy", "apart", "barred", "late"))
    Table(busy, factories.player())
    watches.watch(actor=late.user, now=NOW - timedelta(hours=12))
    for each in (player, busy, apart, barred):
        watches.watch(actor=each.user, now=NOW)
    blocks.block(actor=apart.user, user_id=player.user_id)
    barred.level = "D"
    barred.save()
    queue.join_queue(actor=player.user, condition="any", now=NOW)
    assert told() == set()


def test_nobody_is_told_of_one_who_is_paired_at_once():
    queue.join_queue(actor=factories.user(), condition="any", now=NOW)
    watches.watch(actor=factories.user("watcher"), now=NOW)
    queue.join_queue(actor=factories.user(), condition="any", now=NOW)
    assert told() == set()


def test_level_d_cant_watch():
    with pytest.raises(Forbidden):
        watches.watch(actor=factories.player(level="D").user, now=NOW)


def test_watch_by_page_and_api(client):
    player = factories.player()
    client.force_login(player.user)
    client.post(reverse("ratematch:watch"))
    assert "You are told once" in client.get(reverse("ratematch:lobby")).content.decode()
    client.post(reverse("ratematch:watch"), {"stop": "1"})
    assert Watch.objects.count() == 0
    program = api_client(player.user)
    assert program.put(f"{API}/queue/watch").status_code == 200
    assert program.delete(f"{API}/queue/watch").status_code == 204
    assert Watch.objects.count() == 0


def phone_link(client, table):
    client.force_login(table.user(0))
    page = client.get(reverse("ratematch:phone", args=[table.id])).content.decode()
    return re.search(r'href="http://testserver(/matches/upload/[^"]+)"', page)[1]


def test_phone_attaches_to_this_match_without_signing_in(client):
    table = Table(now=timezone.now()).to(State.PLAYING)
    link = phone_link(client, table)
    client.logout()
    assert "takes screenshots" not in client.get(link).content.decode()
    assert client.post(link, {"picture": factories.upload(factories.png())}).status_code == 302
    assert list(Picture.objects.values_list("match", "seat")) == [(table.id, 0)]
    refused = client.post(link, {"picture": factories.upload(b"nonsense")})
    assert (refused.status_code, Picture.objects.count()) == (400, 1)
    assert client.post(reverse("ratematch:move", args=[table.id])).url.startswith("/account")


def test_phone_link_is_over_after_five_minutes_and_cant_be_made_up(client, monkeypatch):
    table = Table(now=timezone.now()).to(State.PLAYING)
    link = phone_link(client, table)
    real = signing.time.time
    monkeypatch.setattr(signing.time, "time", lambda: real() + 301)
    assert client.get(link).status_code == 404
    monkeypatch.undo()
    token = link.split("/")[-2]
    assert client.get(link.replace(token, token[:-1] + ("a" if token[-1] != "a" else "b"))).status_code == 404
    with pytest.raises(Missing):
        upload_links.read_token(signing.dumps([table.id, table.user(0).pk], salt="another"))


def test_phone_code_is_for_the_two_while_pictures_can_be_attached(client):
    table = Table(now=timezone.now())
    client.force_login(table.user(0))
    address = reverse("ratematch:phone", args=[table.id])
    assert client.get(address).url == table.row.get_absolute_url()
    table.to(State.PLAYING)
    assert client.get(address).status_code == 200
    client.force_login(factories.user())
    assert client.get(address).status_code == 404


def test_pictures_go_90_days_after_the_last_word_and_can_still_be_told():
    table = in_review()
    ruling = rulings.rule(
        match_id=table.id, moderator=factories.moderator(), outcome="draw", reason="x", seen_ruling=None, now=table.now
    )
    ended = table.row.ended_at
    Match.objects.filter(pk=table.id).update(ended_at=ended - timedelta(days=30))
    assert retention.drop_old_pictures(ruling.at + timedelta(days=90) - timedelta(seconds=1)) == 0
    paths = [str(picture.file.name) for picture in Picture.objects.all()]
    assert retention.drop_old_pictures(ruling.at + timedelta(days=90)) == 2
    assert not any(evidence.private_storage().exists(path) for path in paths)
    assert set(Picture.objects.values_list("status", "file")) == {("gone", "")}
    assert all(picture.sha256 and picture.likeness for picture in Picture.objects.all())
    with pytest.raises(Missing):
        evidence.picture_for(picture_id=Picture.objects.first().pk, viewer=table.user(0))


def test_a_picture_that_cant_be_deleted_is_tried_again_and_keeps_no_other():
    """A directory in a file's place is what the storage can't delete."""
    table = in_review()
    rulings.rule(
        match_id=table.id, moderator=factories.moderator(), outcome="draw", reason="x", seen_ruling=None, now=table.now
    )
    late = table.now + timedelta(days=91)
    stuck = Path(Picture.objects.first().file.path)
    stuck.unlink()
    (stuck / "x").mkdir(parents=True)
    assert retention.drop_old_pictures(late) == 1
    assert Picture.objects.first().status == "ready"
    (stuck / "x").rmdir()
    assert retention.drop_old_pictures(late) == 1
    assert not stuck.exists()


def test_pictures_of_a_case_that_waits_are_kept():
    table = in_review()
    assert retention.drop_old_pictures(table.now + timedelta(days=900)) == 0
    assert Ruling.objects.count() == 0
