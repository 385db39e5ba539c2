"""The queue of what waits for moderators (rules §5)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ratematch.admin import queue
from ratematch.models import Case, Player
from ratematch.rules.lifecycle import State
from ratematch.services import cases, rulings
from ratematch.tests import factories
from ratematch.tests.desk import (
    QUEUE,
    case_url,
    contested,
    flagged,
    page_of,
    report_on,
    reported,
    send,
    signed_in,
    text_of,
)
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


def aged(ages):
    """Let cases have waited so long."""
    for pk, age in ages.items():
        Case.objects.filter(pk=pk).update(opened_at=timezone.now() - age)


def case_of(table):
    return Case.objects.get(match=table.id, closed_at=None)


def listed(page):
    return [row.case.pk for row in page.context["rows"]]


def test_one_queue_has_all_kinds_the_oldest_first_with_their_age(mod):
    review, contest, report, flag = case_of(in_review()), case_of(contested()), reported(), flagged()
    hour = timedelta(hours=1)
    aged({contest.pk: 4 * hour, flag.pk: 3 * hour, review.pk: 2 * hour + timedelta(minutes=31), report.pk: hour})
    page = mod.get(QUEUE)
    assert listed(page) == [contest.pk, flag.pk, review.pk, report.pk]
    text = text_of(page)
    assert "2 hours, 31 minutes" in text
    assert "The two don&#x27;t agree on the result" in text
    assert "contests the result" in text
    assert f"Abuse or nuisance; by {report.report.reporter}" in text
    assert f"Flag on {flag.flag.player}" in text
    html = page.content.decode()
    assert html.index(page_of(flag)) < html.index(page_of(report))
    assert page.context["next"] == queue.case_url(contest)


def test_queue_is_filtered_by_kind(mod):
    made = {"review": case_of(in_review()), "report": reported(), "contest": case_of(contested()), "flag": flagged()}
    for kind, case in made.items():
        page = mod.get(QUEUE, {"kind": kind})
        assert listed(page) == [case.pk]
        assert {value: count for value, _name, count in page.context["kinds"]} == dict.fromkeys(made, 1)
    assert len(listed(mod.get(QUEUE, {"kind": "no-such"}))) == 4


def test_empty_queue_says_so(mod):
    Table().to(State.SETTLED)
    assert "Nothing waits" in text_of(mod.get(QUEUE))
    reported()
    assert "Nothing of this kind waits" in text_of(mod.get(QUEUE, {"kind": "flag"}))


def test_queue_has_pages(mod, monkeypatch):
    monkeypatch.setattr("ratematch.admin.views.queue.PAGE", 1)
    first, second = reported(), reported()
    assert listed(mod.get(QUEUE)) == [first.pk]
    assert listed(mod.get(QUEUE, {"page": 2, "kind": "report"})) == [second.pk]


def test_index_leads_to_the_queue_and_says_how_many_wait(mod):
    in_review()
    page = mod.get(reverse("admin:index"))
    assert "1 case waits" in text_of(page)
    assert f'href="{QUEUE}"' in page.content.decode()


def test_queue_says_who_has_a_case_open_and_who_has_taken_it(mod, kunugi):
    table, report = in_review(), reported()
    rulings.look(match_id=table.id, moderator=factories.moderator("hinoki"), now=timezone.now())
    cases.take(case_id=report.pk, actor=kunugi, now=timezone.now())
    text = text_of(mod.get(QUEUE))
    assert "hinoki" in text
    assert "yours" in text
    assert listed(mod.get(QUEUE, {"with": "mine"})) == [report.pk]


def test_a_case_about_the_moderator_tells_him_nothing(kunugi, mod):
    case = reported()
    Player.objects.filter(pk=case.report.reported_id).update(user=kunugi)
    text = text_of(mod.get(QUEUE))
    assert "It is about you" in text
    assert str(case.report.reporter) not in text


# --- the next one ---


def test_next_case_passes_over_what_others_have_open_and_goes_round(kunugi):
    first, second, third, fourth = in_review(), in_review(), reported(), in_review()
    now = timezone.now()
    aged({case.pk: timedelta(hours=9 - n) for n, case in enumerate(Case.objects.order_by("pk"))})
    hinoki = factories.moderator("hinoki")
    rulings.look(match_id=second.id, moderator=hinoki, now=now)
    cases.take(case_id=third.pk, actor=hinoki, now=now)
    one, last = case_of(first), case_of(fourth)
    assert queue.next_case(kunugi, now) == one
    assert queue.next_case(kunugi, now, after=one) == last
    assert queue.next_case(kunugi, now, after=last) == one


def test_next_case_is_never_the_moderators_own(kunugi):
    own = in_review()
    Player.objects.filter(pk=own.player(0).pk).update(user=kunugi)
    report_on(Table(own.player(0)).to(State.SETTLED), seat=0)
    report_on(Table(own.player(0)).to(State.SETTLED), seat=1)
    assert Case.objects.count() == 3
    assert queue.next_case(kunugi, timezone.now()) is None


def test_next_case_is_no_contest_that_may_still_be_answered(kunugi):
    contested(answered=False)
    assert queue.next_case(kunugi, timezone.now()) is None
    assert queue.next_case(kunugi, timezone.now() + timedelta(hours=25)) is not None


# --- taking one ---


@pytest.mark.parametrize("make", [lambda: case_of(in_review()), reported, flagged])
def test_a_case_is_taken_and_given_back(mod, kunugi, make):
    case = make()
    page = queue.case_url(case)
    assert "Take it" in text_of(mod.get(page))
    assert mod.post(reverse("admin:ratematch_take", args=[case.pk])).url == page
    case.refresh_from_db()
    assert case.taken_by == kunugi
    assert "Give it back" in text_of(mod.get(page))
    mod.post(reverse("admin:ratematch_give_back", args=[case.pk]))
    case.refresh_from_db()
    assert case.taken_by is None


@pytest.mark.parametrize("make", [lambda: case_of(in_review()), reported])
def test_a_taken_case_is_for_the_one_who_took_it(mod, make):
    case = make()
    hinoki = factories.moderator("hinoki")
    cases.take(case_id=case.pk, actor=hinoki, now=timezone.now())
    page = mod.get(queue.case_url(case))
    assert page.context["form"] is None
    assert "hinoki works on this case" in text_of(page)
    answer = mod.post(reverse("admin:ratematch_take", args=[case.pk]), follow=True)
    assert "hinoki works on this case" in text_of(answer)
    case.refresh_from_db()
    assert case.taken_by == hinoki
    mod.post(reverse("admin:ratematch_give_back", args=[case.pk]))  # forgotten by the one who took it
    assert mod.get(queue.case_url(case)).context["form"]


def test_a_ruling_on_a_case_that_another_has_taken_is_refused(mod):
    table = in_review()
    cases.take(case_id=case_of(table).pk, actor=factories.moderator("hinoki"), now=timezone.now())
    assert send(mod, table, "rule").status_code == 409
    assert table.row.state == State.REVIEW


def test_taking_what_there_is_not_is_404(mod):
    assert mod.post(reverse("admin:ratematch_take", args=[999_999])).status_code == 404
    assert mod.get(reverse("admin:ratematch_take", args=[999_999])).status_code == 405


def test_query_count_does_not_grow_with_cases(mod):
    def fill():
        for table in (in_review(), contested()):
            rulings.look(match_id=table.id, moderator=factories.moderator(), now=timezone.now())
        reported(), flagged()

    def count():
        with CaptureQueriesContext(connection) as queries:
            assert mod.get(QUEUE).status_code == 200
        return len(queries)

    fill()
    count()
    one = count()
    fill()
    assert count() == one
    assert one <= 20


def test_ruling_goes_on_to_a_report(mod):
    table, report = in_review(), reported()
    assert send(mod, table, "rule").url == page_of(report)
    assert signed_in(factories.moderator()).get(case_url(table)).status_code == 200
