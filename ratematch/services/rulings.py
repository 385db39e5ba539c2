"""The moderators' word (rules §3.7, §5)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from common.errors import Conflict, Invalid, Missing
from ratematch.models import CaseLook, Match, Ruling
from ratematch.policies import can_moderate, check_rule
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import Outcome
from ratematch.services.transition import advance, locked

if TYPE_CHECKING:
    from accounts.models import User

REASON_MAX = 2000
LOOK_LASTS = timedelta(seconds=60)


def rule(
    *, match_id: int, moderator: User, outcome: str, reason: str, seen_ruling: int | None, now: datetime
) -> Ruling:
    """Decide a match in REVIEW, or overturn one that has ended, with compensating rating rows.

    Args:
        seen_ruling: the ruling in force that the moderator's page showed, None if there was none.

    Raises:
        Missing: no such match.
        Forbidden: not a moderator, or the moderator's own match.
        Conflict: somebody has ruled meanwhile (`already_ruled`), or the match still runs.
        Invalid: no outcome, or no reason.
    """
    reason = reason.strip()
    if outcome not in set(Outcome):
        raise Invalid("bad_outcome", field="outcome")
    if not reason:
        raise Invalid("reason_needed", field="reason")
    if len(reason) > REASON_MAX:
        raise Invalid("reason_too_long", field="reason", limit=REASON_MAX)
    with transaction.atomic(durable=True):
        match = locked(match_id)
        check_rule(match, moderator)
        last = match.rulings.select_related("moderator").order_by("-pk").first()
        if (last.pk if last else None) != seen_ruling:
            raise Conflict("already_ruled", state=match.state, moderator=str(last.moderator) if last else "")
        new = lifecycle.ruled(match.value(), Outcome(outcome))
        ruling = Ruling.objects.create(
            match=match, moderator=moderator, outcome=outcome, reason=reason, at=now, replaces=last
        )
        advance(
            match,
            new,
            "ruling",
            now=now,
            actor=moderator,
            facts={"ruling": ruling.pk, "outcome": outcome},
            ruling=ruling,
        )
        CaseLook.objects.filter(match=match).delete()
    return ruling


def look(*, match_id: int, moderator: User, now: datetime) -> list[CaseLook]:
    """Note that a moderator has the case open; answers who else has, so that two don't work on one case."""
    if not can_moderate(moderator) or not Match.objects.filter(pk=match_id).exists():
        raise Missing("no_such_match")
    with transaction.atomic(durable=True):
        CaseLook.objects.filter(match_id=match_id, seen_at__lt=now - LOOK_LASTS).delete()
        mine, _made = CaseLook.objects.get_or_create(
            match_id=match_id, moderator=moderator, defaults={"since": now, "seen_at": now}
        )
        CaseLook.objects.filter(pk=mine.pk).update(seen_at=now)
    others = CaseLook.objects.filter(match_id=match_id).exclude(moderator=moderator)
    return list(others.select_related("moderator").order_by("since"))
