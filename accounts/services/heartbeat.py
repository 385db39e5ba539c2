"""The site's own pulse: which of its parts has last been alive when."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F

from accounts.models import Heartbeat, Presence

WEB, WORKER = "web", "worker"


def beat(part: str, now: datetime) -> None:
    """Note that `part` of the site is alive."""
    if not Heartbeat.objects.filter(part=part).update(beat_at=now):
        Heartbeat.objects.get_or_create(part=part, defaults={"beat_at": now})


def last_beat(part: str) -> datetime | None:
    """When `part` was last alive; None if it never was."""
    return Heartbeat.objects.filter(part=part).values_list("beat_at", flat=True).first()


def revive(now: datetime) -> timedelta:
    """Step: note that pages can be reached. Answers how long they couldn't be, if that was an outage; otherwise 0.

    Of many processes that start after an outage, one gets its length and the others 0.
    """
    web = last_beat(WEB)
    if web is None or now - web <= timedelta(seconds=settings.OUTAGE_AFTER_S):
        beat(WEB, now)
        return timedelta()
    gap = now - web
    if not Heartbeat.objects.filter(part=WEB, beat_at=web).update(beat_at=now):
        return timedelta()
    # Whoever was here when it began couldn't say so since.
    here = Presence.objects.filter(seen_at__gt=web - timedelta(seconds=settings.PRESENCE_ONLINE_S))
    here.update(seen_at=F("seen_at") + gap, active_at=F("active_at") + gap)
    return gap


def site_now(now: datetime) -> datetime:
    """The time by which players may be held to a deadline: it stands still while no page can be reached.

    `now` while the web processes beat; else the moment at which their next beat was due. What runs out later waits for
    them to come back, when all open deadlines move by the outage.
    """
    web = last_beat(WEB)
    if web is None:
        return now
    return min(now, web + timedelta(seconds=settings.HEARTBEAT_EVERY_S + 1))
