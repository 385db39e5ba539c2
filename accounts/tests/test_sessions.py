"""Sessions: listed, ended, and what a new password does to them; addresses, and how long they are kept."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.browsers import describe
from accounts.models import BrowserSession, SeenAddress
from accounts.services import sessions, tidying
from accounts.tests.factories import UserFactory, api_client

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1"
LIST = reverse("sessions")


@pytest.fixture
def user():
    return UserFactory()


def browser(user, agent=FIREFOX, address="203.0.113.77"):
    """A browser that has signed in by hand."""
    client = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    assert client.post("/accounts/login/", {"login": user.email, "password": "password"}).status_code == 302
    return client


def is_in(client):
    return client.get("/inbox/").status_code == 200


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (FIREFOX, ("Firefox", "Windows")),
        (PHONE, ("Safari", "iPhone")),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", ("Chrome", "Linux")),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", ("Edge", "Windows")),
        ("Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0", ("Samsung Internet", "Android")),
        ("curl/8.5", ("", "")),
    ],
)
def test_browsers_are_told_apart(agent, named):
    assert describe(agent) == named


def test_the_list_marks_ones_own_and_shows_part_of_the_address(user):
    here, phone = browser(user), browser(user, PHONE, "2001:db8:1:2:3::4")
    page = here.get(LIST).content.decode()
    assert page.count("This device") == 1
    assert "Firefox on Windows" in page
    assert "Safari on iPhone" in page
    assert "From 203.0.113.…" in page
    assert "From 2001:db8:1:…" in page
    assert "113.77" not in page
    assert phone.session.session_key not in page


def test_one_is_ended(user):
    here, phone = browser(user), browser(user, PHONE)
    row = BrowserSession.objects.get(system="iPhone")
    assert here.post(reverse("end_session", args=[row.pk])).status_code == 302
    assert not is_in(phone)
    assert is_in(here)
    assert "iPhone" not in here.get(LIST).content.decode()


def test_all_others_are_ended(user):
    here, others, stranger = browser(user), [browser(user, PHONE), browser(user)], browser(UserFactory())
    assert "2 sessions ended" in here.post(reverse("end_other_sessions"), follow=True).content.decode()
    assert [is_in(client) for client in (here, stranger, *others)] == [True, True, False, False]


def test_only_ones_own_and_not_the_present_one(user):
    here, stranger = browser(user), browser(UserFactory())
    row = BrowserSession.objects.get(session_key=stranger.session.session_key)
    assert "ended already" in here.post(reverse("end_session", args=[row.pk]), follow=True).content.decode()
    own = BrowserSession.objects.get(session_key=here.session.session_key)
    answer = here.post(reverse("end_session", args=[own.pk]), follow=True).content.decode()
    assert "the session that you are in" in answer
    assert is_in(here)
    assert is_in(stranger)


def test_a_new_password_ends_the_others_and_keeps_ones_own(user):
    here, phone = browser(user), browser(user, PHONE)
    made_at = BrowserSession.objects.get(system="Windows").made_at
    new = {"oldpassword": "password", "password1": "a new long one", "password2": "a new long one"}
    assert here.post("/accounts/password/change/", new).status_code == 302
    assert [is_in(here), is_in(phone)] == [True, False]
    own = BrowserSession.objects.get()
    assert (own.session_key, own.made_at) == (here.session.session_key, made_at)


def test_signing_out_forgets_the_browser(user):
    here = browser(user)
    here.post("/accounts/logout/")
    assert not BrowserSession.objects.exists()


def test_a_browser_is_noted_once_in_a_while(user, django_assert_num_queries):
    here = browser(user)
    here.get(LIST)
    seen_at = BrowserSession.objects.get().seen_at
    here.get(LIST)
    assert BrowserSession.objects.get().seen_at == seen_at


def test_programs_have_no_sessions(user):
    assert api_client(user).get("/api/v1/me").status_code == 200
    assert not BrowserSession.objects.exists()


def test_addresses_are_kept_for_thirty_days(user):
    now = timezone.now()
    browser(user)
    BrowserSession.objects.update(seen_at=now - timedelta(days=29, hours=23))
    SeenAddress.objects.update(last_at=now - timedelta(days=29, hours=23))
    assert tidying.tidy(now=now)["addresses"] == 0
    assert tidying.tidy(now=now + timedelta(hours=1))["addresses"] == 2
    assert BrowserSession.objects.get().rough_address == ""
    assert not SeenAddress.objects.exists()


def test_what_has_ended_is_tidied_away(user):
    browser(user)
    Session.objects.all().delete()
    assert sessions.of(user, timezone.now()) == []
    assert tidying.tidy(now=timezone.now())["browsers"] == 1


def test_who_came_from_one_address(user):
    one, two, three = UserFactory(), UserFactory(), UserFactory()
    browser(one, address="198.51.100.9")
    browser(two, PHONE, address="198.51.100.9")
    browser(three, address="198.51.100.10")
    assert sessions.shared_addresses([one.pk, two.pk, three.pk]) == {"198.51.100.9": {one.pk, two.pk}}
    assert sessions.shared_addresses([one.pk, three.pk]) == {}
