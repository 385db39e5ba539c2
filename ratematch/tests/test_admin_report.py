"""The pages of reports and flags, and deciding them (rules §4, §5)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from ratematch.models import Case, ChatLine, Penalty, Picture, Player, ReasonTemplate, Report
from ratematch.rules.lifecycle import State
from ratematch.services import cases, reports, screening
from ratematch.tests import factories
from ratematch.tests.desk import (
    QUEUE,
    case_url,
    flagged,
    flagged_by_reports,
    page_of,
    report_on,
    reported,
    signed_in,
    text_of,
)
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db


def decide(client, case, verdict, category="abuse", reason="The chat shows it.", note="", **options):
    data = {"verdict": verdict, "category": category, "reason": reason, "note": note}
    return client.post(page_of(case), data, **options)


def test_a_report_shows_all_that_is_known(mod):
    table = Table().to(State.SETTLED)
    ChatLine.objects.create(match_id=table.id, author=table.player(1), text="you noob")
    shot = [factories.upload(factories.png())]
    report = reports.report_opponent(
        match_id=table.id, actor=table.user(0), category="abuse", text="<i>Swore</i>.", uploads=shot, now=table.now
    )
    picture = Picture.objects.get()
    screening.check_picture(picture_id=picture.pk, now=table.now)
    other = report_on(table, seat=0)
    html = mod.get(page_of(report.case)).content.decode()
    text = text_of(mod.get(page_of(report.case)))
    assert f"Report of {table.player(1)}" in text
    assert "&lt;i&gt;Swore&lt;/i&gt;." in html
    assert "0, of which 0 led to a penalty" in text
    assert "you noob" in text
    assert "Player 1" in text
    assert f"Log of match {table.id}" in text
    for url in (reverse("ratematch:picture", args=[picture.pk]), case_url(table), page_of(other.case)):
        assert url in html


def test_penalising_gives_points_tells_both_and_goes_on(mod, kunugi):
    case, following = reported(), reported()
    page = mod.get(page_of(case))
    assert "Abuse or nuisance (2, A → A)" in text_of(page)
    assert "checked" not in page.content.decode().partition('id="ruling"')[2].partition("</form>")[0]
    assert decide(mod, case, "penalised", note="third time").url == page_of(following)
    penalty = Penalty.objects.get()
    assert (penalty.player, penalty.points, penalty.by, penalty.report) == (
        case.report.reported,
        2,
        kunugi,
        case.report,
    )
    case.refresh_from_db()
    assert (case.verdict, case.closed_by, case.note) == (Case.PENALISED, kunugi, "third time")
    assert Notice.objects.filter(kind="ratematch.penalised", user=case.report.reported.user).count() == 1
    assert Notice.objects.filter(kind="ratematch.report_closed", user=case.report.reporter.user).count() == 1
    text = text_of(mod.get(page_of(case)))
    assert "Closed by kunugi" in text
    assert "third time" in text
    assert "The chat shows it." in text


def test_dismissing_costs_nothing(mod):
    case = reported()
    assert decide(mod, case, "dismissed", reason="").url == QUEUE
    assert Penalty.objects.count() == 0


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"verdict": ""}, "verdict"),
        ({"verdict": "ruled"}, "verdict"),
        ({"verdict": "penalised", "category": ""}, "category"),
        ({"verdict": "penalised", "reason": " "}, "reason"),
        ({"verdict": "dismissed", "note": "x" * 2001}, "note"),
    ],
)
def test_what_is_missing_is_said_at_its_field_and_nothing_is_lost(mod, sent, field):
    case = reported()
    data = {"verdict": "dismissed", "category": "abuse", "reason": "Typed.", "note": "Noted."} | sent
    page = mod.post(page_of(case), data)
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {field}
    assert "Typed." in text_of(page) or field == "reason"
    case.refresh_from_db()
    assert case.closed_at is None


def test_a_double_click_decides_once_and_is_no_conflict(mod):
    case = reported()
    assert [decide(mod, case, "penalised").status_code for _click in range(2)] == [302, 302]
    assert Penalty.objects.count() == 1


def test_second_moderator_is_told_and_loses_nothing(mod):
    case = reported()
    hinoki = signed_in(factories.moderator("hinoki"))
    decide(hinoki, case, "dismissed")
    page = decide(mod, case, "penalised")
    text = text_of(page)
    assert page.status_code == 409
    assert "hinoki has closed this case meanwhile" in text
    assert "The chat shows it." in text
    assert Penalty.objects.count() == 0


def test_what_another_has_taken_is_refused(mod):
    case = reported()
    cases.take(case_id=case.pk, actor=factories.moderator("hinoki"), now=timezone.now())
    page = decide(mod, case, "penalised")
    assert page.status_code == 409
    assert "The chat shows it." in text_of(page)


@pytest.mark.parametrize("side", ["reporter", "reported"])
def test_ones_own_case_shows_nothing_and_is_refused(mod, kunugi, side):
    case = reported(text="A secret.")
    Player.objects.filter(pk=getattr(case.report, f"{side}_id")).update(user=kunugi)
    page = mod.get(page_of(case))
    assert page.context["form"] is None
    assert "This case is about you" in text_of(page)
    assert "A secret." not in text_of(page)
    assert decide(mod, case, "dismissed").status_code == 403


def test_a_flag_of_leaving_shows_the_matches(mod):
    case = flagged()
    page = mod.get(page_of(case))
    assert len(page.context["found"].made_of[1]) == 4
    assert "Leaving often Abandoning play" in text_of(page)
    assert decide(mod, case, "penalised", "abandoning").status_code == 302
    assert Penalty.objects.get().flag == case.flag


def test_a_flag_that_cost_points_is_confirmed_or_taken_back(mod):
    for verdict, counts in (("penalised", True), ("dismissed", False)):
        case = flagged_by_reports()
        page = mod.get(page_of(case))
        assert "Points given by itself 3" in text_of(page)
        assert len(page.context["found"].made_of[0]) == 3
        assert "Confirm: the points stay" in text_of(page)
        assert decide(mod, case, verdict, category="", reason="").status_code == 302
        assert (Penalty.objects.get(flag=case.flag).withdrawn_at is None) is counts


def test_a_reported_line_is_shown_with_those_around_it(mod):
    table = Table().to(State.SETTLED)
    lines = [ChatLine.objects.create(match_id=table.id, author=table.player(n % 2), text=f"no. {n}.") for n in range(5)]
    report = Report.objects.create(
        line=lines[3], reporter=table.player(0), reported=table.player(1), category="chat", at=table.now
    )
    case = Case.objects.create(kind=Case.REPORT, report=report, opened_at=table.now)
    text = text_of(mod.get(page_of(case)))
    assert "no. 1." in text
    assert "reported no. 3." in text


def test_a_case_of_a_match_is_found_there_and_no_case_is_404(mod):
    table = factories.in_review()
    assert mod.get(page_of(Case.objects.get())).url == case_url(table)
    for pk in ("999999", "x"):
        assert mod.get(f"/admin/ratematch/case/{pk}/change/").status_code == 404


def test_templates_can_be_inserted(mod):
    ReasonTemplate.objects.create(title="Chat", text="Words that hurt.")
    for url in (page_of(reported()), case_url(factories.in_review())):
        assert '<option value="Words that hurt.">Chat</option>' in mod.get(url).content.decode()


def test_query_count_does_not_grow(mod):
    def count(url):
        mod.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert mod.get(url).status_code == 200
        return len(queries)

    pages = [page_of(flagged_by_reports()), page_of(reported())]
    reported()  # so that there is a next case from the start
    one = [count(url) for url in pages]
    report, flag = Report.objects.order_by("-pk")[1], Case.objects.get(kind="flag").flag
    for _time in range(3):
        report_on(Table(report.reported, factories.player()).to(State.SETTLED))
        report_on(Table(flag.player, factories.player()).to(State.SETTLED))
    assert [count(url) for url in pages] == one
    assert max(one) <= 35
