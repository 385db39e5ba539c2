"""What levels do to a player, and how they come and go (rules §4): services, pages and API."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.tests.factories import api_client
from common.errors import Conflict, Forbidden, Invalid
from ratematch.models import Case, Engagement, FairPlayPolicy, Flag, LevelChange, Penalty, Player, RatingChange
from ratematch.policies import check_enter_tournament
from ratematch.rules.lifecycle import Outcome, State, Verb
from ratematch.services import levels, penalties, queue, rulings
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table, in_review
from ratematch.tests.test_reports import report

pytestmark = pytest.mark.django_db

LEVELS = {"A": [], "B": ["disconnect"], "C": ["matching"], "D": ["matching", "false_evidence"]}


def penalised(player, level, now=NOW):
    """The player at a level, by the penalties that lead there."""
    for category in LEVELS[level]:
        penalties.penalise_player(
            player_id=player.pk, actor=factories.moderator(), category=category, reason="Seen.", now=now
        )
    player.refresh_from_db()
    assert player.level == level
    return player


@pytest.mark.parametrize(("level", "won", "lost"), [("A", 24, -24), ("B", 24, -24), ("C", 12, -24), ("D", 12, -24)])
def test_gains_are_halved_at_c_and_d_and_losses_never(level, won, lost):
    table = in_review(1600, 1800)
    penalised(table.player(0), level, table.now)
    rule = rulings.rule(
        match_id=table.id,
        moderator=factories.moderator(),
        outcome=Outcome.PLAYER1,
        reason="Seen.",
        seen_ruling=None,
        now=table.now,
    )
    row = RatingChange.objects.get(player=table.player(0))
    assert (row.applied, float(row.factor), row.after) == (won, won / 24, 1600 + won)
    other = in_review(1600, 1400)
    penalised(other.player(0), level, other.now)
    rulings.rule(
        match_id=other.id,
        moderator=rule.moderator,
        outcome=Outcome.PLAYER2,
        reason="Seen.",
        seen_ruling=None,
        now=other.now,
    )
    assert RatingChange.objects.get(player=other.player(0)).applied == lost


def test_overturning_at_level_c_uses_the_factor_of_then():
    table = in_review(1600, 1800)
    penalised(table.player(0), "C", table.now)
    chief = factories.chief()
    first = rulings.rule(
        match_id=table.id, moderator=chief, outcome="player1", reason="x", seen_ruling=None, now=table.now
    )
    for penalty in Penalty.objects.all():
        penalties.withdraw_penalty(penalty_id=penalty.pk, actor=chief, reason="Mistaken.", now=table.now)
    second = rulings.rule(
        match_id=table.id, moderator=chief, outcome="player2", reason="x", seen_ruling=first.pk, now=table.now
    )
    assert table.player(0).rating == 1592
    rulings.rule(
        match_id=table.id, moderator=chief, outcome="player1", reason="x", seen_ruling=second.pk, now=table.now
    )
    assert table.player(0).rating == 1612  # halved again, though the player is at A by now


@pytest.mark.parametrize(("level", "shown"), [("A", 4), ("B", 0), ("C", 0), ("D", 0)])
def test_streak_is_shown_as_0_below_a_and_the_best_stays(level, shown, client):
    player = penalised(factories.player(streak=4, best_streak=7), level, timezone.now())
    page = client.get(player.get_absolute_url()).content.decode()
    assert f"{shown} (best 7)" in page
    answer = api_client().get(f"{API}/players/{player.pk}").json()
    assert (answer["streak"], answer["best_streak"]) == (shown, 7)
    player.refresh_from_db()
    assert player.streak == 4


@pytest.mark.parametrize("level", ["A", "B", "C", "D"])
def test_level_d_is_kept_out_of_the_queue(level, client):
    player = penalised(factories.player(), level, timezone.now())
    client.force_login(player.user)
    page = client.post(reverse("ratematch:join"), {"condition": "any"})
    assert Engagement.objects.count() == (0 if level == "D" else 1)
    assert page.status_code == (403 if level == "D" else 302)
    Engagement.objects.all().delete()
    answer = api_client(player.user).post(f"{API}/queue", {"condition": "any"}, format="json")
    assert answer.status_code == (403 if level == "D" else 201)
    if level == "D":
        assert answer.json()["code"] == "level_bars_play"


@pytest.mark.parametrize(("level", "regular", "other"), [("A", 1, 1), ("B", 0, 1), ("C", 0, 1), ("D", 0, 0)])
def test_regular_tournaments_are_for_level_a_and_none_for_d(level, regular, other):
    player = penalised(factories.player(), level)
    for is_regular, may in ((True, regular), (False, other)):
        if may:
            check_enter_tournament(player, regular=is_regular)
        else:
            with pytest.raises(Forbidden):
                check_enter_tournament(player, regular=is_regular)


def test_falling_to_d_takes_one_out_of_the_queue():
    player = factories.player()
    queue.join_queue(actor=player.user, condition="any", now=NOW)
    penalised(player, "D")
    assert Engagement.objects.count() == 0


def test_falling_to_d_leaves_a_running_match_alone():
    table = Table().to(State.PLAYING)
    penalised(table.player(0), "D", table.now)
    for seat in (0, 1):
        table.move(seat, Verb.REPORT)
    table.move(0, Verb.DECLARE, "win")
    table.move(1, Verb.DECLARE, "loss")
    assert (table.row.state, table.player(0).rating) == (State.SETTLED, 1508)


def test_a_level_that_was_due_is_looked_at_when_pairing():
    one, two = factories.player(), factories.player()
    queue.join_queue(actor=one.user, condition="any", now=NOW)
    Player.objects.filter(pk=one.pk).update(level="D")
    queue.join_queue(actor=two.user, condition="any", now=NOW)
    assert Engagement.objects.filter(match=None).count() == 2


def test_points_expire_and_the_level_rises_by_itself():
    player = penalised(factories.player(), "C")
    assert not levels.expire_one_due(NOW + timedelta(days=30) - timedelta(seconds=1))
    assert levels.expire_one_due(NOW + timedelta(days=30))
    assert not levels.expire_one_due(NOW + timedelta(days=30))
    player.refresh_from_db()
    assert (player.level, player.level_until) == ("A", None)
    causes = LevelChange.objects.order_by("pk").values_list("before", "after", "cause")
    assert list(causes) == [("A", "C", "penalty"), ("C", "A", "expiry")]


def test_expired_points_count_no_more_without_any_worker():
    player = penalised(factories.player(), "D")
    with pytest.raises(Forbidden):
        queue.join_queue(actor=player.user, condition="any", now=NOW + timedelta(days=29))
    queue.join_queue(actor=player.user, condition="any", now=NOW + timedelta(days=30))
    player.refresh_from_db()
    assert player.level == "A"


def test_gain_is_full_again_when_the_points_expired_during_the_match():
    table = Table(factories.player(rating=1500), factories.player(rating=1500), now=NOW).to(State.REPORTING)
    penalised(table.player(0), "C", table.now - timedelta(days=30) + timedelta(seconds=1))
    table.move(0, Verb.DECLARE, "win")
    table.move(1, Verb.DECLARE, "loss")
    assert table.player(0).rating == 1516


def test_three_opponents_reports_penalise_by_themselves_and_are_flagged():
    accused = factories.player()
    for number in range(3):
        report(accused, factories.player(), now=NOW + timedelta(hours=number))
    accused.refresh_from_db()
    penalty = Penalty.objects.get()
    assert (penalty.player, penalty.category, penalty.by, accused.level) == (accused, "abuse", None, "A")
    flag = Flag.objects.get()
    assert (flag.kind, len(flag.facts["reports"]), penalty.flag) == ("reports", 3, flag)
    assert Case.objects.filter(kind="flag").count() == 1
    report(accused, factories.player(), now=NOW + timedelta(hours=4))
    assert Penalty.objects.count() == 1  # the first three have cost something already


def test_leaving_again_and_again_is_flagged_once_and_costs_nothing_by_default():
    leaver = factories.player()
    for number in range(6):
        table = Table(leaver, factories.player(), now=NOW + timedelta(hours=number)).to(State.PLAYING)
        table.move(table.row.seat_of(leaver.user_id), Verb.LEAVE)
        table.move(1 - table.row.seat_of(leaver.user_id), Verb.LEAVE)
    flag = Flag.objects.get()
    assert (flag.kind, flag.player, len(flag.facts["matches"])) == ("leaving", leaver, 4)
    assert Penalty.objects.count() == 0


def test_leaving_costs_points_where_the_policy_says_so():
    FairPlayPolicy.objects.update_or_create(pk=1, defaults={"leaves": 1, "leaves_cost": True})
    table = Table()
    table.move(0, Verb.LEAVE, after_s=121)
    assert Penalty.objects.get().category == "abandoning"


def test_changed_policy_moves_everybodys_level_at_once():
    player = penalised(factories.player(), "B")
    with pytest.raises(Forbidden):
        levels.change_policy(actor=factories.moderator(), values=FairPlayPolicy(b_from=2), now=NOW)
    levels.change_policy(actor=factories.chief(), values=FairPlayPolicy(c_from=4, b_from=4 - 3, d_from=9), now=NOW)
    player.refresh_from_db()
    assert player.level == "B"
    levels.change_policy(actor=factories.chief(), values=FairPlayPolicy(b_from=1, c_from=2, d_from=3), now=NOW)
    player.refresh_from_db()
    assert (player.level, LevelChange.objects.last().cause) == ("D", "policy")


def test_withdrawn_penalty_gives_the_level_back_and_can_be_withdrawn_once():
    player = penalised(factories.player(), "B")
    penalty = Penalty.objects.get()
    with pytest.raises(Forbidden):
        penalties.withdraw_penalty(penalty_id=penalty.pk, actor=factories.moderator(), reason="x", now=NOW)
    penalties.withdraw_penalty(penalty_id=penalty.pk, actor=factories.chief(), reason="Mistaken.", now=NOW)
    player.refresh_from_db()
    assert player.level == "A"
    with pytest.raises(Conflict):
        penalties.withdraw_penalty(penalty_id=penalty.pk, actor=factories.chief(), reason="x", now=NOW)


def test_penalised_player_is_told_without_points():
    player = penalised(factories.player(), "B")
    kinds = Notice.objects.filter(user=player.user).order_by("pk").values_list("kind", "facts")
    assert list(kinds) == [
        ("ratematch.penalised", {"category": "disconnect", "reason": "Seen.", "match": None}),
        ("ratematch.level_changed", {"before": "A", "after": "B"}),
    ]


def test_own_page_shows_level_effects_and_penalties(client):
    player = penalised(factories.player(), "C", timezone.now())
    client.force_login(player.user)
    page = client.get(reverse("ratematch:fair_play")).content.decode()
    assert "Your fair-play level: C" in page
    assert "Improper matching" in page
    answer = api_client(player.user).get(f"{API}/players/me").json()
    assert [answer[name] for name in ("level", "gains_halved", "may_play", "regular_tournaments")] == [
        "C",
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("category", "reason", "field"),
    [("bad", "x", "category"), ("abuse", " ", "reason"), ("abuse", "x" * 1001, "reason")],
)
def test_penalty_without_category_or_reason_names_the_field(category, reason, field):
    with pytest.raises(Invalid) as no:
        penalties.penalise_player(
            player_id=factories.player().pk, actor=factories.moderator(), category=category, reason=reason, now=NOW
        )
    assert (no.value.field, Penalty.objects.count()) == (field, 0)


def test_nobody_penalises_himself():
    moderator = factories.moderator()
    player = Player.objects.create(user=moderator)
    with pytest.raises(Forbidden):
        penalties.penalise_player(player_id=player.pk, actor=moderator, category="abuse", reason="x", now=NOW)
