"""The moderators' word (rules §3.7, §5)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from common.errors import Conflict, Invalid, Missing
from ratematch.models import Case, CaseLook, Contest, Match, Ruling
from ratematch.policies import can_moderate, check_judge, check_rule
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import Outcome
from ratematch.rules.texts import plain
from ratematch.services.levels import lock
from ratematch.services.penalties import check_category, penalise, withdraw
from ratematch.services.transition import advance, locked

if TYPE_CHECKING:
    from accounts.models import User

REASON_MAX = 2000
LOOK_LASTS = timedelta(seconds=60)


def rule(
    *,
    match_id: int,
    moderator: User,
    outcome: str,
    reason: str,
    seen_ruling: int | None,
    now: datetime,
    penalties: Collection[tuple[int, str]] = (),
) -> Ruling:
    """Decide a match in REVIEW or contested, or overturn one that has ended, with compensating rating rows.

    Penalties of a ruling that is replaced are withdrawn with it: this one says which there are.

    Args:
        seen_ruling: the ruling in force that the moderator's page showed, None if there was none.
        penalties: who is penalised for what: seat and category, each once.

    Raises:
        Missing: no such match.
        Forbidden: not a moderator, the moderator's own match, or to overturn without being a chief moderator.
        Conflict: somebody has ruled meanwhile (`already_ruled`), the match still runs, a contest of its result may
            still be answered, or somebody else has taken the case.
        Invalid: no outcome, no reason, or no such category.
    """
    reason = plain(reason)
    if outcome not in set(Outcome):
        raise Invalid("bad_outcome", field="outcome")
    if not reason:
        raise Invalid("reason_needed", field="reason")
    if len(reason) > REASON_MAX:
        raise Invalid("reason_too_long", field="reason", limit=REASON_MAX)
    for _seat, category in penalties:
        check_category(category)
    with transaction.atomic(durable=True):
        match = locked(match_id)
        check_judge(match, moderator)
        last = match.rulings.select_related("moderator").order_by("-pk").first()
        if (last.pk if last else None) != seen_ruling:
            raise Conflict("already_ruled", state=match.state, moderator=str(last.moderator) if last else "")
        check_rule(match, moderator)
        contest = Contest.objects.filter(match=match, ruling=None).first()
        if contest and contest.answered_at is None and now < contest.answer_until:
            raise Conflict("contest_unanswered", state=match.state, until=contest.answer_until)
        open_here = Case.objects.filter(match=match, kind__in=(Case.REVIEW, Case.CONTEST), closed_at=None)
        taken = open_here.exclude(taken_by=None).exclude(taken_by=moderator).select_related("taken_by").first()
        if taken:
            raise Conflict("case_taken", state=match.state, moderator=str(taken.taken_by))
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
        lock(*(side.player for side in match.seats))
        for earlier in last.penalties.filter(withdrawn_at=None).select_related("player__user") if last else ():
            withdraw(earlier, by=moderator, reason="", now=now)
        for seat, category in penalties:
            penalise(match.seats[seat].player, category, now=now, by=moderator, ruling=ruling)
        if contest:
            Contest.objects.filter(pk=contest.pk).update(ruling=ruling)
        open_here.update(closed_at=now, closed_by=moderator, verdict=Case.RULED)
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
