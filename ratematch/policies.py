"""Who may. `check_x` raises, `can_x` answers; a page's button and the command behind it ask the same one."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from common.errors import Forbidden
from ratematch.models import Match, Picture, Player
from ratematch.rules.lifecycle import Answer

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

    Viewer = User | AnonymousUser

FULL, HALF = Decimal("1"), Decimal("0.5")


def gain_factor(player: Player) -> Decimal:
    """What a gain is multiplied by. Every player is at level A until there are penalties (rules §4)."""
    return FULL


def can_moderate(user: Viewer) -> bool:
    """Whether the user is a moderator."""
    return bool(user.is_active and user.is_staff and user.has_perm("ratematch.rule_match"))


def check_rule(match: Match, user: Viewer) -> None:
    """Raise Forbidden unless the user may rule on this match: a moderator, and not one of the two (§5)."""
    if not can_moderate(user):
        raise Forbidden("not_a_moderator")
    if match.seat_of(user.pk) is not None:
        raise Forbidden("own_match")


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
    """Whether the user may see a screenshot: its owner, the opponent once it is handed in, and other moderators."""
    seat = picture.match.seat_of(user.pk)
    if seat is None:
        return can_moderate(user)
    handed_in = picture.match.seats[picture.seat].answer == Answer.SUBMITTED
    return seat == picture.seat or handed_in
