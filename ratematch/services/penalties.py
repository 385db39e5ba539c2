"""Penalties (rules §4): given by a moderator, by the pattern of reports, or for leaving again and again."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.urls import reverse

from accounts.services import notices
from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch.models import Case, Flag, LevelChange, Penalty, Player, Report, Ruling, Side
from ratematch.policies import can_overturn, check_moderate_players
from ratematch.rules import fairplay
from ratematch.rules.fairplay import Category
from ratematch.rules.texts import plain
from ratematch.services import levels

if TYPE_CHECKING:
    from accounts.models import User

REASON_MAX = 1000


def penalise(
    player: Player,
    category: str,
    *,
    now: datetime,
    by: User | None = None,
    reason: str = "",
    ruling: Ruling | None = None,
    report: Report | None = None,
    flag: Flag | None = None,
) -> Penalty:
    """Step: give a player the points of a category, and let the level follow.

    Args:
        by: the moderator, or None where the site does it by itself.
        reason: what the player is told beside the category; a ruling has its own.
    """
    policy = levels.policy()
    penalty = Penalty.objects.create(
        player=player,
        category=category,
        points=policy.points[Category(category)],
        at=now,
        expires_at=now + policy.lasts,
        by=by,
        reason=reason,
        ruling=ruling,
        report=report,
        flag=flag,
    )
    notices.notify(
        [player.user_id],
        "ratematch.penalised",
        facts={"category": category, "reason": reason, "match": ruling.match_id if ruling else None},
        url=reverse("ratematch:fair_play"),
        now=now,
    )
    levels.refresh(player, LevelChange.PENALTY, now=now, penalty=penalty, by=by)
    return penalty


def penalise_player(*, player_id: int, actor: User, category: str, reason: str, now: datetime) -> Penalty:
    """A penalty that no case led to: a moderator has seen something for himself.

    Raises:
        Missing: no such player.
        Forbidden: not a moderator, or oneself.
        Invalid: no such category, or no reason.
    """
    reason = checked_reason(reason)
    check_category(category)
    with transaction.atomic(durable=True):
        player = Player.objects.filter(pk=player_id).select_related("user").first()
        if player is None:
            raise Missing("no_such_player")
        check_moderate_players(actor, {player.user_id})
        return penalise(player, category, now=now, by=actor, reason=reason)


def withdraw(penalty: Penalty, *, by: User, reason: str, now: datetime) -> None:
    """Step: let a penalty count no more. The row stays. `reason` is empty where its ruling was replaced.

    Raises:
        Conflict: withdrawn already.
    """
    fresh = Penalty.objects.filter(pk=penalty.pk, withdrawn_at=None)
    if not fresh.update(withdrawn_at=now, withdrawn_by=by, withdrawal_reason=reason):
        raise Conflict("already_withdrawn")
    notices.notify(
        [penalty.player.user_id],
        "ratematch.penalty_withdrawn",
        facts={"category": penalty.category, "reason": reason},
        url=reverse("ratematch:fair_play"),
        now=now,
    )
    levels.refresh(penalty.player, LevelChange.WITHDRAWAL, now=now, penalty=penalty, by=by)


def withdraw_penalty(*, penalty_id: int, actor: User, reason: str, now: datetime) -> Penalty:
    """A chief moderator takes a penalty back.

    Raises:
        Missing: no such penalty.
        Forbidden: not a chief moderator, or one's own penalty.
        Conflict: withdrawn already.
        Invalid: no reason.
    """
    reason = checked_reason(reason)
    with transaction.atomic(durable=True):
        penalty = Penalty.objects.filter(pk=penalty_id).select_related("player__user").first()
        if penalty is None:
            raise Missing("no_such_penalty")
        check_moderate_players(actor, {penalty.player.user_id})
        if not can_overturn(actor):
            raise Forbidden("chief_overturns")
        levels.lock(penalty.player)  # before the penalty's row, as a ruling that replaces another does
        withdraw(penalty, by=actor, reason=reason, now=now)
    return penalty


def look_for_pattern(player: Player, now: datetime) -> None:
    """Step: penalise by itself what enough different opponents have reported, and flag it for review (§4).

    Reports that a moderator has decided on, or that made an earlier flag, don't count again.
    """
    levels.lock(player)  # two reports at once must see each other
    policy = levels.policy()
    rows = Report.objects.filter(reported=player, at__gt=now - policy.reports_within, case__closed_at=None)
    for flag in Flag.objects.filter(player=player, kind=Flag.REPORTS, at__gt=now - policy.reports_within):
        rows = rows.exclude(pk__in=flag.facts["reports"])
    reports = list(rows.select_related("reporter"))
    filed = [fairplay.Filed(Category(row.category), row.reporter_id, row.at) for row in reports]
    for category in fairplay.pattern(filed, now, policy):
        of_it = [row for row in reports if row.category == category]
        facts = {"reports": [row.pk for row in of_it], "reporters": sorted({row.reporter.user_id for row in of_it})}
        flag = _raise_flag(player, Flag.REPORTS, category, facts, now)
        penalise(player, category, now=now, flag=flag)


def note_leaving(player: Player, now: datetime) -> None:
    """Step: flag for review who has left as many matches as the policy says."""
    levels.lock(player)
    policy = levels.policy()
    since = now - policy.leaves_within
    flags = Flag.objects.filter(player=player, kind=Flag.LEAVING, at__gt=since)
    counted = {match for flag in flags for match in flag.facts["matches"]}
    left = Side.objects.filter(player=player, left_at__gt=since).exclude(match__in=counted)
    matches = sorted(left.values_list("match_id", flat=True))
    if policy.leaves and len(matches) >= policy.leaves:
        flag = _raise_flag(player, Flag.LEAVING, Category.ABANDONING, {"matches": matches}, now)
        if policy.leaves_cost:
            penalise(player, Category.ABANDONING, now=now, flag=flag)


def _raise_flag(player: Player, kind: str, category: Category, facts: dict[str, list[int]], now: datetime) -> Flag:
    flag = Flag.objects.create(player=player, kind=kind, category=category, facts=facts, at=now)
    Case.objects.create(kind=Case.FLAG, flag=flag, opened_at=now)
    return flag


def check_category(category: str) -> None:
    """Raise Invalid for a category that there isn't."""
    if category not in set(Category):
        raise Invalid("bad_category", field="category")


def checked_reason(reason: str, limit: int = REASON_MAX) -> str:
    """The reason without blanks around it.

    Raises:
        Invalid: there is none, or it is too long.
    """
    reason = plain(reason)
    if not reason:
        raise Invalid("reason_needed", field="reason")
    if len(reason) > limit:
        raise Invalid("reason_too_long", field="reason", limit=limit)
    return reason
