"""Who may open what of the moderators' desk."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from accounts.tests.staff import staff_client
from ratematch.models import Case, CaseLook, ChatLine, Mute, Ruling
from ratematch.services import penalties
from ratematch.tests import factories
from ratematch.tests.desk import QUEUE, case_url, reported, send, signed_in, text_of
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


MODERATORS = [
    ("GET", "ratematch_review"),
    ("GET", "ratematch_figures"),
    ("GET", "ratematch_farming"),
    ("GET", "ratematch_case_company", "match"),
    ("GET", "ratematch_case", "match"),
    ("POST", "ratematch_case", "match"),
    ("GET", "ratematch_case_change", "case"),
    ("POST", "ratematch_case_change", "case"),
    ("POST", "ratematch_take", "case"),
    ("POST", "ratematch_give_back", "case"),
    ("GET", "ratematch_player_change", "player"),
    ("POST", "ratematch_player_change", "player"),
    ("POST", "ratematch_mute", "player"),
    ("POST", "ratematch_lift_mute", "mute"),
    ("POST", "ratematch_hide_line", "line"),
    *[
        ("GET", f"ratematch_{model}_changelist")
        for model in ("match", "player", "ruling", "ratingchange", "picture", "case", "report", "penalty")
    ],
]
CHIEFS = [
    ("GET", "ratematch_moderators"),
    ("POST", "ratematch_moderators"),
    ("POST", "ratematch_dismiss", "user"),
    ("GET", "ratematch_fairplaypolicy_changelist"),
    ("POST", "ratematch_fairplaypolicy_changelist"),
    ("GET", "ratematch_withdraw", "penalty"),
    ("POST", "ratematch_withdraw", "penalty"),
    ("GET", "ratematch_reasontemplate_changelist"),
    ("GET", "ratematch_reasontemplate_add"),
]


@pytest.fixture
def keys(kunugi):
    """Keys of one of each thing that the desk has a page for."""
    case = reported()
    penalty = penalties.penalise_player(
        player_id=case.report.reported_id, actor=kunugi, category="chat", reason="x", now=timezone.now()
    )
    return {
        "match": case.match_id,
        "case": case.pk,
        "player": case.report.reported_id,
        "user": factories.user().pk,
        "penalty": penalty.pk,
        "mute": Mute.objects.create(player=penalty.player, by=kunugi, reason="x", until=timezone.now()).pk,
        "line": ChatLine.objects.create(match=case.match, author=penalty.player, text="x").pk,
    }


def ask(client, keys, page):
    method, name, *what = page
    url = reverse(f"admin:{name}", args=[keys[one] for one in what])
    return (client.get if method == "GET" else client.post)(url)


def statuses(client, keys, pages):
    return {page: ask(client, keys, page).status_code for page in pages}


def test_every_address_of_the_desk_is_tried_here():
    """So that none is added without saying who may open it."""
    listed = {name for _method, name, *_what in (*MODERATORS, *CHIEFS)}
    plain = re.compile(r"ratematch_\w+_(add|change|delete|history|view_on_site|changelist)$")
    own = {
        name for name in get_resolver("config.urls").namespace_dict["admin"][1].reverse_dict if isinstance(name, str)
    }
    assert {name for name in own if name.startswith("ratematch_") and not plain.match(name)} <= listed


def test_moderators_open_all_but_what_is_for_chiefs(mod, keys):
    assert not {403, 302, 404} & set(statuses(mod, keys, [p for p in MODERATORS if p[0] == "GET"]).values())
    assert set(statuses(mod, keys, CHIEFS).values()) == {403}


def test_chiefs_open_everything(chief, sakaki, keys):
    answers = statuses(chief, keys, [page for page in (*MODERATORS, *CHIEFS) if page[0] == "GET"])
    assert set(answers.values()) == {200}, answers


def test_staff_without_a_role_get_403_everywhere(keys):
    client = signed_in(factories.user(is_staff=True))
    answers = statuses(client, keys, (*MODERATORS, *CHIEFS))
    assert set(answers.values()) == {403}, answers
    html = client.get(reverse("admin:index")).content.decode()
    assert "/admin/ratematch/" not in html


def test_players_and_strangers_stay_out_everywhere(keys):
    player = signed_in(factories.user())
    for client in (player, Client()):
        assert set(statuses(client, keys, (*MODERATORS, *CHIEFS)).values()) == {302}
    assert player.get(QUEUE, follow=True).status_code == 403
    assert (Ruling.objects.count(), Case.objects.filter(closed_at=None).count()) == (0, 1)


def test_superusers_who_are_staff_may_rule():
    table = in_review()
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    assert send(chief, table, "rule").status_code == 302


def test_a_ruling_needs_its_secret_of_the_form(kunugi):
    client = staff_client(kunugi, enforce_csrf_checks=True)
    assert send(client, in_review(), "rule").status_code == 403
    assert Ruling.objects.count() == 0
