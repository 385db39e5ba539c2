"""What a player takes along: own moves, words and screenshots; nothing that is others' or that is secret."""

import io
import json
import zipfile

import pytest
from django.utils import timezone

from accounts.services import exports
from ratematch.rules.fairplay import Category
from ratematch.services import contests, penalties
from ratematch.tests import factories
from ratematch.tests.factories import in_review
from ratematch.tests.test_contests import silent_report

pytestmark = pytest.mark.django_db


def exported(user):
    file = io.BytesIO()
    exports.write(user, file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_own_matches_and_own_pictures():
    table = in_review(pictures=(factories.png(colour="#112233"), factories.png(colour="#445566")))
    mine, other = table.row.seats
    files = exported(table.user(0))
    [match] = json.loads(files["ratematch/matches.json"])
    assert (match["id"], match["claim"], match["opponent"]["display_name"]) == (table.id, "win", str(other.player))
    [picture] = [name for name in files if name.startswith("ratematch/pictures/")]
    assert files[picture] == table.row.pictures.get(seat=mine.seat).file.read()
    assert json.loads(files["ratematch/record.json"])["rating"] == 1500
    assert other.player.user.email not in b"".join(files.values()).decode(errors="replace")


def test_penalties_without_what_they_weigh():
    player = factories.player()
    penalties.penalise(player, Category.FALSE_RESULT, now=timezone.now(), reason="Both screens say so.")
    files = exported(player.user)
    [penalty] = json.loads(files["ratematch/penalties.json"])
    assert set(penalty) == {"category", "reason", "at", "withdrawn_at"}
    assert "points" not in b"".join(files.values()).decode()


def test_what_each_wrote_about_a_contest():
    table = silent_report()
    contests.contest(
        match_id=table.id,
        actor=table.user(1),
        text="My line broke.",
        uploads=[factories.upload(factories.png())],
        now=table.now,
    )
    contests.answer(match_id=table.id, actor=table.user(0), text="He left.", uploads=[], now=table.now)
    [own] = json.loads(exported(table.user(1))["ratematch/contests.json"])
    [answered] = json.loads(exported(table.user(0))["ratematch/contests.json"])
    assert (own["text"], answered["answer"]) == ("My line broke.", "He left.")
    assert "answer" not in own
    assert "text" not in answered


def test_who_never_played_has_nothing_of_it():
    assert not [name for name in exported(factories.user()) if name.startswith("ratematch/")]
