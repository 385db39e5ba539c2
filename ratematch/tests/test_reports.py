"""Reporting an opponent, and what moderators make of reports (rules §4, §5)."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.tests.factories import api_client
from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.models import Case, Penalty, Picture, Player, Report
from ratematch.rules.lifecycle import State
from ratematch.services import cases, evidence, penalties, reports, screening
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table, in_review

pytestmark = pytest.mark.django_db


def report(accused, reporter, *, category="abuse", now=NOW, uploads=()):
    """A report by `reporter` after a match that the two have finished."""
    table = Table(accused, reporter, now=now).to(State.SETTLED)
    return reports.report_opponent(
        match_id=table.id,
        actor=reporter.user,
        category=category,
        text="He insulted me.",
        uploads=list(uploads),
        now=table.now,
    )


def decide(case, actor, verdict, **more):
    return cases.decide(case_id=case.pk, actor=actor, verdict=verdict, now=NOW + timedelta(hours=1), **more)


def test_report_opens_a_case_once_a_match():
    filed = report(factories.player(), factories.player())
    case = Case.objects.get()
    assert (case.kind, case.report, case.match, case.opened_at) == ("report", filed, filed.match, filed.at)
    with pytest.raises(Conflict) as no:
        reports.report_opponent(
            match_id=filed.match_id,
            actor=filed.reporter.user,
            category="chat",
            text="Again.",
            uploads=[],
            now=filed.at,
        )
    assert (no.value.code, Report.objects.count()) == ("already_reported_player", 1)


def test_report_needs_a_match_that_is_over_and_not_long_ago():
    table = Table().to(State.PLAYING)
    values = {"match_id": table.id, "category": "abuse", "text": "x", "uploads": []}
    with pytest.raises(Conflict) as no:
        reports.report_opponent(actor=table.user(0), now=table.now, **values)
    assert no.value.code == "report_after_the_match"
    table = Table().to(State.SETTLED)
    values["match_id"] = table.id
    with pytest.raises(Conflict) as no:
        reports.report_opponent(actor=table.user(0), now=table.now + timedelta(days=14, seconds=1), **values)
    assert no.value.code == "report_too_late"
    with pytest.raises(Forbidden):
        reports.report_opponent(actor=factories.user(), now=table.now, **values)


@pytest.mark.parametrize(
    ("values", "field"),
    [({"category": "nonsense"}, "category"), ({"text": " \0 "}, "text"), ({"text": "x" * 1001}, "text")],
)
def test_report_without_category_or_text_names_the_field(values, field):
    table = Table().to(State.SETTLED)
    with pytest.raises(Invalid) as no:
        reports.report_opponent(
            **{"match_id": table.id, "category": "abuse", "text": "x", "uploads": [], **values},
            actor=table.user(0),
            now=table.now,
        )
    assert no.value.field == field


def test_pictures_of_a_report_are_for_its_author_and_moderators():
    filed = report(factories.player(), factories.player(), uploads=[factories.upload(factories.png())])
    picture = Picture.objects.get()
    screening.check_picture(picture_id=picture.pk, now=NOW)
    for viewer in (filed.reporter.user, factories.moderator()):
        assert evidence.picture_for(picture_id=picture.pk, viewer=viewer).pk == picture.pk
    for viewer in (filed.reported.user, factories.user()):
        with pytest.raises(Missing):
            evidence.picture_for(picture_id=picture.pk, viewer=viewer)


def test_refused_report_leaves_no_file():
    filed = report(factories.player(), factories.player())
    before = set(evidence.private_storage().listdir("evidence")[1]) if _has_evidence() else set()
    with pytest.raises(Conflict):
        reports.report_opponent(
            match_id=filed.match_id,
            actor=filed.reporter.user,
            category="abuse",
            text="x",
            uploads=[factories.upload(factories.png())],
            now=filed.at,
        )
    assert set(evidence.private_storage().listdir("evidence")[1]) == before


def _has_evidence():
    return evidence.private_storage().exists("evidence")


def test_penalised_report_costs_points_once_and_tells_the_reporter():
    filed = report(factories.player(), factories.player())
    moderator = factories.moderator()
    decide(filed.case, moderator, "penalised", category="abuse", reason="The chat shows it.")
    penalty = Penalty.objects.get()
    assert (penalty.player, penalty.report, penalty.by) == (filed.reported, filed, moderator)
    assert Notice.objects.filter(user=filed.reporter.user, kind="ratematch.report_closed").count() == 1
    with pytest.raises(Conflict) as no:
        decide(filed.case, factories.moderator(), "dismissed")
    assert (no.value.code, Penalty.objects.count()) == ("case_closed", 1)


def test_dismissed_flag_gives_its_points_back():
    accused = factories.player()
    for _number in range(3):
        report(accused, factories.player())
    flag = Case.objects.get(kind="flag")
    decide(flag, factories.moderator(), "dismissed", note="Friends of each other.")
    assert Penalty.objects.get().withdrawn_at is not None


def test_dismissed_reports_make_no_pattern():
    accused = factories.player()
    for _number in range(2):
        decide(report(accused, factories.player()).case, factories.moderator(), "dismissed")
    report(accused, factories.player())
    assert Penalty.objects.count() == 0


def test_case_that_somebody_works_on_is_not_taken_away():
    case = report(factories.player(), factories.player()).case
    hinoki, kunugi = factories.moderator("hinoki"), factories.moderator("kunugi")
    cases.take(case_id=case.pk, actor=hinoki, now=NOW)
    for refused in (
        lambda: cases.take(case_id=case.pk, actor=kunugi, now=NOW),
        lambda: decide(case, kunugi, "dismissed"),
    ):
        with pytest.raises(Conflict) as no:
            refused()
        assert (no.value.code, no.value.facts["moderator"]) == ("case_taken", "hinoki")
    cases.give_back(case_id=case.pk, actor=kunugi)
    decide(case, kunugi, "dismissed")


def test_nobody_decides_a_case_about_himself():
    accused, reporter = factories.player(), factories.player()
    case = report(accused, reporter).case
    for player in (accused, reporter):
        player.user.is_staff = True
        player.user.save()
        player.user.user_permissions.set(factories.moderator().user_permissions.all())
        with pytest.raises(Forbidden):
            decide(case, player.user, "dismissed")


def test_report_by_page_and_by_api(client):
    table = Table(now=timezone.now()).to(State.SETTLED)
    client.force_login(table.user(0))
    address = reverse("ratematch:report", args=[table.id])
    assert "Report your opponent" in client.get(table.row.get_absolute_url()).content.decode()
    wrong = client.post(address, {"category": "", "text": "He left"})
    assert (wrong.status_code, "He left" in wrong.content.decode()) == (422, True)
    assert client.post(address, {"category": "abandoning", "text": "He left"}).status_code == 302
    assert client.get(address).content.decode().count("can't be reported") == 1
    other = api_client(table.user(1))
    sent = other.post(f"{API}/matches/{table.id}/report", {"category": "abuse", "text": "Rude."}, format="json")
    assert (sent.status_code, sent.json()["closed"]) == (201, False)
    assert [row["id"] for row in other.get(f"{API}/reports").json()["results"]] == [sent.json()["id"]]


def test_report_page_is_for_the_two(client):
    table = Table(now=timezone.now()).to(State.SETTLED)
    client.force_login(factories.user())
    assert client.get(reverse("ratematch:report", args=[table.id])).status_code == 404


def test_the_page_of_a_match_under_review_offers_to_report(client):
    table = in_review()
    client.force_login(table.user(0))
    address = reverse("ratematch:report", args=[table.id])
    assert address in client.get(table.row.get_absolute_url()).content.decode()


def flagged(reporters=None):
    """A flag that three opponents' reports have raised, with its penalty; its case."""
    accused = factories.player()
    for reporter in reporters or [factories.player() for _number in range(3)]:
        report(accused, reporter)
    return Case.objects.get(kind="flag")


def test_a_flag_whose_points_were_taken_back_can_still_be_penalised():
    case = flagged()
    given = case.flag.penalties.get()
    penalties.withdraw_penalty(penalty_id=given.pk, actor=factories.chief(), reason="Too early.", now=NOW)
    decide(case, factories.moderator(), "penalised", category="chat", reason="Two of the three hold.")
    assert case.flag.penalties.filter(withdrawn_at=None).get().category == "chat"


def test_what_moderators_note_is_not_told_to_the_player():
    case = flagged()
    decide(case, factories.moderator(), "dismissed", note="The three know each other.")
    told = Notice.objects.get(kind="ratematch.penalty_withdrawn")
    assert told.facts["reason"] == case.flag.penalties.get().withdrawal_reason == ""


def test_who_reported_doesnt_decide_the_flag_that_came_of_it():
    moderator = factories.moderator()
    me = Player.objects.create(user=moderator)
    case = flagged([me, factories.player(), factories.player()])
    with pytest.raises(Forbidden) as no:
        decide(case, moderator, "dismissed")
    assert no.value.code == "own_case"
