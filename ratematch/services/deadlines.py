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

from accounts.services import heartbeat, presence
from ratematch.conf import durations
from ratematch.models import Contest, Engagement, FreeRoom, Match, Picture
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import State
from ratematch.selectors import MatchView, match_view
from ratematch.services import screening, tell
from ratematch.services.transition import advance, locked

if TYPE_CHECKING:
    from ratematch.policies import Viewer

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(seconds=15)
"""How soon to look again whether somebody has closed the page, while all who are awaited are there."""

HAND_IN_TRIES = 3
"""How often a clock waits for a picture that is handed in at the last moment."""

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
    """Apply a match's clock if it has run out; answers whether it had. Pages and commands call it first.

    After an outage of ours a page may be read before the deadlines have been moved: that clock hasn't run out.
    """
    match = Match.objects.filter(pk=match_id, deadline_at__lte=now).only("pk", "state", "deadline_at").first()
    if match is None or match.deadline_at is None or match.deadline_at > heartbeat.site_now(now):
        return False
    return _settle(match, now)


def settle_all_of(user_id: int, now: datetime) -> None:
    """The same for all matches of a user: for pages that show several."""
    for match_id in Match.objects.due(now).filter(sides__player__user=user_id).values_list("pk", flat=True):
        settle(match_id, now)


def _settle(due: Match, now: datetime) -> bool:
    for _again in range(HAND_IN_TRIES):
        if due.state == State.EVIDENCE:
            screening.check_before_the_clock(due.pk, now)
        with transaction.atomic(durable=True):
            match = locked(due.pk)
            if not _waits_for_a_check(match):
                return apply_if_due(match, now)
    return False


def _waits_for_a_check(match: Match) -> bool:
    """Whether a press of "hand in" came while its picture, attached in time, was about to be checked."""
    if match.state != State.EVIDENCE:
        return False
    pressed = [side.seat for side in match.seats if side.handing_in_at and not side.answer]
    return bool(pressed) and match.pictures.filter(seat__in=pressed, status=Picture.NEW).exists()


def current(match_id: int, viewer: Viewer, now: datetime) -> MatchView | None:
    """The match as `viewer` sees it, after whatever was overdue in it has been done; None if there is none.

    Pages and API read a match by this, so that a dead worker holds up no clock and no screenshot.
    """
    view = match_view(match_id, viewer, now)
    if view is None:
        return None
    lost = view.seat is not None and screening.is_lost(view.unchecked_since, now)
    if not lost and not lifecycle.is_due(view.value, now):
        return view
    settle(match_id, now)
    if lost:
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
            _warn(locked(found.pk), now)
    return True


def _warn(match: Match, now: datetime) -> None:
    awaited = [match.seats[seat] for seat in lifecycle.awaited(match.value())]
    away = presence.away({side.player.user_id for side in awaited}, now)
    for side in awaited:
        if side.player.user_id in away:
            tell.send(match, side, "deadline_near", now=now)
    if not away and match.deadline_at and match.deadline_at > now + LOOK_AGAIN:
        Match.objects.filter(pk=match.pk).update(warn_at=now + LOOK_AGAIN)  # they may go yet


def shift_open(gap: timedelta) -> None:
    """Step: move every open clock by the length of our own outage, so that nobody is blamed for it."""
    Match.objects.filter(deadline_at__isnull=False).update(deadline_at=F("deadline_at") + gap)
    Match.objects.filter(warn_at__isnull=False).update(warn_at=F("warn_at") + gap)
    Match.objects.filter(state=State.PLAYING).update(playing_at=F("playing_at") + gap)  # "not in the room" runs from it
    Engagement.objects.filter(expires_at__isnull=False).update(expires_at=F("expires_at") + gap)
    FreeRoom.objects.filter(deadline_at__isnull=False).update(deadline_at=F("deadline_at") + gap)
    Contest.objects.filter(answered_at=None, ruling=None).update(answer_until=F("answer_until") + gap)
