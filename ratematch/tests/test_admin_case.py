"""What the page of a match shows to moderators (rules §5)."""

import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from ratematch.admin import twins
from ratematch.models import Case, ChatLine, Contest, Match, MatchEvent, Picture, Player
from ratematch.pictures import differing_bits
from ratematch.rules.lifecycle import State
from ratematch.services import cases as services
from ratematch.services import rulings
from ratematch.tests import factories
from ratematch.tests.desk import case_url, contested, report_on, send, stripes, text_of
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


def test_case_shows_both_sides(mod):
    table = in_review(1600, 1800)
    page = mod.get(case_url(table))
    html, text = page.content.decode(), text_of(page)
    for number, seat in ((1, 0), (2, 1)):
        assert f"Player {number}, {table.player(seat)}" in text
    assert text.count("“I won”") + text.count("I won") >= 4
    for picture in Picture.objects.filter(match=table.id):
        assert html.count(reverse("ratematch:picture", args=[picture.pk])) == 2
    assert "REVIEW" in text
    assert "K7-204" in text


def test_case_shows_remarks_and_who_handed_in_nothing(mod):
    table = in_review()
    side = table.row.seats[0]
    side.remark = "<b>3–2 for me</b>"
    side.save()
    Picture.objects.filter(match=table.id, seat=1).delete()
    page = mod.get(case_url(table))
    assert "&lt;b&gt;3–2 for me&lt;/b&gt;" in page.content.decode()
    assert "Handed in no picture" in text_of(page)


def test_every_event_of_a_match_has_words(mod):
    table = in_review()
    verbs = set(MatchEvent.objects.filter(match=table.id).values_list("verb", flat=True))
    assert {"matched", "attach", "declare", "submit_evidence"} <= verbs
    assert "handed in evidence" in text_of(mod.get(case_url(table)))


def test_same_and_similar_pictures_of_other_matches_are_shown(mod):
    same, other = stripes(1), stripes(2)
    earlier = in_review(pictures=(same, other))
    shrunk = io.BytesIO()
    Image.open(io.BytesIO(other)).resize((180, 160)).save(shrunk, "PNG")
    table = in_review(pictures=(same, shrunk.getvalue()))
    page = mod.get(case_url(table))
    text = text_of(page)
    assert f"match {earlier.id}, the same file" in text
    assert re.search(rf"match {earlier.id}, (9\d|100)% alike", text)
    assert f'href="{case_url(earlier)}"' in page.content.decode()


def test_pictures_of_the_same_match_or_far_apart_are_no_twins(mod):
    in_review(pictures=(stripes(1), stripes(1)))
    table = in_review(pictures=(stripes(2), stripes(2)))
    picture = Picture.objects.filter(match=table.id).first()
    first = Picture.objects.order_by("pk").first()
    assert differing_bits(picture.likeness, first.likeness) > twins.ALIKE_BITS
    assert "Compare the two" not in text_of(mod.get(case_url(table)))


def test_earlier_rulings_of_both_are_listed(mod, kunugi):
    earlier = in_review()
    rulings.rule(
        match_id=earlier.id, moderator=kunugi, outcome="void", reason="x", seen_ruling=None, now=timezone.now()
    )
    table = Table(earlier.player(0), factories.player()).to(State.EVIDENCE)
    page = mod.get(case_url(table))
    assert f'href="{case_url(earlier)}">Match {earlier.id}</a>' in page.content.decode()


def test_case_of_no_match_is_404(mod):
    assert mod.get(reverse("admin:ratematch_case", args=[999_999])).status_code == 404
    assert mod.get(reverse("admin:ratematch_case_company", args=[999_999])).status_code == 404


def test_opening_a_case_applies_a_clock_that_has_run_out(mod):
    table = Table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() - timedelta(seconds=1))
    mod.get(case_url(table))
    assert table.row.state == State.VOID


# --- fair play, contest, chat ---


def test_case_shows_where_both_stand(mod, sakaki):
    earlier = Table().to(State.SETTLED)
    report = report_on(earlier)
    now = timezone.now()
    services.decide(
        case_id=report.case.pk, actor=sakaki, verdict="penalised", category="false_evidence", reason="x", now=now
    )
    text = text_of(mod.get(case_url(earlier)))
    assert "Points in force 4" in text
    assert "A → B penalty" in text
    assert f"Abuse or nuisance {report.reporter} on {report.reported}" in text  # as a report on this match, and of one


def test_points_of_ones_own_are_not_shown(mod, kunugi):
    table = in_review()
    Player.objects.filter(pk=table.player(0).pk).update(user=kunugi)
    text = text_of(mod.get(case_url(table)))
    assert "another moderator has to rule on it" in text
    assert "Points in force" not in text


def test_a_contest_is_shown_and_waits_for_its_answer(mod):
    table = contested(answered=False)
    page = mod.get(case_url(table))
    text = text_of(page)
    assert "My line was down." in text
    assert "No answer yet. It may come until" in text
    assert page.context["form"] is None
    Contest.objects.update(answer_until=timezone.now())
    page = mod.get(case_url(table))
    assert page.context["form"]
    assert "No answer came until" in text_of(page)


def test_a_contest_is_ruled_on_by_any_moderator(mod):
    table = contested()
    assert "They had left long before." in text_of(mod.get(case_url(table)))
    assert send(mod, table, "rule", "player2").status_code == 302
    assert Case.objects.get().verdict == Case.RULED
    assert table.row.outcome == "player2"


def test_chat_is_shown_with_what_was_hidden(mod, kunugi):
    table = in_review()
    for text, hidden in (("good game", None), ("you cheat", timezone.now())):
        ChatLine.objects.create(
            match_id=table.id,
            author=table.player(0),
            text=text,
            hidden_at=hidden,
            hidden_by=kunugi if hidden else None,
        )
    text = text_of(mod.get(case_url(table)))
    assert "good game" in text
    assert "hidden by kunugi you cheat" in text
