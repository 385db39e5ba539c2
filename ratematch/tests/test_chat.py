"""What the two of a match say to each other (rules §6): said, hidden, muted, reported, kept apart."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.services import blocks, presence
from accounts.tests.factories import api_client
from accounts.tests.staff import staff_client
from common.errors import Conflict, Forbidden, Invalid, Missing, TooMany
from ratematch.models import Case, ChatLine, Mute, Player, Report
from ratematch.rules.lifecycle import State
from ratematch.services import chat, reports
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db


def say(table, seat=0, text="Good luck", now=None):
    return chat.say_in_match(match_id=table.id, actor=table.user(seat), text=text, now=now or table.now)


def test_the_two_read_each_other_and_nobody_else_does(client):
    table = Table(now=timezone.now())
    say(table)
    for user, status in (
        (table.user(0), 200),
        (table.user(1), 200),
        (factories.moderator(), 404),  # without a second factor, a moderator is anybody
        (factories.user(), 404),
        (factories.user(is_staff=True), 404),
    ):
        client.force_login(user)
        page = client.get(reverse("ratematch:match_chat", args=[table.id]))
        assert page.status_code == status
        assert ("Good luck" in page.content.decode()) == (status == 200)


def test_only_the_two_speak():
    table = Table()
    for user in (factories.user(), factories.moderator()):
        with pytest.raises(Forbidden):
            chat.say_in_match(match_id=table.id, actor=user, text="Hello", now=NOW)
    with pytest.raises(Missing):
        chat.say_in_match(match_id=table.id + 1, actor=table.user(0), text="Hello", now=NOW)


def test_chat_ends_a_day_after_the_match():
    table = Table().to(State.SETTLED)
    over = table.row.ended_at + timedelta(hours=24)
    say(table, now=over - timedelta(seconds=1))
    with pytest.raises(Conflict) as no:
        say(table, now=over)
    assert no.value.code == "chat_is_over"


def test_neither_speaks_when_one_has_blocked_the_other():
    table = Table()
    blocks.block(actor=table.user(0), user_id=table.user(1).pk)
    for seat in (0, 1):
        with pytest.raises(Forbidden) as no:
            say(table, seat)
        assert no.value.code == "chat_blocked"


@pytest.mark.parametrize(("text", "code"), [(" \0 ", "line_needs_text"), ("x" * 301, "line_too_long")])
def test_line_without_text_or_with_too_much_is_refused(text, code):
    with pytest.raises(Invalid) as no:
        say(Table(), text=text)
    assert (no.value.code, no.value.field) == (code, "text")


def test_too_many_lines_are_refused():
    table = Table()
    for _number in range(10):
        say(table)
    with pytest.raises(TooMany):
        say(table)
    assert ChatLine.objects.count() == 10


def test_hidden_line_is_gone_for_the_two_and_there_for_moderators(client):
    table = Table(now=timezone.now())
    line = say(table, text="You cheat")
    with pytest.raises(Forbidden):
        chat.hide(line_id=line.pk, actor=table.user(1), now=table.now)
    moderator = factories.moderator()
    chat.hide(line_id=line.pk, actor=moderator, now=table.now)
    chat.hide(line_id=line.pk, actor=factories.moderator(), now=table.now)
    line.refresh_from_db()
    assert line.hidden_by == moderator
    address = reverse("ratematch:match_chat", args=[table.id])
    client.force_login(table.user(1))
    page = client.get(address).content.decode()
    assert ("You cheat" in page, "has hidden this line" in page) == (False, True)
    assert api_client(table.user(1)).get(f"{API}/matches/{table.id}/chat").json()["results"][0]["text"] is None
    assert "You cheat" in staff_client(moderator).get(address).content.decode()


def test_muted_player_cant_speak_until_the_mute_is_over_or_lifted():
    table = Table()
    player = table.player(0)
    mute = chat.mute(player_id=player.pk, actor=factories.moderator(), hours=1, reason="Insults", now=NOW)
    assert Notice.objects.filter(user=player.user, kind="ratematch.muted").count() == 1
    with pytest.raises(Forbidden) as no:
        say(table, now=NOW + timedelta(minutes=59))
    assert (no.value.code, no.value.facts["until"]) == ("muted", NOW + timedelta(hours=1))
    say(table, 1, now=NOW)
    chat.lift(mute_id=mute.pk, actor=factories.moderator(), now=NOW)
    say(table, now=NOW)
    assert Mute.objects.count() == 1


def test_nobody_lifts_his_own_mute():
    moderator = factories.moderator()
    player = Player.objects.create(user=moderator)
    mute = chat.mute(player_id=player.pk, actor=factories.moderator(), hours=1, reason="Insults", now=NOW)
    with pytest.raises(Forbidden):
        chat.lift(mute_id=mute.pk, actor=moderator, now=NOW)
    assert chat.muted(player, NOW) == mute


def test_only_moderators_mute_and_never_themselves():
    table = Table()
    values = {"player_id": table.player(0).pk, "hours": 1, "reason": "x", "now": NOW}
    with pytest.raises(Forbidden):
        chat.mute(actor=table.user(1), **values)
    for wrong, field in (({"hours": 2}, "hours"), ({"reason": " "}, "reason")):
        with pytest.raises(Invalid) as no:
            chat.mute(actor=factories.moderator(), **{**values, **wrong})
        assert no.value.field == field


def test_reported_line_opens_one_case():
    table = Table()
    line = say(table, text="You cheat")
    report = reports.report_line(line_id=line.pk, actor=table.user(1), now=table.now)
    assert (report.category, report.reported, Case.objects.get().report) == ("chat", line.author, report)
    for actor, error in ((table.user(1), Conflict), (table.user(0), Forbidden), (factories.user(), Missing)):
        with pytest.raises(error):
            reports.report_line(line_id=line.pk, actor=actor, now=table.now)
    assert Report.objects.count() == 1


def test_who_looks_away_is_told_once():
    table = Table()
    later = NOW + timedelta(minutes=5)
    presence.touch(table.user(0).pk, active=True, now=later)
    for _number in range(3):
        say(table, now=later)
    assert Notice.objects.filter(user=table.user(1), kind="ratematch.chat").count() == 1
    presence.touch(table.user(1).pk, active=True, now=later)
    say(table, 1, now=later)
    assert Notice.objects.filter(user=table.user(0), kind="ratematch.chat").count() == 0


def test_a_refused_line_keeps_what_was_typed(client):
    table = Table(now=timezone.now())
    client.force_login(table.user(0))
    address = reverse("ratematch:match_chat", args=[table.id])
    page = client.post(address, {"text": "y" * 301})
    assert (page.status_code, "y" * 301 in page.content.decode()) == (400, True)
    assert client.post(address, {"text": "<b>hi</b>"}).status_code == 302
    assert "&lt;b&gt;hi" in client.get(address).content.decode()


@pytest.mark.usefixtures("answers_fit_the_schema")
def test_chat_by_the_api():
    table = Table(now=timezone.now())
    address = f"{API}/matches/{table.id}/chat"
    said = api_client(table.user(0)).post(address, {"text": "Ready?"}, format="json")
    assert said.status_code == 201
    other = api_client(table.user(1))
    assert [row["text"] for row in other.get(address).json()["results"]] == ["Ready?"]
    assert api_client(factories.user()).get(address).status_code == 403
    assert other.post(f"{API}/chat-lines/{said.json()['id']}/report").status_code == 201


def test_a_line_is_reported_while_it_is_new():
    table = Table()
    line = say(table)
    with pytest.raises(Conflict) as no:
        reports.report_line(line_id=line.pk, actor=table.user(1), now=table.now + timedelta(days=14, seconds=1))
    assert no.value.code == "report_too_late"
    assert reports.report_line(line_id=line.pk, actor=table.user(1), now=table.now + timedelta(days=14))


def test_a_reason_too_long_to_be_kept_is_refused():
    with pytest.raises(Invalid) as no:
        chat.mute(player_id=factories.player().pk, actor=factories.moderator(), hours=1, reason="x" * 501, now=NOW)
    assert (no.value.code, no.value.facts["limit"]) == ("reason_too_long", 500)
