"""Clocks that ran out (rules §3), warnings before they do, and the site's own outages.

The truth is `Match.deadline_at`. Whoever comes first applies it: the sweep each second, a player's click, or a page
that is read. Applying it twice is impossible, applying it late does no harm.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from accounts.services import presence
from ratematch.conf import durations
from ratematch.models import Engagement, Match
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State
from ratematch.selectors import MatchView, match_view
from ratematch.services import screening, tell
from ratematch.services.transition import advance, locked

if TYPE_CHECKING:
    from ratematch.policies import Viewer

log = logging.getLogger(__name__)

PUSH_AHEAD = timedelta(minutes=1)
"""How far a deadline that can't be applied is put off, so that it doesn't block the others."""


def apply_if_due(match: Match, now: datetime) -> bool:
    """Step: if the locked match's clock has run out, do what it says; answers whether it had."""
    value = match.value()
    if not lifecycle.is_due(value, now):
        return False
    advance(match, lifecycle.expire(value, now, durations()), "clock", now=now)
    return True


def settle(match_id: int, now: datetime) -> bool:
    """Apply a match's clock if it has run out; answers whether it had. Pages call it before they read."""
    match = Match.objects.filter(pk=match_id, deadline_at__lte=now).only("pk", "state").first()
    return match is not None and _settle(match, now)


def _settle(due: Match, now: datetime) -> bool:
    if due.state == State.EVIDENCE:
        screening.check_before_the_clock(due.pk, now)
    with transaction.atomic(durable=True):
        return apply_if_due(locked(due.pk), now)


def current(match_id: int, viewer: Viewer, now: datetime) -> MatchView | None:
    """The match as `viewer` sees it, after whatever was overdue in it has been done; None if there is none.

    Pages and API read a match by this, so that a dead worker holds up no clock and no screenshot.
    """
    view = match_view(match_id, viewer, now)
    if view is None or not (lifecycle.is_due(view.value, now) or screening.is_lost(view.unchecked_since, now)):
        return view
    settle(match_id, now)
    screening.check_lost(match_id, now)
    return match_view(match_id, viewer, now)


def expire_one_due(now: datetime) -> bool:
    """Apply the longest overdue clock; answers whether one was found."""
    match = Match.objects.due(now).only("pk", "state", "deadline_at").first()
    if match is None:
        return False
    try:
        _settle(match, now)
    except Exception:  # a broken row must not keep the others waiting
        log.exception("deadline of match %s can't be applied; put off by %s", match.pk, PUSH_AHEAD)
        Match.objects.filter(pk=match.pk, deadline_at=match.deadline_at).update(deadline_at=now + PUSH_AHEAD)
    return True


def warn_one_due(now: datetime) -> bool:
    """Warn whoever is awaited in one match and has closed the page; answers whether a match was found."""
    found = Match.objects.filter(warn_at__lte=now).order_by("warn_at").only("pk", "warn_at").first()
    if found is None:
        return False
    with transaction.atomic(durable=True):
        if Match.objects.filter(pk=found.pk, warn_at=found.warn_at).update(warn_at=None):
            match = locked(found.pk)
            away = presence.away({side.player.user_id for side in match.seats}, now)
            for seat in lifecycle.awaited(match.value()):
                side = match.seats[seat]
                if side.player.user_id in away:
                    tell.send(match, side, "deadline_near", now=now)
    return True


def shift_open(gap: timedelta) -> None:
    """Step: move every open clock by the length of our own outage, so that nobody is blamed for it."""
    Match.objects.filter(deadline_at__isnull=False).update(deadline_at=F("deadline_at") + gap)
    Match.objects.filter(warn_at__isnull=False).update(warn_at=F("warn_at") + gap)
    Match.objects.filter(state=State.PLAYING).update(playing_at=F("playing_at") + gap)  # "not in the room" runs from it
    Engagement.objects.filter(expires_at__isnull=False).update(expires_at=F("expires_at") + gap)
