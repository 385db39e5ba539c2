"""Rulings and what they do to ratings, also long afterwards (rules §1, §3.7, §5)."""

from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from accounts.models import Notice
from common.errors import Conflict, Forbidden, Invalid
from ratematch.models import Case, Penalty, Player, RatingChange, Ruling
from ratematch.rules.lifecycle import Outcome, State, Verb
from ratematch.services import rulings
from ratematch.services.ratings import forecast
from ratematch.tests import factories
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db


def rule(table, outcome, seen=None, moderator=None, reason="The history row shows it."):
    table.now += timedelta(hours=1)
    return rulings.rule(
        match_id=table.id,
        moderator=moderator or (factories.chief() if table.row.ended_at else factories.moderator()),
        outcome=outcome,
        reason=reason,
        seen_ruling=seen.pk if seen else None,
        now=table.now,
    )


def ratings(table):
    return [table.player(seat).rating for seat in (0, 1)]


def test_ruling_settles_with_the_change_that_was_at_stake():
    table = in_review(1600, 1800)
    assert RatingChange.objects.count() == 0
    ruling = rule(table, Outcome.PLAYER1)
    assert ratings(table) == [1624, 1776]
    assert {row.ruling for row in RatingChange.objects.all()} == {ruling}
    assert Notice.objects.filter(kind="ratematch.ruled").count() == 2


def test_ruling_after_a_week_is_added_to_the_rating_of_that_day():
    table = in_review(1600, 1800)
    Player.objects.filter(pk=table.player(0).pk).update(rating=1700)
    rule(table, Outcome.PLAYER1)
    assert ratings(table)[0] == 1724


def test_void_ruling_moves_nothing():
    table = in_review()
    rule(table, Outcome.VOID)
    assert (table.row.state, RatingChange.objects.count()) == (State.VOID, 0)


def test_overturning_compensates_and_both_rows_stay():
    table = in_review(1600, 1800)
    first = rule(table, Outcome.PLAYER1)
    rule(table, Outcome.PLAYER2, seen=first)
    assert ratings(table) == [1592, 1808]
    rows = RatingChange.objects.filter(player=table.player(0))
    assert [(row.computed, row.applied) for row in rows] == [(24, 24), (-32, -32)]
    assert rows[1].corrects == rows[0]
    assert [table.player(seat).wins for seat in (0, 1)] == [0, 1]


def test_overturning_an_agreed_result_needs_no_first_ruling():
    table = Table(factories.player(rating=1500), factories.player(rating=1500)).to(State.SETTLED)
    assert ratings(table) == [1516, 1484]
    rule(table, Outcome.VOID)
    assert ratings(table) == [1500, 1500]
    assert [(table.player(seat).wins, table.player(seat).losses) for seat in (0, 1)] == [(0, 0), (0, 0)]


def test_overturning_after_both_have_played_on_corrects_todays_rating():
    table = Table(factories.player(rating=1500), factories.player(rating=1500)).to(State.SETTLED)
    Player.objects.filter(pk=table.player(0).pk).update(rating=1580)
    Player.objects.filter(pk=table.player(1).pk).update(rating=1400)
    rule(table, Outcome.PLAYER2)
    assert ratings(table) == [1580 - 32, 1400 + 32]


def test_overturning_at_the_floor_gives_back_only_what_was_taken():
    table = Table(factories.player(rating=1200), factories.player(rating=1200)).to(State.SETTLED)
    assert ratings(table) == [1216, 1200]
    rule(table, Outcome.PLAYER2)
    # the loser's 16 were never taken, so the right outcome is worth +16 and not +32
    assert ratings(table) == [1200, 1216]
    row = RatingChange.objects.filter(player=table.player(0)).last()
    assert (row.computed, row.applied) == (-16, -16)


def test_overturning_twice_returns_to_the_first_result():
    table = in_review(1600, 1800)
    first = rule(table, Outcome.PLAYER1)
    second = rule(table, Outcome.VOID, seen=first)
    rule(table, Outcome.PLAYER1, seen=second)
    assert ratings(table) == [1624, 1776]
    for seat in (0, 1):
        rows = RatingChange.objects.filter(player=table.player(seat))
        assert [row.after for row in rows][-1] == table.player(seat).rating
        assert all(later.before == earlier.after for earlier, later in pairwise(rows))


def test_overturning_keeps_the_factor_of_the_original_row():
    table = Table(factories.player(rating=1500), factories.player(rating=1500)).to(State.SETTLED)
    RatingChange.objects.filter(player=table.player(1)).update(factor=Decimal("0.5"))
    rule(table, Outcome.PLAYER2)
    assert RatingChange.objects.filter(player=table.player(1)).last().computed == 8 + 16


def test_streak_is_counted_again_when_an_old_result_is_overturned():
    one, two = factories.player(), factories.player()
    first = Table(one, two).to(State.SETTLED)
    winner = first.player(0)
    other = factories.player()
    second = Table(winner, other).to(State.REPORTING)
    seat = 0 if second.player(0).pk == winner.pk else 1
    second.move(seat, Verb.DECLARE, "win")
    second.move(1 - seat, Verb.DECLARE, "loss")
    winner.refresh_from_db()
    assert (winner.streak, winner.best_streak) == (2, 2)
    rule(first, Outcome.PLAYER2)
    winner.refresh_from_db()
    assert (winner.wins, winner.losses, winner.streak, winner.best_streak) == (1, 1, 1, 1)


def test_preview_says_what_the_ruling_then_does():
    table = in_review(1600, 1800)
    preview = forecast(table.row, Outcome.PLAYER2)
    rule(table, Outcome.PLAYER2)
    assert [change.after for change in preview] == ratings(table)


def test_second_moderator_is_told_and_nothing_is_overwritten():
    table = in_review()
    hinoki = factories.moderator("hinoki")
    rule(table, Outcome.PLAYER1, moderator=hinoki)
    before = ratings(table)
    with pytest.raises(Conflict) as no:
        rule(table, Outcome.PLAYER2, moderator=factories.moderator())
    assert (no.value.code, no.value.facts["moderator"]) == ("already_ruled", "hinoki")
    assert (ratings(table), Ruling.objects.count()) == (before, 1)


def test_nobody_rules_on_a_match_of_his_own():
    table = in_review()
    player = table.user(0)
    player.is_staff = True
    player.save()
    player.user_permissions.set(factories.moderator().user_permissions.all())
    with pytest.raises(Forbidden) as no:
        rule(table, Outcome.PLAYER1, moderator=type(player).objects.get(pk=player.pk))
    assert no.value.code == "own_match"


def test_overturning_is_for_chief_moderators():
    table = in_review(1600, 1800)
    first = rule(table, Outcome.PLAYER1)
    with pytest.raises(Forbidden) as no:
        rule(table, Outcome.PLAYER2, seen=first, moderator=factories.moderator())
    assert (no.value.code, ratings(table)) == ("chief_overturns", [1624, 1776])


def test_a_case_waits_from_review_to_the_ruling():
    table = in_review()
    case = Case.objects.get()
    assert (case.kind, case.match_id, case.closed_at, case.opened_at) == ("review", table.id, None, table.now)
    moderator = factories.moderator()
    rule(table, Outcome.PLAYER1, moderator=moderator)
    case.refresh_from_db()
    assert (case.verdict, case.closed_by, case.closed_at) == ("ruled", moderator, table.now)


def test_penalties_of_a_ruling_come_after_its_ratings_and_go_with_it():
    table = in_review(1600, 1800)
    rulings.rule(
        match_id=table.id,
        moderator=factories.moderator(),
        outcome=Outcome.PLAYER1,
        reason="Both lied.",
        seen_ruling=None,
        now=table.now,
        penalties=[(0, "false_evidence"), (0, "false_result"), (1, "abuse")],
    )
    assert ratings(table) == [1624, 1776]  # the level of before the ruling: nothing is halved
    assert [table.player(seat).level for seat in (0, 1)] == ["C", "A"]
    rule(table, Outcome.PLAYER1, seen=Ruling.objects.get())
    assert [table.player(seat).level for seat in (0, 1)] == ["A", "A"]
    assert Penalty.objects.filter(withdrawn_at=None).count() == 0
    assert Penalty.objects.count() == 3


@pytest.mark.parametrize("staff", [True, False])
def test_ruling_needs_the_permission(staff):
    with pytest.raises(Forbidden) as no:
        rule(in_review(), Outcome.PLAYER1, moderator=factories.user(is_staff=staff))
    assert no.value.code == "not_a_moderator"


@pytest.mark.parametrize(
    ("outcome", "reason", "field"),
    [("player3", "because", "outcome"), ("player1", "  ", "reason"), ("player1", "x" * 2001, "reason")],
)
def test_ruling_without_outcome_or_reason_names_the_field(outcome, reason, field):
    with pytest.raises(Invalid) as no:
        rule(in_review(), outcome, reason=reason)
    assert no.value.field == field


def test_ruling_on_a_running_match_is_refused():
    with pytest.raises(Conflict) as no:
        rule(Table(), Outcome.PLAYER1)
    assert no.value.code == "still_running"


def test_two_moderators_on_a_case_see_each_other():
    table, hinoki, kunugi = in_review(), factories.moderator("hinoki"), factories.moderator("kunugi")
    assert rulings.look(match_id=table.id, moderator=hinoki, now=table.now) == []
    others = rulings.look(match_id=table.id, moderator=kunugi, now=table.now)
    assert [str(look.moderator) for look in others] == ["hinoki"]
    later = table.now + timedelta(seconds=61)
    assert rulings.look(match_id=table.id, moderator=kunugi, now=later) == []


def test_overturning_moves_players_onto_the_ladder_and_off_it():
    table = Table(factories.player(rating=1500), factories.player(rating=1500))
    table.move(1, Verb.LEAVE, after_s=120)
    assert table.player(0).last_rated_at is None
    first = rule(table, Outcome.PLAYER1)
    assert table.player(0).last_rated_at == table.row.ended_at
    rule(table, Outcome.VOID, seen=first)
    assert table.player(0).last_rated_at is None
