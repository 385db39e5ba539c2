"""A loss by silence, contested (rules §9)."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.tests.factories import api_client
from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.models import Case, Contest, Picture, RatingChange
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import contests, deadlines, evidence, rulings, screening
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def silent_report(now=NOW):
    """§3.4c: seat 0 declares, seat 1 doesn't."""
    table = Table(factories.player(rating=1500), factories.player(rating=1500), now=now).to(State.REPORTING)
    table.move(0, Verb.DECLARE, "win")
    return expired(table)


def silent_reconfirm(now=NOW):
    """§3.5."""
    table = Table(now=now).to(State.RECONFIRM)
    table.move(0, Verb.DECLARE, "win")
    return expired(table)


def proof_too_late(now=NOW):
    """§3.6, first row: seat 0 reported, nobody answered, and seat 0 shows nothing."""
    table = Table(now=now).to(State.PLAYING)
    table.move(0, Verb.REPORT)
    expired(table)
    assert table.row.state == State.EVIDENCE
    return expired(table)


def no_proof(now=NOW):
    """The same, by a press."""
    table = Table(now=now).to(State.PLAYING)
    table.move(0, Verb.REPORT)
    expired(table)
    table.move(0, Verb.NO_EVIDENCE)
    return table


def expired(table):
    table.now = table.row.deadline_at + timedelta(seconds=1)
    deadlines.settle(table.id, table.now)
    return table


def contest(table, seat, *, now=None, uploads=None, text="The game had crashed."):
    uploads = [factories.upload(factories.png())] if uploads is None else uploads
    return contests.contest(match_id=table.id, actor=table.user(seat), text=text, uploads=uploads, now=now or table.now)


def rule(table, outcome, now):
    return rulings.rule(
        match_id=table.id,
        moderator=factories.moderator(),
        outcome=outcome,
        reason="The picture shows it.",
        seen_ruling=None,
        now=now,
    )


@pytest.mark.parametrize(
    ("way", "loser"), [(silent_report, 1), (silent_reconfirm, 1), (proof_too_late, 0), (no_proof, 0)]
)
def test_each_loss_by_silence_can_be_contested_and_the_rating_stays(way, loser):
    table = way()
    before = [table.player(seat).rating for seat in (0, 1)]
    row = contest(table, loser)
    assert (table.row.state, [table.player(seat).rating for seat in (0, 1)]) == (State.SETTLED, before)
    assert Case.objects.get(kind="contest").contest == row
    assert row.answer_until == table.now + 24 * HOUR
    assert Notice.objects.filter(user=table.user(1 - loser), kind="ratematch.contested").count() == 1


def test_who_won_or_agreed_cant_contest():
    table = silent_report()
    with pytest.raises(Conflict) as no:
        contest(table, 0)
    assert no.value.code == "not_lost_by_silence"
    agreed = Table().to(State.SETTLED)
    with pytest.raises(Conflict):
        contest(agreed, 1)
    with pytest.raises(Forbidden):
        contests.contest(
            match_id=table.id,
            actor=factories.user(),
            text="x",
            uploads=[factories.upload(factories.png())],
            now=table.now,
        )


def test_contest_is_possible_once_and_for_a_day():
    table = silent_report()
    ended = table.row.ended_at
    with pytest.raises(Conflict) as no:
        contest(table, 1, now=ended + 24 * HOUR + timedelta(seconds=1))
    assert no.value.code == "contest_too_late"
    contest(table, 1, now=ended + 24 * HOUR)
    with pytest.raises(Conflict) as no:
        contest(table, 1)
    assert (no.value.code, Picture.objects.count()) == ("contested_already", 1)


@pytest.mark.parametrize(
    ("values", "field"),
    [({"uploads": []}, "picture"), ({"text": "  "}, "text"), ({"text": "x" * 1001}, "text")],
)
def test_contest_needs_words_and_a_picture(values, field):
    with pytest.raises(Invalid) as no:
        contest(silent_report(), 1, **values)
    assert (no.value.field, Contest.objects.count()) == (field, 0)


def test_a_moderator_rules_when_the_other_has_answered_or_had_the_time():
    table = silent_report()
    assert [table.player(seat).rating for seat in (0, 1)] == [1516, 1484]
    contest(table, 1)
    with pytest.raises(Conflict) as no:
        rule(table, "player2", table.now + 23 * HOUR)
    assert no.value.code == "contest_unanswered"
    contests.answer(match_id=table.id, actor=table.user(0), text="It had not.", uploads=[], now=table.now + HOUR)
    ruling = rule(table, "player2", table.now + 2 * HOUR)  # no chief is needed: nobody has ruled before
    assert [table.player(seat).rating for seat in (0, 1)] == [1484, 1516]
    assert RatingChange.objects.filter(ruling=ruling).count() == 2
    assert (Contest.objects.get().ruling, Case.objects.get().verdict) == (ruling, "ruled")


def test_silence_of_the_other_lets_the_moderator_rule_after_a_day():
    table = silent_report()
    contest(table, 1)
    later = table.now + 24 * HOUR
    with pytest.raises(Conflict) as no:
        contests.answer(match_id=table.id, actor=table.user(0), text="Late", uploads=[], now=later)
    assert no.value.code == "answer_too_late"
    rule(table, "void", later)
    assert [table.player(seat).rating for seat in (0, 1)] == [1500, 1500]


def test_a_ruled_contest_is_overturned_by_chiefs_only():
    table = silent_report()
    contest(table, 1)
    first = rule(table, "void", table.now + 25 * HOUR)
    with pytest.raises(Forbidden):
        rulings.rule(
            match_id=table.id,
            moderator=factories.moderator(),
            outcome="player1",
            reason="x",
            seen_ruling=first.pk,
            now=table.now + 26 * HOUR,
        )


def test_answer_is_the_others_and_comes_once():
    table = silent_report()
    values = {"match_id": table.id, "text": "No.", "uploads": [], "now": table.now}
    with pytest.raises(Missing):
        contests.answer(actor=table.user(0), **values)
    contest(table, 1)
    with pytest.raises(Conflict) as no:
        contests.answer(actor=table.user(1), **values)
    assert no.value.code == "own_contest"
    contests.answer(actor=table.user(0), **values)
    with pytest.raises(Conflict) as no:
        contests.answer(actor=table.user(0), **values)
    assert no.value.code == "already_answered"


def test_pictures_of_a_contest_are_seen_by_both_and_moderators():
    table = silent_report()
    contest(table, 1)
    picture = Picture.objects.get()
    screening.check_picture(picture_id=picture.pk, now=table.now)
    for viewer in (table.user(0), table.user(1), factories.moderator()):
        assert evidence.picture_for(picture_id=picture.pk, viewer=viewer)
    with pytest.raises(Missing):
        evidence.picture_for(picture_id=picture.pk, viewer=factories.user())


def test_contest_and_answer_by_page(client):
    table = silent_report(timezone.now() - 2 * HOUR)
    address = reverse("ratematch:contest", args=[table.id])
    client.force_login(table.user(1))
    assert address in client.get(table.row.get_absolute_url()).content.decode()
    refused = client.post(address, {"text": "It had crashed"})
    assert (refused.status_code, "It had crashed" in refused.content.decode()) == (422, True)
    sent = client.post(address, {"text": "It had crashed", "picture": factories.upload(factories.png())})
    assert sent.status_code == 302
    client.force_login(table.user(0))
    assert "Answer the contest" in client.get(table.row.get_absolute_url()).content.decode()
    assert client.post(address, {"text": "It had not"}).status_code == 302
    assert Contest.objects.get().answer == "It had not"
    client.force_login(factories.user())
    assert client.get(address).status_code == 404


@pytest.mark.usefixtures("answers_fit_the_schema")
def test_contest_and_answer_by_the_api():
    table = silent_report(timezone.now() - 2 * HOUR)
    loser, winner = api_client(table.user(1)), api_client(table.user(0))
    address = f"{API}/matches/{table.id}/contest"
    assert winner.get(address).status_code == 404
    assert loser.post(address, {"text": "Crashed"}, format="json").status_code == 400
    body = {"text": "Crashed", "pictures": [factories.upload(factories.png())]}
    assert loser.post(address, body, format="multipart").json()["by"] == "player2"
    assert winner.post(f"{address}/answer", {"text": "No"}, format="json").json()["answer"] == "No"
    assert api_client(factories.user()).get(address).status_code == 403
