"""The queue of what waits for moderators (rules §5)."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ratematch.admin import queue
from ratematch.rules.lifecycle import State
from ratematch.services import rulings
from ratematch.tests import factories
from ratematch.tests.desk import QUEUE, case_url, text_of
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


def test_queue_shows_the_oldest_first_with_its_age(mod):
    young, old = in_review(), in_review()
    now = timezone.now()
    for table, age in ((young, timedelta(minutes=3)), (old, timedelta(hours=2, minutes=31))):
        MatchEvent.objects.filter(match=table.id, state_to=State.REVIEW).update(at=now - age)
    page = mod.get(QUEUE)
    assert [match.pk for match, _cause in page.context["rows"]] == [old.id, young.id]
    text = text_of(page)
    assert "2 hours, 31 minutes" in text
    assert str(old.player(0)) in text
    assert "The two don&#x27;t agree on the result" in text
    assert f'href="{case_url(old)}">Next case' in page.content.decode()


def test_empty_queue_says_so(mod):
    Table().to(State.SETTLED)
    assert "Nothing waits for a ruling" in text_of(mod.get(QUEUE))


def test_index_leads_to_the_queue_and_says_how_many_wait(mod):
    in_review()
    page = mod.get(reverse("admin:index"))
    assert "1 match waits for a ruling" in text_of(page)
    assert f'href="{QUEUE}"' in page.content.decode()


def test_queue_says_who_has_a_case_open(mod):
    table = in_review()
    rulings.look(match_id=table.id, moderator=factories.moderator("hinoki"), now=timezone.now())
    assert "hinoki" in text_of(mod.get(QUEUE))


def test_next_case_passes_over_what_others_have_open_and_goes_round(mod, kunugi):
    first, second, third = in_review(), in_review(), in_review()
    now = timezone.now()
    rulings.look(match_id=second.id, moderator=factories.moderator("hinoki"), now=now)
    assert queue.next_case(kunugi, now).pk == first.id
    assert queue.next_case(kunugi, now, after=first.row).pk == third.id
    assert queue.next_case(kunugi, now, after=third.row).pk == first.id


def test_next_case_is_never_the_moderators_own(kunugi):
    own = in_review()
    own.row.seats[0].player.__class__.objects.filter(pk=own.player(0).pk).update(user=kunugi)
    assert queue.next_case(kunugi, timezone.now()) is None
