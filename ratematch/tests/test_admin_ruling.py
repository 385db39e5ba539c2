"""Ruling in the admin: preview, two moderators, overturning (rules §3.7, §5)."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from ratematch.models import Match, Penalty, RatingChange, Ruling
from ratematch.rules.lifecycle import Outcome, State
from ratematch.tests import factories
from ratematch.tests.desk import QUEUE, REASON, case_url, send, signed_in, text_of
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("outcome", list(Outcome))
def test_preview_is_what_the_ruling_then_does(mod, outcome):
    table = in_review(1600, 1800)
    previews = {option.value: option for option in mod.get(case_url(table)).context["case"].options}
    promised = [change.after for change, _note in previews[outcome].changes]
    assert previews["player1"].preview == "+24 / −24"
    checked = text_of(send(mod, table, "check", outcome))
    send(mod, table, "rule", outcome)
    assert [table.player(seat).rating for seat in (0, 1)] == promised
    for before, after in zip((1600, 1800), promised, strict=True):
        assert f"{before} → {after}" in checked


def test_preview_says_when_the_floor_stops_a_change(mod):
    table = in_review(1200, 1200)
    assert "+16 / 0 (stops at 1200)" in text_of(mod.get(case_url(table)))


def test_checking_decides_nothing(mod):
    table = in_review()
    page = send(mod, table, "check")
    assert (page.status_code, Ruling.objects.count(), table.row.state) == (200, 0, State.REVIEW)
    html = page.content.decode()
    assert html.index('value="edit"') < html.index('value="rule"')  # the safe choice comes first
    assert REASON in html


def test_going_back_keeps_what_was_typed(mod):
    table = in_review()
    html = send(mod, table, "edit", "draw").content.decode()
    assert re.search(r'value="draw"[^>]*checked', html)
    assert REASON in html


def test_ruling_settles_notifies_both_and_goes_to_the_next_case(mod, kunugi):
    table, following = in_review(1600, 1800), in_review()
    page = mod.post(
        case_url(table), {"step": "rule", "outcome": "player1", "reason": REASON, "seen_ruling": ""}, follow=True
    )
    assert page.redirect_chain == [(case_url(following), 302)]
    assert "Both players have been told" in text_of(page)
    ruling = Ruling.objects.get()
    assert (ruling.moderator, ruling.outcome, ruling.reason) == (kunugi, "player1", REASON)
    assert table.row.state == State.SETTLED
    told = Notice.objects.filter(kind="ratematch.ruled").values_list("user", flat=True)
    assert set(told) == {table.user(0).pk, table.user(1).pk}


def test_last_ruling_leads_back_to_the_queue(mod):
    assert send(mod, in_review(), "rule").url == QUEUE


@pytest.mark.parametrize("step", ["check", "rule"])
def test_missing_reason_keeps_the_outcome_and_is_said_at_the_field(mod, step):
    table = in_review()
    page = send(mod, table, step, "player2", reason="  ")
    html = page.content.decode()
    assert (page.status_code, Ruling.objects.count()) == (422, 0)
    assert re.search(r'value="player2"[^>]*checked', html)
    textarea = re.search(r"<textarea[^>]*>", html)[0]
    assert 'aria-invalid="true"' in textarea
    described = re.search(r'aria-describedby="([^"]+)"', textarea)[1]
    assert f'id="{described}"' in html
    assert "Write a reason" in text_of(page)


def test_missing_outcome_keeps_the_reason(mod):
    page = send(mod, in_review(), "check", "")
    assert (page.status_code, Ruling.objects.count()) == (422, 0)
    assert REASON in text_of(page)
    assert "Choose an outcome" in text_of(page)


def test_no_outcome_is_chosen_beforehand(mod):
    form = mod.get(case_url(in_review())).content.decode().partition('id="ruling"')[2].partition("</form>")[0]
    assert 'type="radio"' in form
    assert "checked" not in form


def test_too_long_a_reason_names_the_limit(mod):
    assert "Shorten the reason to 2000" in text_of(send(mod, in_review(), "rule", reason="x" * 2001))


# --- two moderators ---


@pytest.mark.parametrize("step", ["check", "rule"])
@pytest.mark.parametrize("role", ["mod", "chief"])
def test_second_moderator_sees_the_first_ruling_and_overwrites_nothing(request, role, step):
    table, mod = in_review(), request.getfixturevalue(role)
    hinoki = signed_in(factories.moderator("hinoki"))
    assert send(hinoki, table, "rule", "player2", "Her picture has the time.").status_code == 302
    ratings = [table.player(seat).rating for seat in (0, 1)]
    page = send(mod, table, step, "player1")
    text = text_of(page)
    assert page.status_code == 409
    assert "hinoki has ruled on this match meanwhile" in text
    assert "Her picture has the time." in text
    assert REASON in text  # what was typed stays
    assert Ruling.objects.get().outcome == "player2"
    assert [table.player(seat).rating for seat in (0, 1)] == ratings
    carried = f'name="seen_ruling" value="{Ruling.objects.get().pk}"'
    assert (carried in page.content.decode()) is (role == "chief")  # who alone may go on and overturn it


def test_a_double_click_rules_once_and_is_no_conflict(mod):
    table = in_review()
    assert [send(mod, table, "rule").status_code for _click in range(2)] == [302, 302]
    assert (Ruling.objects.count(), RatingChange.objects.count()) == (1, 2)


def test_who_else_has_the_case_open_is_shown_and_looked_up_again(mod):
    table, hinoki = in_review(), factories.moderator("hinoki")
    page = mod.get(case_url(table))
    assert "has this case open too" not in text_of(page)
    url = reverse("admin:ratematch_case_company", args=[table.id])
    shown = {"seen": "", "shown": page.context["shown"]}
    assert mod.get(url, shown).status_code == 204
    signed_in(hinoki).get(case_url(table))
    part = mod.get(url, shown)
    assert "hinoki has this case open too" in text_of(part)
    send(signed_in(hinoki), table, "rule")
    assert "hinoki has ruled on this match meanwhile" in text_of(mod.get(url, shown))


# --- overturning ---


def test_overturning_shows_the_history_and_compensates(mod, chief):
    table = in_review(1600, 1800)
    send(mod, table, "rule", "player1")
    first = Ruling.objects.get()
    page = chief.get(case_url(table))
    assert "in force" in text_of(page)
    previews = {option.value: option.preview for option in page.context["case"].options}
    assert previews == {"player1": "No change", "player2": "−32 / +32", "draw": "−16 / +16", "void": "−24 / +24"}
    assert "It replaces the ruling of kunugi" in text_of(send(chief, table, "check", "player2", seen=first.pk))
    send(chief, table, "rule", "player2", seen=first.pk)
    assert [table.player(seat).rating for seat in (0, 1)] == [1592, 1808]
    text = text_of(chief.get(case_url(table)))
    assert "The ruling in force, and those before it" in text
    assert "replaced" in text


def test_an_agreed_result_can_be_overturned(chief):
    table = Table().to(State.SETTLED)
    assert "A new ruling replaces it" in text_of(chief.get(case_url(table)))
    assert send(chief, table, "rule", "void").status_code == 302
    assert table.row.state == State.VOID


def test_overturning_is_for_chief_moderators(mod):
    table = Table().to(State.SETTLED)
    page = mod.get(case_url(table))
    assert page.context["form"] is None
    assert "Only a chief moderator can overturn it" in text_of(page)
    for step in ("check", "rule"):
        assert send(mod, table, step, "void").status_code == 403
    assert Ruling.objects.count() == 0


# --- penalties ---


def test_penalties_are_shown_before_and_given_with_the_ruling(mod):
    table = in_review(1600, 1800)
    html = mod.get(case_url(table)).content.decode()
    assert "Reporting a false result (3, A → B)" in html
    text = text_of(send(mod, table, "check", penalties=("", "false_result")))
    assert f"{table.player(1)}: Reporting a false result level A → B" in text
    assert Penalty.objects.count() == 0
    send(mod, table, "rule", penalties=("", "false_result"))
    penalty = Penalty.objects.get()
    assert (penalty.player, penalty.category, penalty.ruling) == (
        table.player(1),
        "false_result",
        Ruling.objects.get(),
    )
    assert table.player(1).level == "B"


def test_a_penalty_for_nothing_there_is_is_said_at_the_field(mod):
    page = send(mod, in_review(), "rule", penalties=("no-such", ""))
    assert (page.status_code, Ruling.objects.count()) == (422, 0)
    assert page.context["form"].errors.keys() == {"penalty_0"}


def test_penalties_of_a_ruling_that_is_replaced_go_with_it(mod, chief):
    table = in_review()
    send(mod, table, "rule", penalties=("", "false_result"))
    first = Ruling.objects.get()
    loser = table.player(1)
    text = text_of(chief.get(case_url(table)))
    assert "are withdrawn with it" in text
    assert f"{loser}: Reporting a false result" in text
    text = text_of(send(chief, table, "check", "player2", seen=first.pk))
    assert f"Withdrawn with it, the penalty of {loser}: Reporting a false result" in text
    assert f"{loser} level B → A" in text
    send(chief, table, "rule", "player2", seen=first.pk)
    assert Penalty.objects.get().withdrawn_at
    assert table.player(1).level == "A"


# --- a match that runs ---


def test_a_running_match_has_no_form(mod):
    table = Table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() + timedelta(hours=1))
    page = mod.get(case_url(table))
    assert page.context["form"] is None
    assert "The match is still running" in text_of(page)
    assert send(mod, table, "rule").status_code == 409
    assert Ruling.objects.count() == 0
