"""Pages that belong to no single game."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Presence
from accounts.tests.factories import UserFactory
from accounts.tests.staff import staff_client

pytestmark = pytest.mark.django_db

OPEN_PAGES = ["/", "/fair-play/", "/privacy/", "/status/", "/tables/", "/xiangqi/", "/poker/", "/accounts/login/"]


@pytest.mark.parametrize("address", OPEN_PAGES)
@pytest.mark.parametrize("language", ["ja", "zh-hans", "en"])
def test_every_page_for_strangers_has_its_frame(client, address, language):
    answer = client.get(address, headers={"accept-language": language})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert '<main class="page" id="main"' in html
    assert re.search(r"<title>\S.*</title>", html)
    assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son\w+=|<style", html)
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#(i-[\w-]+)"', html)) <= set(ids)


def test_home_for_strangers_says_what_this_is_and_how_to_start(client):
    html = client.get("/").content.decode()
    assert 'href="/accounts/signup/"' in html
    assert "data-live" not in html


def test_home_shows_who_is_here_without_more_queries_for_more_people(client, django_assert_num_queries):
    client.force_login(UserFactory(display_name="first"))
    now = timezone.now()
    Presence.objects.create(user=UserFactory(display_name="hoshi-kuzu"), seen_at=now, active_at=now)
    html = client.get("/").content.decode()
    assert "hoshi-kuzu" in html
    assert "1 online" in html
    with CountedQueries() as before:
        client.get("/")
    for _ in range(5):
        Presence.objects.create(user=UserFactory(), seen_at=now, active_at=now)
    with django_assert_num_queries(before.count):
        client.get("/")


class CountedQueries:
    """How many queries ran inside the block."""

    def __enter__(self):
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        self._context = CaptureQueriesContext(connection)
        self._context.__enter__()
        return self

    def __exit__(self, *exc):
        self._context.__exit__(*exc)
        self.count = len(self._context)


class TestErrors:
    def test_404(self, client):
        answer = client.get("/nothing-here/", headers={"accept-language": "zh-CN"})
        assert answer.status_code == 404
        assert '<html lang="zh-Hans"' in answer.content.decode()

    def test_a_form_that_came_too_late(self):
        answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "a@example.org", "password": "x"})
        assert answer.status_code == 403
        assert "Nothing was changed." in answer.content.decode()

    def test_500_needs_no_database_and_no_account(self, monkeypatch):
        def fail(*args, **kwargs):
            raise RuntimeError("the database is away")

        client = Client(raise_request_exception=False)
        monkeypatch.setattr("config.views.render", fail)
        answer = client.get("/privacy/")
        assert answer.status_code == 500
        assert "It is our fault" in answer.content.decode()


class TestAdmin:
    def test_strangers_go_to_the_sites_own_sign_in(self, client):
        assert client.get("/admin/", follow=True).request["PATH_INFO"] == "/accounts/login/"

    def test_not_for_players(self, client):
        client.force_login(UserFactory())
        assert client.get("/admin/", follow=True).status_code == 403

    def test_for_staff(self):
        answer = staff_client(UserFactory(is_staff=True)).get("/admin/")
        assert answer.status_code == 200
        assert "css/admin.css" in answer.content.decode()

    def test_leads_nowhere_else(self):
        client = staff_client(UserFactory(is_staff=True))
        assert client.get("/admin/login/?next=https://example.org/")["Location"] == "/admin/"
