"""The inbox: what users are told, and what they have read."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Notice, User
from accounts.models.user import DELETED_MARK
from accounts.services import notice_delivery, notifications
from common import live
from common.errors import Missing


def notify(user_ids: Iterable[int], kind: str, *, facts: Mapping[str, Any], url: str, now: datetime) -> None:
    """Put a notice into inboxes, and have it delivered to those who want it out of the site. A step: it belongs to
    the command that calls it.

    Args:
        kind: `app.name`; the words are in `app/notices/name.html`.
        facts: what those words need, as JSON can hold it.
        url: the page that the notice is about.
    """
    _put([(pk, facts) for pk in user_ids], kind, url, now)


def notify_each(facts: Mapping[int, Mapping[str, Any]], kind: str, *, url: str, now: datetime) -> None:
    """The same step where each user is told something else: facts by user."""
    _put(list(facts.items()), kind, url, now)


def _put(told: list[tuple[int, Mapping[str, Any]]], kind: str, url: str, now: datetime) -> None:
    out = notifications.wanted_by([pk for pk, _facts in told], kind)
    Notice.objects.bulk_create(
        Notice(user_id=pk, kind=kind, facts=facts, url=url, at=now, deliver_at=now if pk in out else None)
        for pk, facts in told
    )
    if out:
        transaction.on_commit(notice_delivery.send_soon, robust=True)
    _publish_after_commit([pk for pk, _facts in told], kind=kind, url=url)


def is_unread(user_id: int, kind: str, *, url: str) -> bool:
    """Whether a notice of this kind about this page waits to be read, so that another would say the same."""
    return Notice.objects.filter(user=user_id, kind=kind, url=url, read_at=None).exists()


def forget_name(fact: str, name: str, *, told: Any) -> None:
    """Step: take the name of somebody who leaves out of notices; they then say "Deleted player".

    Args:
        fact: under which it stands there.
        told: whose notices; ids, or a query for them.
    """
    for notice in Notice.objects.filter(user__in=told, **{f"facts__{fact}": name}).iterator():
        notice.facts[fact] = DELETED_MARK
        notice.save(update_fields=["facts"])


def mark_read(*, actor: User, notice_id: int, now: datetime) -> Notice:
    """Note when `actor` read a notice; the first time counts.

    Raises:
        Missing: ``no_such_notice``, also for somebody else's.
    """
    with transaction.atomic(durable=True):
        if Notice.objects.filter(pk=notice_id, user=actor, read_at=None).update(read_at=now):
            _publish_after_commit([actor.pk])
        notice = Notice.objects.filter(pk=notice_id, user=actor).first()
        if notice is None:
            raise Missing("no_such_notice")
    return notice


def mark_all_read(*, actor: User, now: datetime) -> int:
    """Note that `actor` has read all there is; answers how many were unread."""
    with transaction.atomic(durable=True):
        count = Notice.objects.filter(user=actor, read_at=None).update(read_at=now)
        if count:
            _publish_after_commit([actor.pk])
    return count


def mark_read_about(*, actor: User, url: str, now: datetime) -> None:
    """Note that `actor` is looking at the page that some notices are about."""
    if not Notice.objects.filter(user=actor, url=url, read_at=None).exists():
        return  # as on most views: so a page that is only read takes no lock, which SQLite has one of
    with transaction.atomic():
        if Notice.objects.filter(user=actor, url=url, read_at=None).update(read_at=now):
            _publish_after_commit([actor.pk])


def _publish_after_commit(user_ids: list[int], **facts: str) -> None:
    transaction.on_commit(
        lambda: live.publish([live.user_channel(pk) for pk in user_ids], "notice", **facts), robust=True
    )
