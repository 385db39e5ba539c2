"""Screenshots through the API: attach, take back, look at, and what is turned down."""

import io

import pytest
from django.utils import timezone
from PIL import Image

from accounts.tests.factories import api_client
from ratematch.models import Picture
from ratematch.rules.lifecycle import State
from ratematch.services import screening
from ratematch.tests import factories
from ratematch.tests.api import API, make_pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]


def check(picture_id):
    screening.check_picture(picture_id=picture_id, now=timezone.now())


def attached(side, data=None):
    """A checked screenshot's id."""
    picture = side.attach(data or factories.png()).json()["id"]
    check(picture)
    return picture


def test_a_picture_comes_out_as_a_picture_and_nothing_else():
    one, _two = make_pair(State.PLAYING)
    picture = attached(one)
    answer = one.client.get(f"{API}/pictures/{picture}", headers={"accept": "image/*"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(answer.getvalue())).size == (640, 360)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert answer["Content-Disposition"] == f'inline; filename="picture-{picture}.png"'
    assert answer["Cache-Control"] == "private, no-store"
    assert "ETag" not in answer


def test_a_jpeg_stays_one():
    one, _two = make_pair(State.PLAYING)
    answer = one.client.get(f"{API}/pictures/{attached(one, factories.jpeg())}")
    assert (answer["Content-Type"], answer.getvalue()[:2]) == ("image/jpeg", b"\xff\xd8")


def test_a_file_that_is_gone_is_a_404():
    one, _two = make_pair(State.PLAYING)
    picture = attached(one)
    row = Picture.objects.get(pk=picture)
    row.file.storage.delete(row.file.name)
    answer = one.client.get(f"{API}/pictures/{picture}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_picture")


def test_attach_look_and_take_back():
    one, two = make_pair(State.PLAYING)
    picture = one.attach(factories.png()).json()
    assert one.client.get(f"{one.address}/pictures").json() == [picture]
    assert picture["status"] == "new"
    check(picture["id"])
    [ready] = one.client.get(f"{one.address}/pictures").json()
    assert (ready["status"], ready["width"], ready["height"], ready["refusal"]) == ("ready", 640, 360, None)
    assert two.client.get(f"{two.address}/pictures").json() == []
    theirs = two.client.delete(f"{two.address}/pictures/{picture['id']}")
    assert (theirs.status_code, theirs.json()["code"]) == (404, "no_such_picture")
    assert one.client.delete(f"{one.address}/pictures/{picture['id']}").status_code == 204
    assert not Picture.objects.exists()


def test_a_picture_that_a_check_refused_says_why():
    one, _two = make_pair(State.PLAYING)
    attached(one, factories.png()[:200])
    [refused] = one.client.get(f"{one.address}/pictures").json()
    assert (refused["status"], refused["refusal"], refused["width"]) == ("refused", "picture_damaged", None)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "picture_empty"),
        (b"GIF89a" + bytes(40), "picture_not_image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "picture_not_image"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(40), "picture_heic"),
        (factories.png() + bytes(10 * 1024 * 1024), "picture_too_large"),
    ],
)
def test_uploads_that_are_refused_at_the_door(data, code):
    one, _two = make_pair(State.PLAYING)
    answer = one.attach(data)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["errors"][0]["field"] == "picture"
    assert not Picture.objects.exists()


def test_uploads_that_come_at_the_wrong_time():
    one, _two = make_pair(State.ROOM)
    answer = one.attach(factories.png())
    assert (answer.status_code, answer.json()["code"], answer.json()["state"]) == (409, "wrong_state", "room")
    one, _two = make_pair(State.PLAYING)
    for _ in range(3):
        one.attach(factories.png())
    answer = one.attach(factories.png())
    assert (answer.status_code, answer.json()["code"], answer.json()["limit"]) == (409, "too_many_pictures", 3)


def test_uploads_that_are_none():
    one, _two = make_pair(State.PLAYING)
    for form in ({}, {"picture": "a word"}):
        answer = one.client.post(f"{one.address}/pictures", form, format="multipart")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    answer = one.client.post(f"{one.address}/pictures", {"picture": "a word"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


def test_handing_in_that_cant_be():
    one, _two = make_pair(State.EVIDENCE)
    body = {"state": "evidence"}
    nothing = one.client.post(f"{one.address}/submit", body)
    assert (nothing.status_code, nothing.json()["code"]) == (409, "no_pictures")
    long = one.client.post(f"{one.address}/submit", body | {"remark": "x" * 501})
    assert (long.status_code, long.json()["code"]) == (400, "remark_too_long")
    picture = attached(one)
    assert one.submit()["inside"]["claims"][0]["answer"] == "submitted"
    again = one.client.post(f"{one.address}/submit", body)
    assert (again.status_code, again.json()["code"]) == (409, "already_answered")
    back = one.client.delete(f"{one.address}/pictures/{picture}")
    assert (back.status_code, back.json()["code"]) == (409, "already_answered")


def test_nobody_else_attaches_or_looks():
    one, _two = make_pair(State.PLAYING)
    picture = attached(one)
    stranger = api_client(factories.user())
    upload = {"picture": factories.upload(factories.png())}
    for answer in (
        stranger.get(f"{one.address}/pictures"),
        stranger.post(f"{one.address}/pictures", upload, format="multipart"),
        stranger.delete(f"{one.address}/pictures/{picture}"),
        stranger.post(f"{one.address}/submit", {"state": "playing"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_match")
    unseen = stranger.get(f"{API}/pictures/{picture}")
    assert (unseen.status_code, unseen.json()["code"]) == (404, "no_such_picture")
