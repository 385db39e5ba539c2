"""Figures, and signs of farming and collusion (rules §5)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import SeenAddress
from ratematch.admin import farming, figures
from ratematch.models import Case, Match, RatingChange, Side
from ratematch.rules.lifecycle import State
from ratematch.services import cases, rulings
from ratematch.tests import factories
from ratematch.tests.desk import flagged, reported, text_of
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db

FIGURES, FARMING = reverse("admin:ratematch_figures"), reverse("admin:ratematch_farming")


def closed_after(case, hours, by, *, days_ago=1):
    """Dismiss a case, as if it had been opened and closed then."""
    now = timezone.now() - timedelta(days=days_ago)
    Case.objects.filter(pk=case.pk).update(opened_at=now - timedelta(hours=hours))
    cases.decide(case_id=case.pk, actor=by, verdict="dismissed", now=now)


def test_what_waits_by_kind_with_the_oldest(mod, kunugi):
    report, flag = reported(), flagged()
    Case.objects.filter(pk=report.pk).update(opened_at=timezone.now() - timedelta(hours=3, minutes=20))
    cases.take(case_id=report.pk, actor=kunugi, now=timezone.now())
    rows = {row.kind: (row.count, row.taken) for row in figures.waiting()}
    assert rows == {"review": (0, 0), "contest": (0, 0), "report": (1, 1), "flag": (1, 0)}
    assert flag.closed_at is None
    assert "Report 1 1 3 h 20 min" in text_of(mod.get(FIGURES))


def test_time_to_ruling_and_work_of_each(mod, kunugi, sakaki):
    for hours in range(1, 5):
        closed_after(reported(), hours, kunugi)
    closed_after(reported(), 100, sakaki, days_ago=40)
    table = in_review()
    first = rulings.rule(
        match_id=table.id, moderator=kunugi, outcome="player1", reason="x", seen_ruling=None, now=timezone.now(),
        penalties=[(1, "abuse")],
    )  # fmt: skip
    rulings.rule(
        match_id=table.id, moderator=sakaki, outcome="void", reason="x", seen_ruling=first.pk, now=timezone.now()
    )
    found = figures.figures(timezone.now(), 30)
    times = {row.name: row for row in found.times}
    assert times["report"].count == 4
    assert times["report"].median == timedelta(hours=2.5)
    assert times["report"].slowest_twentieth == timedelta(hours=3.85)
    kunugis = next(row for row in found.work if row.name == "kunugi")
    assert (kunugis.total, kunugis.closed["review"], kunugis.penalties, kunugis.replaced) == (5, 1, 1, 1)
    assert found.complete
    assert {row.name for row in figures.figures(timezone.now(), 90).work} == {"kunugi", "sakaki"}
    assert "2 h 30 min" in text_of(mod.get(FIGURES, {"days": "30"}))


def test_figures_say_when_they_do_not_reach_back(mod, kunugi, monkeypatch):
    monkeypatch.setattr("ratematch.admin.figures.COUNTED", 1)
    for _time in range(2):
        closed_after(reported(), 1, kunugi)
    assert "which don't reach back so far" in text_of(mod.get(FIGURES))


# --- farming and collusion ---


@pytest.fixture
def twins():
    """Two who meet again and again, and always with the same result; the loser sits at the floor."""
    winner, loser = factories.player("feeder-1", 1500), factories.player("feeder-2", 1200)
    for n in range(6):
        match = Match.objects.create(state="settled", outcome="player1", ended_at=timezone.now(), deadline_at=None)
        for seat, player, result in ((0, winner, "win"), (1, loser, "loss")):
            Side.objects.create(match=match, seat=seat, player=player, rating=player.rating, result=result)
        RatingChange.objects.create(
            match=match, player=loser, before=1200, computed=-5 - n, applied=0, after=1200, result=0
        )
    return winner, loser


def seen_from(players, address="203.0.113.7"):
    for player in players:
        SeenAddress.objects.create(user=player.user, address=address, last_at=timezone.now())


def test_a_pair_that_meets_often_is_shown_with_its_signs(mod, twins):
    other = factories.player()
    Table(twins[0], other).to(State.SETTLED)
    Match.objects.update(made_at=timezone.now())
    seen_from(twins)
    pair = farming.pairs(farming.window(timezone.now(), 30))[0]
    assert {pair.players[0], pair.players[1]} == set(twins)
    assert (pair.matches, sorted(pair.wins), pair.draws, pair.one_sided) == (6, [0, 6], 0, True)
    assert sorted(pair.percents) == [86, 100]
    assert pair.same_address
    text = text_of(mod.get(FARMING))
    assert "feeder-1 – feeder-2" in text
    assert "one-sided" in text


def test_a_rating_parked_at_the_floor_is_shown(mod, twins):
    found = farming.parked(farming.window(timezone.now(), 30))
    assert [(row.player, row.losses, row.opponents) for row in found] == [(twins[1], 6, 1)]
    assert "feeder-2 6 1" in text_of(mod.get(FARMING))


def test_players_who_share_an_address_are_shown_without_it(mod, twins):
    strangers = [factories.player(), factories.player()]
    seen_from([*twins])
    seen_from(strangers, "203.0.113.9")  # who play no matches
    found = farming.shared(farming.window(timezone.now(), 30))
    assert [(set(row.players), row.matches) for row in found] == [(set(twins), 6)]
    page = mod.get(FARMING)
    assert "feeder-1 , feeder-2 6" in text_of(page)
    assert "203.0.113.7" not in page.content.decode()


def test_nothing_to_see_says_so(mod):
    text = text_of(mod.get(FARMING))
    assert "No pair met 5 times or more" in text
    assert text.count("None.") == 2


def test_the_window_counts(mod, twins):
    Match.objects.update(made_at=timezone.now() - timedelta(days=8))
    RatingChange.objects.update(at=timezone.now() - timedelta(days=8))
    week, month = (farming.window(timezone.now(), days) for days in (7, 30))
    assert (farming.pairs(week), farming.parked(week)) == ([], [])
    assert (len(farming.pairs(month)), len(farming.parked(month))) == (1, 1)
    assert mod.get(FARMING, {"days": "7"}).context["days"] == 7
    assert mod.get(FARMING, {"days": "x"}).context["days"] == 30


def test_no_more_than_the_newest_matches_are_counted(twins, monkeypatch):
    monkeypatch.setattr(farming, "MATCHES", 5)
    monkeypatch.setattr(farming, "OFTEN", 1)
    assert farming.pairs(farming.window(timezone.now(), 30))[0].matches == 5


def test_query_counts_do_not_grow(mod, twins):
    def count(url):
        mod.get(url)
        with CaptureQueriesContext(connection) as queries:
            mod.get(url)
        return len(queries)

    seen_from(twins)
    one = count(FARMING)
    others = [factories.player(), factories.player()]
    for match in Match.objects.all()[:6]:
        copy = Match.objects.create(state="settled", outcome="player1", ended_at=match.ended_at)
        for seat, player in enumerate(others):
            Side.objects.create(match=copy, seat=seat, player=player, rating=1200, result=("win", "loss")[seat])
    seen_from(others, "203.0.113.9")
    assert len(farming.pairs(farming.window(timezone.now(), 30))) == 2
    assert count(FARMING) == one
