"""Lists of the admin, where nothing but templates can be changed."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, Notice, User
from ratematch.models import Player, ReasonTemplate, Ruling
from ratematch.services import penalties, rulings
from ratematch.tests import factories
from ratematch.tests.desk import REASON, case_url, page_of, reported, send, signed_in, stripes, text_of
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


def test_matches_are_found_by_number_name_and_state(mod):
    table, other = in_review(), Table()
    url = reverse("admin:ratematch_match_changelist")
    for query in ({"q": str(table.id)}, {"q": str(table.player(0))}, {"state__exact": "review"}):
        found = mod.get(url, query).context["cl"].queryset
        assert table.id in [row.pk for row in found]
        if "state__exact" in query:
            assert other.id not in [row.pk for row in found]


def test_a_match_opens_as_its_case(mod):
    table = in_review()
    page = mod.get(reverse("admin:ratematch_match_change", args=[table.id]))
    assert page.url == case_url(table)


def lists():
    names = ("match", "player", "ruling", "ratingchange", "picture", "case", "report", "penalty")
    return [reverse(f"admin:ratematch_{name}_changelist") for name in names]


def test_nothing_of_rated_matches_but_templates_can_be_added_changed_or_deleted(rf):
    chief = factories.user(is_staff=True, is_superuser=True)
    client, table = signed_in(chief), in_review()
    send(client, table, "rule", penalties=("abuse", ""))
    reported()
    request = rf.get("/")
    request.user = chief
    ours = {model: ma for model, ma in admin.site._registry.items() if model._meta.app_label == "ratematch"}
    assert ours.pop(ReasonTemplate)
    assert len(ours) == 9
    for model, model_admin in ours.items():
        assert not model_admin.has_add_permission(request)
        assert not model_admin.has_change_permission(request)
        assert not model_admin.has_delete_permission(request)
        assert model_admin.get_actions(request) == {}
        name = f"admin:ratematch_{model._meta.model_name}"
        row = model.objects.first()
        assert client.get(reverse(f"{name}_add")).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        assert client.post(reverse(f"{name}_change", args=[row.pk]), {"reason": ""}).status_code in (302, 403, 422)
        assert client.get(reverse(f"{name}_change", args=[row.pk]), follow=True).status_code == 200
    assert Ruling.objects.get().reason == REASON


@pytest.fixture
def queries_of(mod):
    def count(url):
        mod.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert mod.get(url).status_code == 200
        return len(queries)

    return count


def test_query_counts_do_not_grow_with_rows(queries_of, kunugi):
    def fill():
        table = in_review(pictures=(stripes(1), stripes(2)))
        rulings.look(match_id=table.id, moderator=factories.moderator(), now=timezone.now())
        ended = in_review()
        rulings.rule(
            match_id=ended.id, moderator=kunugi, outcome="draw", reason="x", seen_ruling=None, now=timezone.now()
        )
        penalties.penalise_player(
            player_id=reported().report.reported_id, actor=kunugi, category="chat", reason="x", now=timezone.now()
        )
        return table

    urls = [case_url(fill()), *lists(), reverse("admin:index")]
    one = [queries_of(url) for url in urls]
    fill()
    fill()
    assert [queries_of(url) for url in urls] == one
    assert max(one) <= 45


def test_templates_are_kept_by_chiefs(chief, mod):
    url = reverse("admin:ratematch_reasontemplate_add")
    assert chief.post(url, {"title": "Chat", "text": "Words that hurt."}).status_code == 302
    assert ReasonTemplate.objects.get().text == "Words that hurt."
    assert mod.post(url, {"title": "Other", "text": "x"}).status_code == 403


def test_a_moderator_finds_nothing_about_himself(mod, kunugi):
    case = reported(text="A secret.")
    Player.objects.filter(pk=case.report.reported_id).update(user=kunugi)
    for name in ("case", "report", "penalty"):
        found = mod.get(reverse(f"admin:ratematch_{name}_changelist"))
        assert found.context["cl"].result_count == 0


# --- other pages of the admin ---


def test_users_can_be_looked_up_but_their_password_not():
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    someone = factories.user("nagi_hare")
    found = chief.get(reverse("admin:accounts_user_changelist"), {"q": someone.email})
    assert "nagi_hare" in text_of(found)
    html = chief.get(reverse("admin:accounts_user_change", args=[someone.pk])).content.decode()
    assert "password" not in re.sub(r"<nav.*?</nav>", "", html, flags=re.DOTALL).lower()
    assert someone.password not in html
    assert chief.get(reverse("admin:accounts_user_add")).status_code == 403


def test_only_superusers_hand_out_rights():
    clerk = factories.user(is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    client, someone = signed_in(clerk), factories.user("nagi_hare")
    raised = {"display_name": "nagi_hare", "is_active": "", "is_staff": "on", "is_superuser": "on"}
    assert client.post(reverse("admin:accounts_user_change", args=[someone.pk]), raised).status_code == 302
    someone.refresh_from_db()
    assert (someone.is_active, someone.is_staff, someone.is_superuser) == (False, False, False)
    assert client.post(reverse("admin:accounts_user_change", args=[clerk.pk]), raised).status_code == 403


def test_blocks_and_notices_are_read_only():
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    block = Block.objects.create(user=factories.user(), blocked=factories.user())
    in_review()
    for name, row in (("block", block), ("notice", Notice.objects.first())):
        assert chief.get(reverse(f"admin:accounts_{name}_changelist")).status_code == 200
        assert chief.get(reverse(f"admin:accounts_{name}_change", args=[row.pk])).status_code == 200
        assert chief.post(reverse(f"admin:accounts_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_admin_pages_keep_the_strict_policy_and_the_accounts_theme(chief, sakaki):
    User.objects.filter(pk=sakaki.pk).update(theme="dark")
    table = in_review()
    urls = [
        reverse(f"admin:ratematch_{name}")
        for name in ("review", "figures", "farming", "moderators", "fairplaypolicy_changelist")
    ]
    for url in (*urls, case_url(table), page_of(reported()), *lists(), reverse("admin:index")):
        page = chief.get(url)
        html = page.content.decode()
        assert " style=" not in html
        assert "<style" not in html
        assert not re.search(r"<script(?![^>]*\bsrc=)", html)
        assert 'data-theme="dark"' in html
        assert "theme-toggle" not in html
