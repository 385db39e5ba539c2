"""Who may open what of the moderators' desk."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tests.staff import staff_client
from ratematch.models import CaseLook, Ruling
from ratematch.tests import factories
from ratematch.tests.desk import QUEUE, case_url, send, signed_in, text_of
from ratematch.tests.factories import in_review

pytestmark = pytest.mark.django_db


def test_own_match_has_no_form_and_says_why():
    table = in_review()
    player = table.user(0)
    User.objects.filter(pk=player.pk).update(is_staff=True)
    player.user_permissions.add(Permission.objects.get(codename="rule_match"))
    client = signed_in(player)
    page = client.get(case_url(table))
    assert page.context["form"] is None
    assert "another moderator has to rule on it" in text_of(page)
    assert send(client, table, "rule").status_code == 403
    assert (Ruling.objects.count(), CaseLook.objects.count()) == (0, 0)


def admin_pages(table):
    lists = [
        reverse(f"admin:ratematch_{name}_changelist")
        for name in ("match", "player", "ruling", "ratingchange", "picture")
    ]
    company = reverse("admin:ratematch_case_company", args=[table.id])
    return [QUEUE, case_url(table), company, *lists]


def test_staff_without_the_permission_get_403():
    table, client = in_review(), signed_in(factories.user(is_staff=True))
    assert {client.get(url).status_code for url in admin_pages(table)} == {403}
    assert send(client, table, "rule").status_code == 403
    assert "wait for a ruling" not in text_of(client.get(reverse("admin:index")))


def test_players_and_strangers_stay_out():
    table = in_review()
    for client in (signed_in(table.user(0)), Client()):
        assert {client.get(url).status_code for url in admin_pages(table)} == {302}
        assert send(client, table, "rule").status_code == 302
    assert signed_in(table.user(0)).get(QUEUE, follow=True).status_code == 403
    assert Ruling.objects.count() == 0


def test_superusers_who_are_staff_may_rule():
    table = in_review()
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    assert send(chief, table, "rule").status_code == 302


def test_a_ruling_needs_its_secret_of_the_form(kunugi):
    client = staff_client(kunugi, enforce_csrf_checks=True)
    assert send(client, in_review(), "rule").status_code == 403
    assert Ruling.objects.count() == 0
