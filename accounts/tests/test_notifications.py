"""Notices out of the site: who gets which, mails and how to stop them, browsers by real Web Push."""

import base64
import json
import re
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
import pytest
from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from py_vapid import Vapid02

from accounts import push, tasks
from accounts.models import Notice, NotificationSetting, PushSubscription
from accounts.services import notice_delivery as delivery
from accounts.services import notices, notifications, presence
from accounts.services.notifications import Choice
from accounts.tests.factories import UserFactory, api_client
from accounts.wording import notice_text

pytestmark = pytest.mark.django_db

KIND = "ratematch.match_made"
PAGE = reverse("notification_settings")


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PushService:
    """A push service on this machine: keeps what came, and answers with `status`."""

    def __init__(self):
        self.came, self.status = [], 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                service.came.append((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def service(settings):
    service = PushService()
    settings.PUSH_SERVICES = [service.origin]
    yield service
    service.server.shutdown()
    service.server.server_close()


class Browser:
    """The keys of a browser, with which it reads what is pushed to it."""

    def __init__(self, endpoint):
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.auth = b"0123456789abcdef"
        self.fields = {"endpoint": endpoint, "p256dh": b64(point), "auth": b64(self.auth)}

    def read(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth))


@pytest.fixture
def user():
    user = UserFactory()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def want(user, group="matches", **ways):
    notifications.choose(actor=user, choices=[Choice(group, **ways)])


def tell(user, kind=KIND, **facts):
    notices.notify([user.pk], kind, facts=facts, url="/fair-play/", now=timezone.now())
    return Notice.objects.filter(user=user).latest("pk")


def subscribe(user, browser):
    client = Client(headers={"user-agent": "Firefox/140.0 (Windows)"})
    client.force_login(user)
    assert client.post(reverse("subscribe_push"), browser.fields).status_code == 204
    return client


class TestWho:
    def test_nobody_who_did_not_ask(self, user):
        assert tell(user).deliver_at is None
        assert tasks.deliver_notices() == 0

    def test_by_group(self, user):
        want(user, "moderation", email=True)
        tell(user)
        tell(
            user, "ratematch.ruled", match=1, opponent="x", ending="ruling", result="win", applied=1, before=1, after=2
        )
        assert [notice.deliver_at is None for notice in Notice.objects.order_by("pk")] == [True, False]
        assert notifications.group_of("accounts.export_ready") == "site"

    def test_not_who_is_doing_something_on_a_page(self, user):
        want(user, email=True)
        presence.touch(user.pk, active=True, now=timezone.now())
        tell(user)
        assert tasks.deliver_notices() == 1
        assert mail.outbox == []

    def test_but_who_left_the_page_open_and_went(self, user):
        want(user, email=True)
        now = timezone.now()
        presence.touch(user.pk, active=True, now=now - timedelta(minutes=6))
        presence.touch(user.pk, active=False, now=now)
        tell(user)
        tasks.deliver_notices()
        assert len(mail.outbox) == 1

    def test_not_what_was_read_meanwhile(self, user):
        want(user, email=True)
        notices.mark_read(actor=user, notice_id=tell(user).pk, now=timezone.now())
        tasks.deliver_notices()
        assert mail.outbox == []

    def test_each_once(self, user):
        want(user, email=True)
        tell(user)
        assert [tasks.deliver_notices(), tasks.deliver_notices(), len(mail.outbox)] == [1, 0, 1]


class TestMail:
    def test_it_says_what_and_how_to_get_no_more(self, user, settings):
        settings.SITE_URL = "https://banzuke.example"
        user.language = "ja"
        user.save()
        want(user, email=True)
        notice = tell(user)
        tasks.deliver_notices()
        message = mail.outbox[0]
        assert message.to == [user.email]
        assert f"https://banzuke.example/inbox/{notice.pk}/" in message.body
        stop = message.extra_headers["List-Unsubscribe"].strip("<>")
        assert stop in message.body
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

        path = stop.removeprefix(settings.SITE_URL)
        stranger = Client(enforce_csrf_checks=True)
        assert stranger.get(path).status_code == 200
        assert NotificationSetting.objects.get().email
        assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
        assert not NotificationSetting.objects.get().email

    def test_a_damaged_link_stops_nothing(self, user, client):
        want(user, email=True)
        token = notifications.stop_token(user.pk, "matches")
        assert client.post(reverse("stop_mail", args=[token[:-3] + "abc"])).status_code == 404
        assert NotificationSetting.objects.get().email

    def test_not_to_an_address_that_was_never_confirmed(self, user):
        EmailAddress.objects.update(verified=False)
        want(user, email=True)
        tell(user)
        assert tasks.deliver_notices() == 1
        assert mail.outbox == []

    def test_a_mail_server_that_is_away_is_tried_again_for_an_hour(self, user, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens there
        want(user, email=True)
        notice = tell(user)
        assert delivery.deliver_one_due(notice.at)
        notice.refresh_from_db()
        assert notice.deliver_at == notice.at + delivery.AGAIN_AFTER
        assert not delivery.deliver_one_due(notice.at)
        assert delivery.deliver_one_due(notice.at + delivery.GIVEN_UP_AFTER)
        notice.refresh_from_db()
        assert notice.deliver_at is None


class TestPush:
    def test_a_browser_reads_it(self, user, service):
        browser = Browser(f"{service.origin}/send/abc")
        client = subscribe(user, browser)
        want(user, push=True)
        notice = tell(user)
        tasks.deliver_notices()
        [(headers, body)] = service.came
        message = browser.read(body)
        assert message["title"] == "Banzuke"
        assert message["body"] == notice_text(notice)
        assert (message["tag"], message["url"]) == ("/fair-play/", f"/inbox/{notice.pk}/")
        assert b"fair-play" not in body
        assert (headers["TTL"], headers["Urgency"]) == ("3600", "high")
        assert Vapid02.verify(headers["Authorization"])
        assert f"k={push.public_key()}" in headers["Authorization"]
        assert "Firefox on Windows" in client.get(PAGE).content.decode()

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_has_gone_is_forgotten(self, user, service, status):
        subscribe(user, Browser(f"{service.origin}/a"))
        want(user, push=True)
        tell(user)
        service.status = status
        tasks.deliver_notices()
        assert not PushSubscription.objects.exists()
        assert Notice.objects.get().deliver_at is None

    @pytest.mark.parametrize("status", [429, 503])
    def test_a_service_that_is_busy_is_asked_again(self, user, service, status):
        subscribe(user, Browser(f"{service.origin}/a"))
        want(user, push=True)
        notice = tell(user)
        service.status = status
        tasks.deliver_notices()
        notice.refresh_from_db()
        assert notice.deliver_at > notice.at
        service.status = 201
        delivery.deliver_one_due(notice.deliver_at)
        assert len(service.came) == 2
        notice.refresh_from_db()
        assert notice.deliver_at is None

    @pytest.mark.parametrize(
        "endpoint",
        ["http://127.0.0.1:1/", "https://evil.example/", "https://evil.example\\.push.apple.com/", "file:///etc/passwd",
         "https://fcm.googleapis.com@evil.example/", "https://fcm.googleapis.com.evil.example/", "",
         "https://web.push.apple.com/" + "a" * 2000],
    )  # fmt: skip
    def test_nothing_is_sent_to_anybody_else(self, user, client, endpoint):
        client.force_login(user)
        assert client.post(reverse("subscribe_push"), Browser(endpoint).fields).status_code == 400

    def test_known_services(self):
        for origin in ("https://fcm.googleapis.com", "https://updates.push.services.mozilla.com",
                       "https://web.push.apple.com", "https://wns2-par02p.notify.windows.com"):  # fmt: skip
            assert push.is_known(f"{origin}/fcm/send/abc:DEF-123_x?y=%20")

    def test_keys_that_are_none(self, user, client, service):
        client.force_login(user)
        fields = Browser(f"{service.origin}/a").fields
        for wrong in ({"p256dh": b64(b"\4" + bytes(64))}, {"auth": b64(b"short")}, {"auth": "é"}, {"p256dh": ""}):
            assert client.post(reverse("subscribe_push"), fields | wrong).status_code == 400

    def test_it_ends_with_the_session(self, user, service):
        client = subscribe(user, Browser(f"{service.origin}/a"))
        client.post("/accounts/logout/")
        assert not PushSubscription.objects.exists()

    def test_a_browser_belongs_to_who_is_signed_in_there(self, user, service):
        browser, other = Browser(f"{service.origin}/a"), UserFactory()
        subscribe(user, browser)
        subscribe(other, browser)
        assert PushSubscription.objects.get().user == other

    def test_one_is_removed_by_its_owner_only(self, user, service):
        client = subscribe(user, Browser(f"{service.origin}/a"))
        url = reverse("unsubscribe_push", args=[PushSubscription.objects.get().pk])
        stranger = Client()
        stranger.force_login(UserFactory())
        stranger.post(url)
        assert PushSubscription.objects.exists()
        client.post(url)
        assert not PushSubscription.objects.exists()

    def test_without_a_key_it_is_not_offered(self, user, client, settings):
        settings.VAPID_PRIVATE_KEY = ""
        client.force_login(user)
        assert "data-push" not in client.get(PAGE).content.decode()
        assert client.post(reverse("subscribe_push"), Browser("https://web.push.apple.com/a").fields).status_code == 409


class TestSettings:
    def test_on_the_page(self, user, client):
        client.force_login(user)
        client.post(PAGE, {"matches_email": "on", "site_push": "on"})
        assert notifications.choices_of(user.pk) == [
            Choice("matches", email=True), Choice("moderation"), Choice("site", push=True)
        ]  # fmt: skip
        checked = re.findall(r'name="(\w+)" checked', client.get(PAGE).content.decode())
        assert checked == ["matches_email", "site_push"]

    def test_by_a_program(self, user):
        program = api_client(user)
        changed = program.put("/api/v1/notifications/matches", {"email": True, "push": False})
        assert changed.json() == {"group": "matches", "email": True, "push": False}
        groups = program.get("/api/v1/notifications").json()
        assert [(row["group"], row["email"]) for row in groups] == [
            ("matches", True), ("moderation", False), ("site", False)
        ]  # fmt: skip
        wrong = program.put("/api/v1/notifications/weather", {"email": True, "push": False})
        assert (wrong.status_code, wrong.json()["code"]) == (404, "no_such_group")
        assert program.put("/api/v1/notifications/site", {"email": True}).status_code == 400
        assert api_client(user, scopes=("read",)).put("/api/v1/notifications/site", {}).status_code == 403


@pytest.mark.browser
def test_the_worker_shows_what_is_pushed(visit, live_site):
    user = UserFactory()
    context = visit(user)
    context.grant_permissions(["notifications"], origin=live_site)
    page = context.new_page()
    page.goto(PAGE)
    page.evaluate(
        "navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready).then(() => true)"
    )
    browser = context.new_cdp_session(page)
    registrations = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.ready.then((worker) => Boolean(worker.active))")
    while not registrations:
        page.evaluate("1")
    message = {"title": "Banzuke", "body": "Opponent found", "tag": "/matches/1/", "url": "/inbox/1/", "lang": "en"}
    browser.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": live_site, "registrationId": registrations[0]["registrationId"], "data": json.dumps(message)},
    )
    page.wait_for_function(
        """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => all.some((note) => note.body === "Opponent found" && note.data.url === "/inbox/1/"))"""
    )
