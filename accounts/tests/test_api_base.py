"""What every call has: who may, how often, in which language, and how a no looks."""

import secrets
from base64 import b64encode
from datetime import UTC, datetime

import pytest
from django.urls import path
from django.utils import translation
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.api.throttle import client_address
from accounts.tests.factories import UserFactory, api_client, expired_client
from common import problems
from common.errors import Conflict

pytestmark = pytest.mark.django_db
TYPE = "application/problem+json"


class Closed(ApiView):
    """Names no scope."""

    def get(self, request):
        return Response({})


class Open(ApiView):
    """Reads for everybody, writes for `play`."""

    public = True
    write_scope = "play"

    def get(self, request):
        return Response({"language": translation.get_language()})

    def post(self, request):
        raise Conflict("opens_later", available_at=datetime(2026, 3, 1, 12, 0, 0, 250_000, UTC), state="room")

    def put(self, request):
        raise RuntimeError("nobody expected this")


urlpatterns = [path("closed", Closed.as_view()), path("open", Open.as_view())]


@pytest.fixture
def _two_views(settings):
    settings.ROOT_URLCONF = __name__


two_views = pytest.mark.usefixtures("_two_views")


def code_of(answer):
    assert answer["Content-Type"] == TYPE
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"] == f"urn:banzuke:error:{body['code']}"
    assert body["detail"]
    assert body["title"]
    return answer.status_code, body["code"]


@two_views
def test_a_view_that_names_no_scope_is_closed():
    assert code_of(api_client().get("/closed")) == (401, "not_authenticated")
    assert code_of(api_client(UserFactory()).get("/closed")) == (403, "permission_denied")


@two_views
def test_public_reads_are_not_public_writes():
    assert api_client().get("/open").status_code == 200
    assert code_of(api_client().post("/open")) == (401, "not_authenticated")


@two_views
def test_a_scope_that_is_missing_is_named():
    answer = api_client(UserFactory(), scopes=("read",)).post("/open")
    assert code_of(answer) == (403, "scope_missing")
    assert answer.json()["scope"] == "play"


@two_views
def test_the_facts_of_a_refusal_are_members_and_words(monkeypatch):
    monkeypatch.setitem(problems._texts, "opens_later", "Opens at %(available_at)s.")
    translation.activate("en")
    answer = api_client(UserFactory(time_zone="Asia/Tokyo")).post("/open")
    assert code_of(answer) == (409, "opens_later")
    assert answer.json()["available_at"] == "2026-03-01T12:00:00.250000Z"
    assert answer.json()["state"] == "room"
    assert "21:00" in answer.json()["detail"]  # in Tokyo


@two_views
def test_what_nobody_expected_is_a_problem_without_its_details(caplog):
    client = api_client(UserFactory())
    client.raise_request_exception = False
    answer = client.put("/open")
    assert code_of(answer) == (500, "server_error")
    assert b"nobody expected" not in answer.content
    assert "nobody expected this" in caplog.text


@two_views
def test_answers_are_in_the_language_of_the_tokens_user():
    client = api_client(UserFactory(language="ja"))
    answer = client.get("/open", headers={"accept-language": "zh-hans"})
    assert (answer.json()["language"], answer["Content-Language"]) == ("ja", "ja")


@two_views
@pytest.mark.parametrize("method", ["delete", "patch"])
def test_a_method_that_is_not_there(method):
    assert code_of(getattr(api_client(UserFactory()), method)("/open")) == (405, "method_not_allowed")


@two_views
def test_a_method_that_is_no_method_reaches_no_attribute():
    assert api_client(UserFactory()).generic("DISPATCH", "/open").status_code == 405


@pytest.mark.parametrize("header", ["Bearer", "Bearer bz_wrong", "Bearer a b", "Bearer ü"])
def test_wrong_tokens(header):
    answer = api_client().get("/api/v1/me", headers={"authorization": header.encode().decode("latin-1")})
    assert code_of(answer) == (401, "authentication_failed")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_expired_and_revoked_tokens_and_closed_accounts():
    user = UserFactory()
    assert code_of(expired_client(user).get("/api/v1/me")) == (401, "token_expired")
    client = api_client(user)
    assert client.get("/api/v1/me").status_code == 200
    user.is_active = False
    user.save()
    assert code_of(client.get("/api/v1/me")) == (401, "authentication_failed")
    user.auth_token_set.all().delete()
    assert code_of(client.get("/api/v1/me")) == (401, "authentication_failed")


@pytest.mark.parametrize("address", ["nothing", "v2/me", "me/", "users/x"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_addresses_are_problems_too(address, method):
    assert code_of(getattr(api_client(), method)(f"/api/v1/{address}")) == (404, "not_found")


CURSORS = ["p=abc", "p=1.5", "p=1e5", "p=%00", "p=", f"p={2**63}", f"p={'9' * 5000}", f"o={10**26}", "o=-1", "r=x"]


@pytest.mark.parametrize("address", ["notices", "ratematch/ladder"])
@pytest.mark.parametrize("cursor", CURSORS)
def test_a_cursor_that_somebody_made_up_leads_nowhere(address, cursor):
    answer = api_client(UserFactory()).get(f"/api/v1/{address}", {"cursor": b64encode(cursor.encode()).decode()})
    assert code_of(answer) == (404, "not_found")


@pytest.mark.parametrize("address", ["me", "blocks", "ratematch/ladder", "schema/", "docs/"])
def test_no_call_asks_what_calls_there_are(address):
    for client in (api_client(), api_client(UserFactory(), scopes=("read",))):
        assert client.options(f"/api/v1/{address}").status_code == 405


def test_bodies_that_cant_be_read(settings):
    client = api_client(UserFactory())
    broken = client.patch("/api/v1/me", "{", content_type="application/json")
    assert code_of(broken) == (400, "parse_error")
    assert code_of(client.patch("/api/v1/me", "a=1", content_type="text/plain")) == (415, "unsupported_media_type")
    deep = client.patch("/api/v1/me", "[" * 100_000, content_type="application/json")
    assert code_of(deep) == (400, "parse_error")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert code_of(client.patch("/api/v1/me", {"display_name": "x" * 20})) == (413, "too_large")


def test_calls_are_counted_and_told(settings):
    settings.API_RATE = {"user": (2, 60), "anon": (1, 60)}
    client = api_client(UserFactory(pk=secrets.randbelow(10**12)))  # nobody was counted under this id before
    told = [client.get("/api/v1/me"), client.post("/api/v1/me"), client.get("/api/v1/me")]
    assert [answer.status_code for answer in told] == [200, 405, 429]
    assert [answer["RateLimit-Remaining"] for answer in told] == ["1", "0", "0"]
    assert {answer["RateLimit-Limit"] for answer in told} == {"2"}
    assert code_of(told[2]) == (429, "throttled")
    assert 1 <= int(told[2]["Retry-After"]) <= 60
    assert told[2]["Retry-After"] == told[2]["RateLimit-Reset"]


def test_guessing_tokens_is_counted_by_address(settings):
    settings.API_RATE = {"user": (100, 60), "anon": (2, 60)}
    client = api_client()
    address = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"
    client.credentials(HTTP_AUTHORIZATION="Bearer bz_guess", REMOTE_ADDR=address)
    assert [client.get("/api/v1/me").status_code for _ in range(3)] == [401, 401, 429]


@pytest.mark.parametrize(
    ("behind_proxy", "remote", "forwarded", "address"),
    [
        (False, "198.51.100.1", "203.0.113.9", "198.51.100.1"),
        (True, "127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (True, "198.51.100.1", None, "198.51.100.1"),
        (False, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::/64"),
        (False, "", None, "unknown"),
        (True, "127.0.0.1", "rubbish", "unknown"),
    ],
)
def test_whose_address_counts(rf, settings, behind_proxy, remote, forwarded, address):
    settings.BEHIND_PROXY = behind_proxy
    request = rf.get("/", REMOTE_ADDR=remote)
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded
    assert client_address(request) == address


def test_an_answer_that_one_has_is_not_sent_again():
    client = api_client(UserFactory(language="en"))
    first = client.get("/api/v1/me")
    again = client.get("/api/v1/me", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "RateLimit-Limit" in again
    client.patch("/api/v1/me", {"display_name": "Somebody"})
    assert client.get("/api/v1/me", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_every_own_code_has_words_in_itself():
    assert problems.OWN_TEXTS.keys() <= problems.registered()


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1.5", "", "null", "²"])
def test_a_limit_that_is_none_is_refused(limit):
    answer = api_client(UserFactory()).get("/api/v1/notices", {"limit": limit})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "limit")


def test_a_filter_that_is_none_is_refused():
    client = api_client(UserFactory())
    assert client.get("/api/v1/notices?unread=perhaps").json()["errors"][0]["field"] == "unread"
    assert client.get("/api/v1/ratematch/matches?state=").json()["errors"][0]["field"] == "state"


def test_a_method_that_there_isnt_uses_no_key():
    client = api_client(UserFactory())
    for _time in range(2):
        answer = client.generic("TRACE", "/api/v1/presence", headers={"idempotency-key": "once"})
        assert answer.status_code == 405
    assert client.post("/api/v1/presence", {}, headers={"idempotency-key": "once"}).status_code == 204
    assert client.post("/api/v1/presence", {}, headers={"idempotency-key": "two words"}).status_code == 400
