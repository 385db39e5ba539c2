"""The moderators' desk in a real browser: a working hour by keyboard alone, and how the pages look."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ratematch.models import Case, FairPlayPolicy, Penalty, ReasonTemplate, Ruling
from ratematch.rules.lifecycle import State
from ratematch.services import penalties
from ratematch.tests.desk import QUEUE, case_url, contested, flagged, page_of, player_page, reported
from ratematch.tests.factories import in_review
from testing.accessibility import sideways, small_targets, violations

pytestmark = pytest.mark.browser

INNER = "Math.max(0, ...[...document.querySelectorAll('.results')].map((box) => box.scrollWidth - box.clientWidth))"
"""How many pixels a list of Django's is wider than its box, which would scroll sideways."""


@pytest.fixture
def waiting(live_site):
    """One case of each kind, in this order, and a text for reasons."""
    review, contest = in_review(), contested()
    made = [Case.objects.get(match=review.id), Case.objects.get(match=contest.id), reported(), flagged()]
    for hours, case in enumerate(made):
        Case.objects.filter(pk=case.pk).update(opened_at=timezone.now() - timedelta(hours=9 - hours))
    ReasonTemplate.objects.create(title="Chat", text="Words that hurt.")
    FairPlayPolicy.objects.get_or_create(pk=1)
    return review, contest, *made


def go(page, key):
    """Press a key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def heading(page):
    return page.inner_text("h1")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_a_working_hour_by_keyboard_alone(visit, waiting, kunugi, sakaki):
    review, contest, *_cases, report, flag = waiting
    page = visit(kunugi).new_page()
    page.goto(QUEUE)
    press(page, "j", "j", "j", "k", "k")
    assert page.evaluate("document.activeElement.textContent") == f"Match {review.id}"

    go(page, "Enter")  # 1, a disputed match: taken, a text typed, a penalty chosen
    go(page, "w")
    assert "Give it back" in page.inner_text("main")
    press(page, "r")
    page.keyboard.type("jk1?: line 2 of the history")  # in a text field these are letters
    press(page, "Escape", "o", "ArrowDown", "Escape", "1")
    go(page, "s")
    assert "Nothing is decided yet" in page.inner_text("main")
    go(page, "b")
    go(page, "s")
    go(page, "s")
    ruling = Ruling.objects.get()
    assert (ruling.match_id, ruling.outcome, ruling.reason) == (review.id, "player1", "jk1?: line 2 of the history")
    assert Penalty.objects.get().player == review.player(1)

    assert f"Match {contest.id}" in heading(page)  # 2, a contest
    press(page, "2", "r")
    page.keyboard.type("Their line was down.")
    go(page, "Control+Enter")
    go(page, "s")
    assert contest.row.outcome == "player2"

    assert "Report of" in heading(page)  # 3, a report: with a text that was kept
    press(page, "1", "t", "ArrowDown", "Enter")
    assert page.input_value("#id_reason") == "Words that hurt."
    go(page, "Control+Enter")
    report.refresh_from_db()
    assert (report.verdict, report.closed_by) == (Case.PENALISED, kunugi)

    assert "Flag on" in heading(page)  # 4, a flag
    press(page, "2", "n")
    page.keyboard.type("Bad line, has said so.")
    press(page, "Escape")
    go(page, "s")
    flag.refresh_from_db()
    assert (flag.verdict, flag.note) == (Case.DISMISSED, "Bad line, has said so.")
    assert "Nothing waits" in page.inner_text("main")

    page = visit(sakaki).new_page()  # 5, a ruling that a chief moderator overturns
    page.goto(case_url(review))
    press(page, "4", "r")
    page.keyboard.type("The picture is of another day.")
    press(page, "Escape")
    go(page, "s")
    assert "It replaces the ruling of kunugi" in page.inner_text("main")
    go(page, "s")
    assert review.row.state == State.VOID
    assert Penalty.objects.filter(withdrawn_at=None).get().report == report.report


def test_keys_are_listed_and_can_be_switched_off(visit, waiting, kunugi):
    page = visit(kunugi).new_page()
    page.goto(case_url(waiting[0]))
    press(page, "?")
    assert page.is_visible("dialog#keys")
    press(page, "1", "Escape")
    assert page.is_hidden("dialog#keys")
    assert not page.is_checked("[name=outcome][value=player1]")
    press(page, "?")
    page.uncheck("#keys-on")
    press(page, "Escape", "1", "j")
    assert not page.is_checked("[name=outcome][value=player1]")
    page.reload()
    press(page, "1")
    assert not page.is_checked("[name=outcome][value=player1]")


@pytest.mark.long
def test_looks(visit, waiting, sakaki, kunugi):
    review, contest, _review, _contest, report, flag = waiting
    player = report.report.reported
    penalty = penalties.penalise_player(
        player_id=player.pk, actor=kunugi, category="abuse", reason="x", now=timezone.now()
    )
    names = ("figures", "farming", "moderators", "fairplaypolicy_changelist", "penalty_changelist")
    addresses = [
        QUEUE,
        *map(case_url, (review, contest)),
        *map(page_of, (report, flag)),
        player_page(player),
        reverse("admin:ratematch_withdraw", args=[penalty.pk]),
        *[reverse(f"admin:ratematch_{name}") for name in names],
    ]
    found = []
    phone = visit(sakaki, viewport={"width": 360, "height": 800}).new_page()
    desk = visit(sakaki, viewport={"width": 1280, "height": 800}, color_scheme="dark").new_page()
    phone.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    phone.on("pageerror", lambda error: found.append(str(error)))
    for address in addresses:
        phone.goto(address)
        desk.goto(address)
        django_s_own = address.endswith("/ratematch/penalty/")
        found += [f"{address}: {line}" for line in small_targets(phone) if not django_s_own]
        inner = phone.evaluate(INNER)
        wide = max(sideways(phone), inner)
        found += [f"{address}: {wide} px too wide"] if wide > 0 else []
        found += [f"{address}: {line}" for line in violations(desk)]
    assert not found, "\n".join(found)
