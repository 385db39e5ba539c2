"""Event streams over HTTP: who gets one, what is in it, and how it ends."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from django.conf import settings as django_settings
from django.test import Client

from accounts.models import ApiToken, User
from accounts.tests.factories import UserFactory, api_client, expired_client
from common.live import publish, user_channel

pytestmark = pytest.mark.django_db(transaction=True)


def cookies(user: User) -> dict[str, str]:
    """What a browser that has signed in sends."""
    browser = Client()
    browser.force_login(user)
    return {django_settings.SESSION_COOKIE_NAME: browser.cookies[django_settings.SESSION_COOKIE_NAME].value}


def bearer(client: Any) -> dict[str, str]:
    """The header that this client of the API sends."""
    return {"Authorization": client._credentials["HTTP_AUTHORIZATION"]}


class Reader:
    """Reads a stream block by block."""

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.status_code == 200
        self.answer = answer
        self.lines = answer.iter_lines()
        self.opening = self.block()

    def block(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in self.lines:
            if not line:
                return found
            name, _, value = line.partition(": ")
            found[name] = value
        return {"event": "the end"}

    def event(self) -> str:
        """The next event that is no ping; the second ping in a row says that there will be none."""
        block = self.block()
        if block["event"] == "ping":
            block = self.block()
        self.id = block.get("id", "")
        return f"{block['event']} {block.get('data', '')}".strip()


@pytest.fixture
def streams(live_site: str) -> Iterator[Any]:
    with ExitStack() as stack:
        http = stack.enter_context(httpx.Client(base_url=live_site, timeout=30))

        def open_stream(path: str = "/live/", **request: Any) -> Reader:
            return Reader(stack.enter_context(http.stream("GET", path, **request)))

        yield open_stream


def test_a_stranger_gets_no_stream(live_site: str) -> None:
    for forged in ({}, {"Cookie": "sessionid='; --"}, {"Cookie": 'sessionid="a\\000b"'}, {"Cookie": "sessionid=abc"}):
        answer = httpx.get(f"{live_site}/live/", headers=forged)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated"), forged


def test_all_hear_what_is_for_all(streams: Any) -> None:
    me = streams(cookies=cookies(UserFactory()))
    publish([user_channel(UserFactory().pk)], "match", id=1)
    publish(["site"], "ladder")
    assert me.event() == "ladder {}"
    assert me.answer.headers["cache-control"] == "no-store"
    assert me.answer.headers["x-accel-buffering"] == "no"
    assert me.opening["retry"] == "1000"


def test_streams_and_guesses_are_counted(live_site: str, streams: Any, settings: Any) -> None:
    settings.LIVE_RATE = (2, 60)
    me = cookies(UserFactory())
    for _ in range(2):
        streams(cookies=me)
        assert httpx.get(f"{live_site}/api/v1/events", headers={"Authorization": "Bearer x"}).status_code == 401
    for answer in (httpx.get(f"{live_site}/live/", cookies=me), httpx.get(f"{live_site}/live/")):
        assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
        assert 1 <= int(answer.headers["retry-after"]) == answer.json()["retry_after"] <= 60
    streams(cookies=cookies(UserFactory()))  # others aren't held up by that


def test_a_browser_and_a_program_hear_their_user(streams: Any) -> None:
    me, other = UserFactory(), UserFactory()
    readers = [
        streams(cookies=cookies(me)),
        streams("/api/v1/events", headers=bearer(api_client(me, scopes=(ApiToken.READ,)))),
    ]
    publish([user_channel(other.pk)], "match", id=1)
    publish([user_channel(me.pk), user_channel(other.pk)], "match", id=2)
    assert [reader.event() for reader in readers] == ['match {"id": 2}'] * 2


def test_a_session_that_has_ended_is_a_strangers(live_site: str) -> None:
    me = UserFactory()
    old = cookies(me)
    me.set_password("another")
    me.save()
    assert httpx.get(f"{live_site}/live/", cookies=old).status_code == 401


def test_a_reader_who_comes_back_gets_what_it_missed(streams: Any) -> None:
    me = UserFactory()
    first = streams(cookies=cookies(me))
    publish([user_channel(me.pk)], "match", id=1)
    assert first.event() == 'match {"id": 1}'
    publish([user_channel(me.pk)], "match", id=2)
    for again in (
        streams(cookies=cookies(me), headers={"Last-Event-ID": first.id}),
        streams(f"/live/?last_event_id={first.id}", cookies=cookies(me)),
    ):
        assert again.event() == 'match {"id": 2}'
        assert "id" not in again.opening  # it would say that nothing is missing
    publish([user_channel(me.pk)], "match", id=3)
    assert again.event() == 'match {"id": 3}'


def test_a_reader_whose_place_is_lost_looks_again(streams: Any) -> None:
    assert streams(cookies=cookies(UserFactory()), headers={"Last-Event-ID": "5-5"}).event() == "resync {}"


@pytest.mark.parametrize("path", ["/live/", "/api/v1/events"])
def test_only_get_is_answered(live_site: str, path: str) -> None:
    answer = httpx.post(f"{live_site}{path}")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_a_program_without_a_good_token_gets_a_problem(live_site: str) -> None:
    me = UserFactory()
    gone = UserFactory(is_active=False)
    for headers, status, code in [
        ({}, 401, "not_authenticated"),
        ({"Authorization": "Bearer"}, 401, "not_authenticated"),
        ({"Authorization": "Bearer bz_nonsense"}, 401, "not_authenticated"),
        ({"Authorization": b"Bearer \xff\xfe"}, 401, "not_authenticated"),
        ({"Authorization": "Basic YTpi"}, 401, "not_authenticated"),
        (bearer(expired_client(me)), 401, "not_authenticated"),
        (bearer(api_client(gone)), 401, "not_authenticated"),
        (bearer(api_client(me, scopes=(ApiToken.PLAY,))), 403, "scope_missing"),
    ]:
        answer = httpx.get(f"{live_site}/api/v1/events", headers=headers, cookies=cookies(me))
        assert (answer.status_code, answer.json()["code"]) == (status, code), headers
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json().keys() == {"type", "title", "status", "detail", "code", "request_id"}


def test_streams_hold_no_database_connection(streams: Any) -> None:
    me = UserFactory()
    readers = [streams(cookies=cookies(me)) for _ in range(20)]  # more than the pool has
    publish([user_channel(me.pk)], "match", id=1)
    assert {reader.event() for reader in readers} == {'match {"id": 1}'}


def test_a_quiet_stream_pings_and_ends_in_time(streams: Any, settings: Any) -> None:
    settings.LIVE_PING_S, settings.LIVE_MAX_S = 0.05, 0.5
    reader = streams(cookies=cookies(UserFactory()))
    blocks = [reader.block()]
    while blocks[-1]["event"] == "ping":
        blocks.append(reader.block())
    assert len(blocks) > 1
    assert blocks[-1] == {"event": "the end"}
