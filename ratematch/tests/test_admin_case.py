"""What the page of a match shows to moderators (rules §5)."""

import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from ratematch.admin import twins
from ratematch.models import Match, MatchEvent, Picture
from ratematch.pictures import differing_bits
from ratematch.rules.lifecycle import State
from ratematch.services import rulings
from ratematch.tests import factories
from ratematch.tests.desk import case_url, stripes, text_of
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
    assert f'href="{case_url(earlier)}">{earlier.id}</a>' in page.content.decode()


def test_case_of_no_match_is_404(mod):
    assert mod.get(reverse("admin:ratematch_case", args=[999_999])).status_code == 404
    assert mod.get(reverse("admin:ratematch_case_company", args=[999_999])).status_code == 404


def test_opening_a_case_applies_a_clock_that_has_run_out(mod):
    table = Table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() - timedelta(seconds=1))
    mod.get(case_url(table))
    assert table.row.state == State.VOID
