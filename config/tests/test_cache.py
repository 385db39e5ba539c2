"""Limits of sign-in hold for all processes together, and a Redis that is away locks nobody out."""

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache

from accounts.tests.factories import UserFactory
from common.redis import client as redis_client
from config.run.redis_server import free_port


@pytest.fixture
def _limits(settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/5m/key"}


@pytest.fixture
def _no_redis(settings, monkeypatch):
    monkeypatch.setattr("common.redis._said", {})
    default = settings.CACHES["default"] | {"LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    settings.CACHES = settings.CACHES | {"default": default}


def sign_in(client, user, password):
    return client.post("/accounts/login/", {"login": user.email, "password": password})


@pytest.mark.django_db
@pytest.mark.usefixtures("_limits")
def test_guesses_are_counted_in_redis(client):
    user = UserFactory()
    pages = [sign_in(client, user, f"guess {n}").content.decode() for n in range(3)]
    assert ["Too many tries" in page for page in pages] == [False, False, True]
    assert redis_client().keys("cache:*:allauth:rl:*")
    assert "Too many tries" in sign_in(client, user, "password").content.decode()


def test_what_one_process_stores_the_others_find():
    one, two = (caches.create_connection("default") for _ in range(2))
    assert one.add("lock", True, 10)
    assert not two.add("lock", True, 10)
    one.set("hits", [1.5, 2.5], 10)
    assert two.get("hits") == [1.5, 2.5]
    one.set("count", 1)
    assert (two.incr("count"), one.get("count")) == (2, 2)
    two.delete("lock")
    assert not one.has_key("lock")


@pytest.mark.django_db
@pytest.mark.usefixtures("_limits", "_no_redis")
def test_without_redis_one_signs_in_all_the_same(client, caplog):
    caplog.set_level("WARNING", logger="config.cache")
    user = UserFactory()
    for n in range(3):
        assert "Too many tries" not in sign_in(client, user, f"guess {n}").content.decode()
    assert sign_in(client, user, "password").status_code == 302
    assert client.get("/inbox/").status_code == 200
    assert "the cache isn't there" in caplog.text


@pytest.mark.usefixtures("_no_redis")
def test_without_redis_nothing_is_found_and_nothing_fails():
    cache = caches["default"]
    assert cache.add("a", 1)
    assert cache.set("a", 1) is None
    assert cache.get("a", "default") == "default"
    assert cache.get_many(["a"]) == {}
    assert cache.set_many({"a": 1}) == []
    assert cache.delete_many(["a"]) is None
    assert (cache.touch("a"), cache.delete("a"), cache.has_key("a"), cache.incr("a", 2)) == (False, False, False, 2)


def test_nobody_empties_the_redis_that_all_share():
    redis_client().set("kept", "1")
    with pytest.raises(NotImplementedError):
        caches["default"].clear()
    assert redis_client().get("kept") == "1"


@pytest.mark.django_db
def test_parts_of_pages_are_kept_by_each_process(client):
    assert isinstance(caches["template_fragments"], LocMemCache)
    client.get("/privacy/")
    assert not redis_client().keys("*template*")
    assert django_settings.CACHES["default"]["LOCATION"] == django_settings.REDIS_URL
