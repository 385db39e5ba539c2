"""Account pages as a visitor meets them."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.forms import SignupForm
from accounts.models import ApiToken, Block, Notice, Presence, User
from accounts.services import notices, profile
from accounts.tests.factories import UserFactory
from common.errors import Invalid

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"
NEW = {"email": "New@Example.org", "display_name": "松間 2", "password1": PASSWORD, "time_zone": "Asia/Tokyo"}


@pytest.fixture
def user() -> User:
    return UserFactory(display_name="Linden")


@pytest.fixture
def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def errors(html: str) -> list[str]:
    return re.findall(r'class="err">.*?<span>(.*?)</span>', html)


class TestSignup:
    def test_makes_the_user_and_signs_in(self, client):
        answer = client.post("/accounts/signup/", NEW, headers={"accept-language": "ja"})
        assert (answer.status_code, answer["Location"]) == (302, "/")
        user = User.objects.get()
        assert (user.email, user.display_name) == ("new@example.org", "松間 2")
        assert (user.language, user.time_zone) == ("ja", "Asia/Tokyo")
        assert client.get("/inbox/").status_code == 200
        assert [message.to for message in mail.outbox] == [["new@example.org"]]

    def test_a_wrong_guess_of_the_time_zone_is_no_obstacle(self, client):
        client.post("/accounts/signup/", NEW | {"time_zone": "Mars/Olympus"})
        assert User.objects.get().time_zone == ""

    def test_says_what_to_change_and_keeps_what_was_typed(self, client, user):
        html = client.post("/accounts/signup/", NEW | {"display_name": "lINDEN", "password1": "x"}).content.decode()
        assert "Somebody has this name already. Choose another one." in errors(html)
        assert 'value="lINDEN"' in html
        assert 'value="New@Example.org"' in html
        assert re.search(r'name="display_name"[^>]*aria-invalid="true"', html)
        described = re.search(r'name="display_name"[^>]*aria-describedby="([^"]+)"', html)[1].split()
        assert all(f'id="{name}"' in html for name in described)
        assert User.objects.count() == 1

    @pytest.mark.parametrize("name", ["x", "-x-", "a" * 21, "tab\tbed", "<b>", "ｗｉｄｅ"])
    def test_refuses_names_that_mislead(self, client, name):
        html = client.post("/accounts/signup/", NEW | {"display_name": name}).content.decode()
        assert errors(html)
        assert not User.objects.exists()

    @pytest.mark.parametrize(
        ("taken", "error"),
        [
            ({"display_name": "松間 2"}, "Somebody has this name already. Choose another one."),
            ({"email": "new@example.org"}, "An account has this address already. Sign in, or reset its password."),
        ],
    )
    def test_two_take_one_name_or_address_at_once(self, client, monkeypatch, taken, error):
        """The checks found it free, but the other one was quicker: the constraint has the last word."""
        save = SignupForm.save

        def save_second(form, request):
            UserFactory(**taken)
            return save(form, request)

        monkeypatch.setattr(SignupForm, "save", save_second)
        html = client.post("/accounts/signup/", NEW).content.decode()
        assert errors(html) == [error]
        assert User.objects.count() == 1


class TestSignIn:
    def test_in_and_out(self, client, user):
        answer = client.post("/accounts/login/?next=/inbox/", {"login": user.email, "password": "wrong"})
        assert "don&#x27;t belong together" in answer.content.decode()
        assert f'value="{user.email}"' in answer.content.decode()
        answer = client.post("/accounts/login/?next=/inbox/", {"login": user.email.upper(), "password": "password"})
        assert (answer.status_code, answer["Location"]) == (302, "/inbox/")
        assert client.get("/accounts/logout/").status_code == 200  # asks; a link can't sign anybody out
        client.post("/accounts/logout/")
        assert client.get("/inbox/").status_code == 302

    def test_a_password_is_reset_by_mail(self, client, user):
        client.post("/accounts/password/reset/", {"email": user.email})
        link = re.search(r"http://testserver(\S+)", mail.outbox[-1].body)[1]
        page = client.get(link, follow=True)
        done = client.post(page.request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD})
        assert done.status_code == 302
        user.refresh_from_db()
        assert user.check_password(PASSWORD)
        assert "This link doesn't work any more" in client.get(link, follow=True).content.decode()

    def test_mails_are_in_the_readers_language_and_say_who_sends_them(self, client, user):
        client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
        assert mail.outbox[-1].subject == "No account has this address"
        assert "http://testserver/accounts/signup/" in mail.outbox[-1].body
        assert "Banzuke" in mail.outbox[-1].body

    def test_an_address_is_confirmed_by_a_press_not_by_a_visit(self, client):
        client.post("/accounts/signup/", NEW)
        link = re.search(r"http://testserver(\S+)", mail.outbox[-1].body)[1]
        assert "belongs to 松間 2" in client.get(link).content.decode()
        assert client.post(link).status_code == 302
        assert User.objects.get().emailaddress_set.get().verified


class TestSettings:
    def fields(self, **changes):
        return {
            "display_name": "Linden",
            "language": "en",
            "time_zone": "Asia/Tokyo",
            "theme": "dark",
            "sound": "on",
        } | changes

    def test_stores_and_applies(self, signed_in, user):
        html = signed_in.post("/accounts/settings/", self.fields(), follow=True).content.decode()
        assert "Settings saved." in html
        assert 'data-theme="dark"' in html
        assert '<option value="Asia/Tokyo" selected>' in html
        user.refresh_from_db()
        assert (user.language, user.time_zone, user.theme, user.sound) == ("en", "Asia/Tokyo", "dark", True)

    def test_ones_own_name_in_another_case_is_free(self, signed_in, user):
        assert signed_in.post("/accounts/settings/", self.fields(display_name="LINDEN")).status_code == 302

    def test_a_taken_name_is_refused_and_the_bar_still_says_who_one_is(self, signed_in, user):
        UserFactory(display_name="Quarry8")
        answer = signed_in.post("/accounts/settings/", self.fields(display_name="quarry8", theme="light"))
        html = answer.content.decode()
        assert answer.status_code == 422
        assert errors(html) == ["Somebody has this name already. Choose another one."]
        assert 'aria-label="Account: Linden"' in html
        assert "data-theme" not in html.partition("<head>")[0]
        user.refresh_from_db()
        assert user.theme == ""

    def test_taken_at_the_same_moment(self, user):
        UserFactory(display_name="Quarry8")
        with pytest.raises(Invalid, match="name_taken"):
            profile.change_settings(user_id=user.pk, display_name="quarry8", sound=False)
        user.refresh_from_db()
        assert (user.display_name, user.sound) == ("Linden", True)

    def test_what_is_not_named_is_not_written(self, user):
        with CaptureQueriesContext(connection) as queries:
            profile.change_settings(user_id=user.pk, sound=False)
        [update] = [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
        assert re.findall(r'"(\w+)" = ', update.partition("WHERE")[0]) == ["sound"]
        assert profile.change_settings(user_id=user.pk).sound is False

    def test_times_are_in_the_users_time_zone(self, signed_in, user):
        User.objects.filter(pk=user.pk).update(time_zone="Asia/Tokyo", date_joined="2026-06-12T20:00:00Z")
        assert "13 June 2026" in signed_in.get(user.get_absolute_url()).content.decode()

    def test_an_alias_of_a_time_zone_stays(self, signed_in, user):
        User.objects.filter(pk=user.pk).update(time_zone="Japan")
        assert '<option value="Japan" selected>' in signed_in.get("/accounts/settings/").content.decode()
        assert signed_in.post("/accounts/settings/", self.fields(time_zone="Japan")).status_code == 302

    def test_sound_alone(self, signed_in, user):
        assert signed_in.post("/accounts/sound/", {}).status_code == 204
        user.refresh_from_db()
        assert user.sound is False

    @pytest.mark.parametrize("name", ["settings", "account_email", "account_change_password", "tokens", "inbox"])
    def test_pages_are_for_those_who_are_in(self, client, signed_in, name):
        assert signed_in.get(reverse(name)).status_code == 200
        answer = client.get(reverse(name))
        assert answer["Location"].startswith("/accounts/login/?next=")


class TestLanguage:
    def test_of_the_browser_of_the_cookie_of_the_user(self, client, user):
        def lang(client, **headers):
            return re.search(r'<html lang="([^"]+)"', client.get("/privacy/", headers=headers).content.decode())[1]

        assert lang(client, accept_language="zh-CN,zh;q=0.9") == "zh-Hans"
        assert lang(client, accept_language="fr") == "en"
        client.post("/i18n/language/", {"language": "ja", "next": "/privacy/"})
        assert lang(client, accept_language="zh-CN") == "ja"
        User.objects.filter(pk=user.pk).update(language="en")
        client.force_login(user)
        assert lang(client) == "en"
        client.post("/i18n/language/", {"language": "zh-hans"})
        assert lang(client) == "zh-Hans"
        user.refresh_from_db()
        assert user.language == "zh-hans"

    def test_leads_back_but_not_away(self, client):
        back = client.post("/i18n/language/", {"language": "ja", "next": "/privacy/?a=1"})
        assert back["Location"] == "/privacy/?a=1"
        away = client.post("/i18n/language/", {"language": "ja", "next": "https://example.org/"})
        assert away["Location"] == "/"

    def test_an_unknown_language_changes_nothing(self, signed_in, user):
        signed_in.post("/i18n/language/", {"language": "xx"})
        user.refresh_from_db()
        assert user.language == ""

    def test_caches_are_told(self, client):
        assert {"Accept-Language", "Cookie"} <= set(client.get("/privacy/")["Vary"].split(", "))


class TestTokens:
    def test_shown_once_then_never(self, signed_in, user):
        fields = {"name": "my bot", "scopes": ["read", "play"], "days": "30"}
        answer = signed_in.post("/accounts/tokens/", fields)
        secret = re.search(r"bz_[0-9a-f]{20,}", answer.content.decode())[0]
        assert answer["Cache-Control"] == "no-store"
        token = ApiToken.objects.get(user=user)
        assert (token.name, token.scopes) == ("my bot", ["play", "read"])
        assert timedelta(days=29) < token.expiry - timezone.now() < timedelta(days=31)
        html = signed_in.get("/accounts/tokens/").content.decode()
        assert "my bot" in html
        assert f'data-confirm="ask-revoke-{token.pk}"' in html
        assert secret not in html

    def test_needs_a_scope_and_keeps_the_name(self, signed_in):
        answer = signed_in.post("/accounts/tokens/", {"name": "my bot", "days": "30"})
        assert errors(answer.content.decode()) == ["Choose at least one."]
        assert 'value="my bot"' in answer.content.decode()
        assert not ApiToken.objects.exists()

    def test_is_revoked_by_its_owner_only(self, signed_in, user):
        signed_in.post("/accounts/tokens/", {"name": "my bot", "scopes": ["read"], "days": "30"})
        address = reverse("revoke_token", args=[ApiToken.objects.get().pk])
        other = Client()
        other.force_login(UserFactory())
        other.post(address)
        assert ApiToken.objects.count() == 1
        assert signed_in.get(address).status_code == 405
        signed_in.post(address)
        assert not ApiToken.objects.exists()


@pytest.fixture
def told(user: User) -> Notice:
    facts = {"match": 12, "opponent": "Quarry8"}
    notices.notify([user.pk], "accounts.test", facts=facts, url="/fair-play/", now=timezone.now())
    return Notice.objects.get()


@pytest.fixture
def words(settings, tmp_path):
    """A kind of notice that only this test knows, with its words."""
    (tmp_path / "accounts/notices").mkdir(parents=True)
    (tmp_path / "accounts/notices/test.html").write_text("Match {{ facts.match }} against {{ facts.opponent }}.")
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]


@pytest.mark.usefixtures("words")
class TestInbox:
    def test_counts_lists_opens(self, signed_in, told):
        html = signed_in.get("/inbox/").content.decode()
        assert 'aria-label="Inbox, 1 unread"' in html
        assert "Match 12 against Quarry8." in html
        answer = signed_in.get(reverse("open_notice", args=[told.pk]))
        assert answer["Location"] == "/fair-play/"
        told.refresh_from_db()
        assert told.read_at
        assert "Inbox, nothing unread" in signed_in.get("/inbox/count/").content.decode()

    def test_all_read_at_once(self, signed_in, told):
        assert "Mark all as read" in signed_in.get("/inbox/").content.decode()
        assert "Mark all as read" not in signed_in.post("/inbox/read/", follow=True).content.decode()
        told.refresh_from_db()
        assert told.read_at

    def test_nobody_elses(self, told):
        other = Client()
        other.force_login(UserFactory())
        assert other.get(reverse("open_notice", args=[told.pk])).status_code == 404
        assert "Nothing yet." in other.get("/inbox/").content.decode()

    def test_pages(self, signed_in, user, django_assert_max_num_queries):
        notices.notify([user.pk] * 65, "accounts.test", facts={"match": 1}, url="/", now=timezone.now())
        signed_in.get("/inbox/")  # the first page of a browser notes the browser
        with django_assert_max_num_queries(6):
            html = signed_in.get("/inbox/?page=2").content.decode()
        assert "Page 2 of 3" in html
        assert 'href="?page=3"' in html


class TestProfile:
    def test_is_public_and_says_who_is_here(self, client, user):
        assert "away" in client.get(user.get_absolute_url()).content.decode()
        Presence.objects.create(user=user, seen_at=timezone.now(), active_at=timezone.now() - timedelta(minutes=6))
        html = client.get(user.get_absolute_url()).content.decode()
        assert "here-idle" in html
        assert user.email not in html

    def test_block_and_unblock(self, signed_in, user):
        other = UserFactory()
        signed_in.post(reverse("block", args=[other.pk]))
        assert Block.objects.filter(user=user, blocked=other).exists()
        assert "Unblock" in signed_in.get(other.get_absolute_url()).content.decode()
        signed_in.post(reverse("unblock", args=[other.pk]))
        assert not Block.objects.exists()

    def test_not_oneself(self, signed_in, user):
        html = signed_in.post(reverse("block", args=[user.pk]), follow=True).content.decode()
        assert "You can&#x27;t block yourself." in html


class TestPresence:
    def test_by_heartbeat(self, client, signed_in, user):
        assert client.post("/presence/").status_code == 403
        assert signed_in.get("/presence/").status_code == 405
        assert signed_in.post("/presence/", {"active": "0"}).status_code == 204
        assert Presence.objects.get().user == user

    def test_needs_the_secret_of_forms(self, user):
        client = Client(enforce_csrf_checks=True)
        client.force_login(user)
        assert client.post("/presence/").status_code == 403
