"""Webhooks in one's settings and through the API."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, WebhookDelivery, WebhookEndpoint
from accounts.services import webhooks
from accounts.services.webhooks import delivery, endpoints, outbox
from accounts.tests.factories import UserFactory, api_client
from accounts.tests.receiver import receiving

pytestmark = pytest.mark.django_db

SETTLED = "ratematch.match.settled"
URL = "https://example.org/hook"
API = "/api/v1/webhooks"
SECRET = re.compile(r"whsec_[\w+/=]{44}")


@pytest.fixture
def user():
    return UserFactory()


@pytest.fixture
def page(client, user):
    client.force_login(user)
    return client


@pytest.fixture
def api(user):
    return api_client(user, scopes=(ApiToken.WEBHOOKS,))


def add(user, url=URL) -> WebhookEndpoint:
    return endpoints.add(actor=user, url=url, events=[SETTLED], now=timezone.now())


def test_a_new_ones_secret_is_shown_once(page, user):
    answer = page.post(reverse("webhooks"), {"url": URL, "events": [SETTLED]})
    endpoint = WebhookEndpoint.objects.get(user=user)
    assert SECRET.findall(answer.content.decode()) == [endpoint.secret]
    assert answer["Cache-Control"] == "no-store"
    for address in (reverse("webhooks"), reverse("webhook", args=[endpoint.pk])):
        assert not SECRET.search(page.get(address).content.decode())


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"url": "http://example.org/", "events": [SETTLED]}, "begins with https://"),
        ({"url": "https://10.0.0.1/", "events": [SETTLED]}, "isn&#x27;t on the public network"),
        ({"url": URL}, "Choose at least one."),
    ],
)
def test_what_was_typed_is_kept(page, typed, text):
    answer = page.post(reverse("webhooks"), typed)
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert typed["url"] in answer.content.decode()
    assert not WebhookEndpoint.objects.exists()


def test_it_is_changed_tried_out_switched_and_deleted(page, user):
    endpoint = add(user)
    own = reverse("webhook", args=[endpoint.pk])
    page.post(own, {"url": "https://example.net/", "events": ["ratematch.match.void"]})
    endpoint.refresh_from_db()
    assert (endpoint.url, endpoint.events) == ("https://example.net/", ["ratematch.match.void"])
    assert "A ping is on its way." in page.post(f"{own}ping/", follow=True).content.decode()
    assert "A ping is on its way already." in page.post(f"{own}ping/", follow=True).content.decode()
    answer = page.post(f"{own}secret/").content.decode()
    endpoint.refresh_from_db()
    assert SECRET.findall(answer) == [endpoint.secret]
    page.post(f"{own}switch/", {"active": "0"})
    assert "switched off" in page.get(own).content.decode()
    page.post(f"{own}switch/", {"active": "1"})
    assert page.post(f"{own}delete/", follow=True).status_code == 200
    assert not WebhookEndpoint.objects.exists()


def test_what_was_sent_is_told_and_can_be_sent_again(page, user):
    with receiving() as receiver:
        endpoint = add(user, receiver.url)
        receiver.status = 410
        webhooks.emit(SETTLED, {}, users=[user.pk], now=timezone.now())
        delivery.deliver(outbox.claim_one(timezone.now()))
    own = reverse("webhook", args=[endpoint.pk])
    text = page.get(own).content.decode()
    assert "answer 410" in text
    assert "given up" in text
    assert "it wants nothing any more" in text
    notice = page.get(reverse("inbox")).content.decode()
    assert "has answered that it wants nothing any more" in notice
    page.post(f"{own}switch/", {"active": "1"})
    row = WebhookDelivery.objects.get()
    page.post(f"{own}deliveries/{row.pk}/again/")
    row.refresh_from_db()
    assert row.status == "waiting"


def test_others_webhooks_arent_there(page, client):
    endpoint = add(UserFactory())
    own = reverse("webhook", args=[endpoint.pk])
    assert page.get(own).status_code == 404
    for what in ("", "ping/", "secret/", "switch/", "delete/", "deliveries/1/again/"):
        assert page.post(f"{own}{what}").status_code == 404
    client.logout()
    assert client.get(own).status_code == 302


def test_a_program_does_all_that_a_page_does(api, user):
    made = api.post(API, {"url": URL, "events": [SETTLED]})
    assert made.status_code == 201
    assert SECRET.fullmatch(made.json()["secret"])
    own = f"{API}/{made.json()['id']}"
    assert "secret" not in api.get(own).json()
    assert "secret" not in api.get(API).json()["results"][0]
    changed = api.patch(own, {"active": False}).json()
    assert (changed["active"], changed["disabled_for"], changed["url"]) == (False, "owner", URL)
    assert api.post(f"{own}/ping").json()["code"] == "webhook_disabled"
    assert api.patch(own, {"active": True, "url": "https://example.net/"}).json()["disabled_for"] is None
    ping = api.post(f"{own}/ping")
    assert (ping.status_code, ping.json()["kind"], ping.json()["status"]) == (202, "ping", "waiting")
    assert api.get(f"{own}/deliveries").json()["results"] == [ping.json()]
    again = api.post(f"{own}/deliveries/{ping.json()['id']}/resend")
    assert (again.status_code, again.json()["code"]) == (409, "delivery_on_its_way")
    assert api.post(f"{own}/secret").json()["secret"] != made.json()["secret"]
    assert api.delete(own).status_code == 204
    assert api.get(own).status_code == 404


def test_a_token_needs_the_scope(user):
    add(user)
    for scopes in ((ApiToken.READ, ApiToken.PLAY),):
        assert api_client(user, scopes=scopes).get(API).json()["code"] == "scope_missing"
        assert api_client(user, scopes=scopes).post(API, {}).json()["code"] == "scope_missing"


def test_the_api_says_what_is_wrong(api):
    answer = api.post(API, {"url": "https://192.168.0.1/", "events": [SETTLED]})
    assert (answer.status_code, answer.json()["code"], answer.json()["errors"][0]["field"]) == (
        400,
        "private_webhook_url",
        "url",
    )
    assert api.post(API, {"url": URL, "events": ["ping"]}).json()["code"] == "bad_webhook_events"
    assert api.post(API, {"url": URL}).json()["code"] == "invalid_input"


def test_more_deliveries_make_no_more_queries(page, user):
    own = reverse("webhook", args=[add(user).pk])
    page.get(own)  # makes the session's CSRF secret
    asked = []
    for _round in range(3):
        webhooks.emit(SETTLED, {}, users=[user.pk], now=timezone.now())
        with CaptureQueriesContext(connection) as queries:
            page.get(own)
        asked.append(len(queries))
    assert asked[0] == asked[2]
