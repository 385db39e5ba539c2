"""A player's page in the admin: standing, penalties without a case, taking one back (rules §4, §5)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ratematch.models import ChatLine, Mute, Penalty, Player
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import penalties
from ratematch.tests import factories
from ratematch.tests.desk import case_url, player_page, report_on, text_of
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db


def penalise(player, actor, category="false_evidence", reason="Seen on stream."):
    return penalties.penalise_player(
        player_id=player.pk, actor=actor, category=category, reason=reason, now=timezone.now()
    )


def withdraw_page(penalty):
    return reverse("admin:ratematch_withdraw", args=[penalty.pk])


def test_page_shows_standing_log_reports_mutes_and_leaving(mod, kunugi):
    table = Table(now=timezone.now() - timedelta(hours=1)).to(State.PLAYING)
    table.move(1, Verb.LEAVE)
    table.move(0, Verb.LEAVE)
    player = table.player(1)
    penalise(player, kunugi)
    report = report_on(Table(player).to(State.SETTLED), text="Again.")
    Mute.objects.create(player=player, by=kunugi, reason="spam", until=timezone.now() + timedelta(days=1))
    page = mod.get(player_page(player))
    text = text_of(page)
    assert "Points in force 4" in text
    assert "A → B penalty" in text
    assert "Seen on stream." in text
    assert "Withdraw " not in text
    assert "spam" in text
    week = page.context["standing"].leaving[0]
    assert (week.days, week.matches, week.before_play, week.in_play) == (7, 1, 0, 1)
    filed = report.reported_id == player.pk
    assert [len(page.context["standing"].against), len(page.context["standing"].filed)] == ([1, 0] if filed else [0, 1])


def test_penalty_without_a_case(mod, kunugi):
    player = factories.player()
    url = player_page(player)
    assert mod.post(url, {"category": "matching", "reason": "Two accounts."}).url == url
    penalty = Penalty.objects.get()
    assert (penalty.player, penalty.by, penalty.points, penalty.reason) == (player, kunugi, 6, "Two accounts.")
    assert Player.objects.get(pk=player.pk).level == "C"
    for sent, field in (({"reason": "x"}, "category"), ({"category": "matching"}, "reason")):
        page = mod.post(url, sent)
        assert page.status_code == 422
        assert page.context["form"].errors.keys() == {field}
    assert Penalty.objects.count() == 1


def test_ones_own_page_says_nothing_and_takes_nothing(mod, kunugi):
    player = Player.objects.create(user=kunugi)
    text = text_of(mod.get(player_page(player)))
    assert "This is you" in text
    assert "Points in force" not in text
    assert mod.post(player_page(player), {"category": "abuse", "reason": "x"}).status_code == 403


def test_a_chief_moderator_withdraws_with_a_reason(chief, kunugi):
    player = factories.player()
    penalty = penalise(player, kunugi)
    assert withdraw_page(penalty) in chief.get(player_page(player)).content.decode()
    assert "Seen on stream." in text_of(chief.get(withdraw_page(penalty)))
    assert chief.post(withdraw_page(penalty), {"reason": ""}).status_code == 422
    assert chief.post(withdraw_page(penalty), {"reason": "Somebody else."}).url == player_page(player)
    penalty.refresh_from_db()
    assert penalty.withdrawal_reason == "Somebody else."
    assert Player.objects.get(pk=player.pk).level == "A"
    again = chief.post(withdraw_page(penalty), {"reason": "Somebody else."})
    assert again.status_code == 409
    assert "withdrawn already" in text_of(again)


def test_moderators_withdraw_nothing(mod, kunugi):
    penalty = penalise(factories.player(), kunugi)
    assert mod.get(withdraw_page(penalty)).status_code == 403
    assert mod.post(withdraw_page(penalty), {"reason": "x"}).status_code == 403
    penalty.refresh_from_db()
    assert penalty.withdrawn_at is None


def test_no_such_player_or_penalty_is_404(mod, chief):
    for pk in ("999999", "x"):
        assert mod.get(f"/admin/ratematch/player/{pk}/change/").status_code == 404
    assert chief.get(reverse("admin:ratematch_withdraw", args=[999_999])).status_code == 404


def test_query_count_does_not_grow(mod, kunugi):
    player = factories.player()

    def fill():
        penalise(player, kunugi, "chat")
        report_on(Table(player).to(State.SETTLED))
        Mute.objects.create(player=player, by=kunugi, reason="spam", until=timezone.now())

    def count():
        mod.get(player_page(player))
        with CaptureQueriesContext(connection) as queries:
            assert mod.get(player_page(player)).status_code == 200
        return len(queries)

    fill()
    fill()  # reports of him and by him: seats are random
    one = count()
    fill()
    fill()
    assert count() == one
    assert one <= 25


# --- mutes and chat lines ---


def test_a_player_is_muted_and_the_mute_lifted(mod, kunugi):
    player = factories.player()
    url = reverse("admin:ratematch_mute", args=[player.pk])
    assert mod.post(url, {"mute-hours": "24", "mute-reason": "Spam."}).url == player_page(player)
    row = Mute.objects.get()
    assert (row.player, row.by, row.reason) == (player, kunugi, "Spam.")
    assert "in force" in text_of(mod.get(player_page(player)))
    assert mod.post(reverse("admin:ratematch_lift_mute", args=[row.pk])).url == player_page(player)
    assert "lifted by kunugi" in text_of(mod.get(player_page(player)))
    for sent, field in (({"mute-hours": "5", "mute-reason": "x"}, "hours"), ({"mute-hours": "1"}, "reason")):
        page = mod.post(url, sent)
        assert page.status_code == 422
        assert page.context["mute_form"].errors.keys() == {field}


def test_a_line_is_hidden_from_the_page_that_shows_it(mod, kunugi):
    table = Table().to(State.SETTLED)
    line = ChatLine.objects.create(match_id=table.id, author=table.player(0), text="you cheat")
    url = reverse("admin:ratematch_hide_line", args=[line.pk])
    assert url in mod.get(case_url(table)).content.decode()
    assert mod.post(url, {"next": f"{case_url(table)}#chat"}).url == f"{case_url(table)}#chat"
    line.refresh_from_db()
    assert line.hidden_by == kunugi
    assert mod.post(url, {"next": "https://elsewhere.example/"}).url == player_page(line.author)
