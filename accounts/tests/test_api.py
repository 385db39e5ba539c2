"""The accounts part of the API."""

import pytest
from django.utils import timezone

from accounts.models import Block, Notice, Presence, User
from accounts.services import notices, presence
from accounts.tests.factories import UserFactory, api_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return UserFactory(display_name="Aoi", language="en")


@pytest.fixture
def client(user):
    return api_client(user)


@pytest.fixture
def _notices_have_words(settings, tmp_path):
    """A kind of notice that only tests know."""
    words = tmp_path / "tests" / "notices" / "greeting.html"
    words.parent.mkdir(parents=True)
    words.write_text("{% load i18n %}<p>{% translate 'Save' %}: <strong>{{ facts.name }}</strong></p>\n")
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}]


def test_me(client, user):
    me = client.get("/api/v1/me").json()
    assert me.pop("joined").endswith("Z")
    assert me == {
        "id": user.pk,
        "display_name": "Aoi",
        "email": user.email,
        "language": "en",
        "time_zone": "",
        "theme": "",
        "sound": True,
        "unread_notices": 0,
    }


def test_settings_that_are_not_named_stay(client, user):
    answer = client.patch("/api/v1/me", {"time_zone": "Asia/Tokyo", "sound": False, "email": "new@example.org"})
    assert answer.status_code == 200
    changed = User.objects.get(pk=user.pk)
    assert (changed.display_name, changed.time_zone, changed.sound) == ("Aoi", "Asia/Tokyo", False)
    assert changed.email == user.email


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("display_name", " x ", "bad_name"),
        ("display_name", "KENJI", "name_taken"),
        ("time_zone", "Mars/Olympus", "bad_time_zone"),
        ("language", "tlh", "invalid_choice"),
        ("sound", "loud", "invalid"),
    ],
)
def test_settings_that_cant_be(client, field, value, code):
    UserFactory(display_name="Kenji")
    answer = client.patch("/api/v1/me", {field: value})
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [(field, code)]


def test_others_see_little_of_a_user(user):
    presence.touch(user.pk, active=True, now=timezone.now())
    shown = api_client().get(f"/api/v1/users/{user.pk}").json()
    assert shown.pop("joined")
    assert shown == {"id": user.pk, "display_name": "Aoi", "presence": "online"}
    gone = UserFactory(is_active=False)
    assert api_client().get(f"/api/v1/users/{gone.pk}").status_code == 404


@pytest.mark.usefixtures("_notices_have_words")
def test_notices_are_told_in_the_readers_language(client, user):
    notices.notify([user.pk], "tests.greeting", facts={"name": "<Aoi>"}, url="/x/", now=timezone.now())
    [notice] = client.get("/api/v1/notices").json()["results"]
    assert notice["text"] == "Save: <Aoi>"
    assert (notice["kind"], notice["url"], notice["read_at"]) == ("tests.greeting", "/x/", None)
    assert notice["facts"] == {"name": "<Aoi>"}


@pytest.mark.usefixtures("_notices_have_words")
def test_notices_are_read(client, user):
    for number in range(3):
        notices.notify([user.pk], "tests.greeting", facts={"name": number}, url="", now=timezone.now())
    newest = client.get("/api/v1/notices", {"unread": "true"}).json()["results"][0]
    assert newest["facts"] == {"name": 2}
    assert client.post(f"/api/v1/notices/{newest['id']}/read").json()["read_at"]
    assert len(client.get("/api/v1/notices", {"unread": "true"}).json()["results"]) == 2
    assert len(client.get("/api/v1/notices", {"unread": "false"}).json()["results"]) == 1
    assert client.get("/api/v1/me").json()["unread_notices"] == 2
    assert client.post("/api/v1/notices/read-all").status_code == 204
    assert not Notice.objects.filter(read_at=None).exists()
    assert client.post("/api/v1/notices/0/read").json()["code"] == "no_such_notice"


@pytest.mark.usefixtures("_notices_have_words")
def test_lists_come_in_pages(client, user, django_assert_max_num_queries):
    for number in range(5):
        notices.notify([user.pk], "tests.greeting", facts={"name": number}, url="", now=timezone.now())
    seen, address = [], "/api/v1/notices?limit=2"
    while address:
        with django_assert_max_num_queries(2):  # the token and the notices, however many
            page = client.get(address).json()
        seen += [notice["facts"]["name"] for notice in page["results"]]
        address = page["next"]
    assert seen == [4, 3, 2, 1, 0]
    assert client.get("/api/v1/notices?cursor=rubbish").json()["code"] == "not_found"


def test_presence(client, user):
    assert client.post("/api/v1/presence", {"active": False}).status_code == 204
    assert Presence.objects.get().user == user
    assert client.post("/api/v1/presence", {"active": "perhaps"}).status_code == 400


def test_blocks(client, user):
    other = UserFactory(display_name="Kenji")
    made = client.post("/api/v1/blocks", {"user": other.pk})
    assert made.status_code == 201
    assert client.get("/api/v1/blocks").json()["results"] == [made.json()]
    assert made.json()["display_name"] == "Kenji"
    assert client.delete(f"/api/v1/blocks/{other.pk}").status_code == 204
    assert not Block.objects.exists()


@pytest.mark.parametrize(("whom", "status", "code"), [("oneself", 400, "cant_block_oneself"), (0, 400, "min_value")])
def test_blocks_that_cant_be(client, user, whom, status, code):
    answer = client.post("/api/v1/blocks", {"user": user.pk if whom == "oneself" else whom})
    assert answer.status_code == status
    assert answer.json()["errors"][0]["code"] == code
    assert answer.json()["errors"][0]["field"] == "user"


def test_the_event_stream_is_elsewhere(client):
    assert client.get("/api/v1/events").json()["code"] == "stream_elsewhere"
