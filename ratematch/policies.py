"""Who may. `check_x` raises, `can_x` answers; a page's button and the command behind it ask the same one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.conf import settings

from common.errors import Conflict, Forbidden
from ratematch.models import Contest, Match, Picture, Player
from ratematch.rules.lifecycle import BY_SILENCE, Answer, State

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

    Viewer = User | AnonymousUser

FULL, HALF = Decimal("1"), Decimal("0.5")

MODERATORS, CHIEFS = "Moderators", "Chief moderators"
"""The groups that migration 0003 makes: who rules, and who also overturns, changes the policy and appoints."""


def gain_factor(player: Player) -> Decimal:
    """What a gain is multiplied by at the player's fair-play level (rules §4)."""
    return HALF if player.effects.gains_halved else FULL


def check_may_play(player: Player) -> None:
    """Raise Forbidden at a level that bars from the queue, tournaments and free matches (§4)."""
    if not player.effects.may_play:
        raise Forbidden("level_bars_play")


def check_enter_tournament(player: Player, *, regular: bool) -> None:
    """Raise Forbidden if the player's level bars from a tournament: a regular one needs level A, others bar D (§4)."""
    check_may_play(player)
    if regular and not player.effects.regular_tournaments:
        raise Forbidden("level_bars_regular_tournaments")


def can_moderate(user: Viewer) -> bool:
    """Whether the user is a moderator."""
    return _is_staff_with(user, "ratematch.rule_match")


def can_overturn(user: Viewer) -> bool:
    """Whether the user may overturn rulings and results, and withdraw penalties: chief moderators."""
    return _is_staff_with(user, "ratematch.overturn_match")


def can_change_policy(user: Viewer) -> bool:
    """Whether the user may read and change the fair-play policy, which is secret (§4)."""
    return _is_staff_with(user, "ratematch.change_fairplaypolicy")


def can_appoint(user: Viewer) -> bool:
    """Whether the user may appoint and dismiss moderators."""
    return _is_staff_with(user, "ratematch.appoint_moderators")


def _is_staff_with(user: Viewer, permission: str) -> bool:
    """Whether the user has a right of moderators. Without a second factor in this session nobody has one."""
    proven = user.is_active and user.is_staff and not user.unproven
    return bool(proven and user.has_perm(permission))


def check_moderate(user: Viewer) -> None:
    """Raise Forbidden for anybody but a moderator."""
    if not can_moderate(user):
        raise Forbidden("not_a_moderator")


def check_moderate_players(user: Viewer, user_ids: Collection[int]) -> None:
    """Raise Forbidden unless the user is a moderator, and none of those whom the decision is about (§5)."""
    check_moderate(user)
    if user.pk in user_ids:
        raise Forbidden("own_case")


def check_judge(match: Match, user: Viewer) -> None:
    """Raise Forbidden unless the user is a moderator and not one of the two (§5)."""
    check_moderate(user)
    if match.seat_of(user.pk) is not None:
        raise Forbidden("own_match")


def check_rule(match: Match, user: Viewer) -> None:
    """Raise Forbidden unless the user may rule on this match as it stands.

    Without REVIEW or an open contest to rule on, ruling is overturning, which is for chief moderators.
    """
    check_judge(match, user)
    if match.ended_at is not None and not can_overturn(user) and not is_contested(match):
        raise Forbidden("chief_overturns")


REPORTABLE = (State.REVIEW, State.SETTLED, State.VOID)
"""The states in which players can report each other: the match is over for them."""


def check_reportable(match: Match, now: datetime) -> None:
    """Raise Conflict unless the match is over, and not too long ago, so that its players can report each other."""
    if match.state not in REPORTABLE:
        raise Conflict("report_after_the_match", state=match.state)
    if match.ended_at:
        check_recent(match.ended_at, now, state=match.state)


def check_recent(at: datetime, now: datetime, **facts: str) -> None:
    """Raise Conflict, with `facts`, if what happened at `at` is too long ago to be reported."""
    days = settings.RATEMATCH["REPORT_DAYS"]
    if now - at > timedelta(days=days):
        raise Conflict("report_too_late", days=days, **facts)


def check_contest(match: Match, seat: int, now: datetime) -> None:
    """Raise Conflict unless the seat lost the match by silence, a short time ago, and it hasn't been contested (§9)."""
    if match.state != State.SETTLED or match.ending not in BY_SILENCE or match.seats[seat].result != "loss":
        raise Conflict("not_lost_by_silence", state=match.state)
    hours = settings.RATEMATCH["CONTEST_HOURS"]
    if match.ended_at and now - match.ended_at > timedelta(hours=hours):
        raise Conflict("contest_too_late", hours=hours, state=match.state)
    if Contest.objects.filter(match=match).exists():
        raise Conflict("contested_already", state=match.state)


def is_contested(match: Match) -> bool:
    """Whether a contest of the match's result waits for a ruling (§9)."""
    return Contest.objects.filter(match=match, ruling=None).exists()


def can_rule(match: Match, user: Viewer) -> bool:
    """Whether the user may rule on this match."""
    try:
        check_rule(match, user)
    except Forbidden:
        return False
    return True


def can_look_inside(match: Match, user: Viewer) -> bool:
    """Whether the user may see what is between the two: room number, claims, evidence. One of them, or a moderator."""
    return match.seat_of(user.pk) is not None or can_moderate(user)


def can_see_picture(picture: Picture, user: Viewer) -> bool:
    """Whether the user may see a screenshot: its owner, moderators who don't play in the match, and the opponent once
    it is handed in; one that belongs to a report is not for the opponent."""
    seat = picture.match.seat_of(user.pk)
    if seat is None:
        return can_moderate(user)
    if seat == picture.seat or picture.contest_id is not None:
        return True
    return picture.report_id is None and picture.match.seats[picture.seat].answer == Answer.SUBMITTED
