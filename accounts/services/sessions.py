"""Which browsers a user is signed in with, and ending them. Also the addresses that users came from.

Pages only: what opens an account isn't handed to programs, so the API has none of this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db import transaction

from accounts.browsers import describe
from accounts.models import BrowserSession, PushSubscription, SeenAddress, User
from common.errors import Invalid, Missing

ADDRESSES_KEPT = timedelta(days=30)


def note(*, user_id: int, session_key: str, user_agent: str, address: str, now: datetime) -> None:
    """Note that a signed-in browser was here, and from where."""
    browser, system = describe(user_agent)
    seen = BrowserSession(
        user_id=user_id,
        session_key=session_key,
        browser=browser,
        system=system,
        address=address,
        made_at=now,
        seen_at=now,
    )
    BrowserSession.objects.bulk_create(
        [seen],
        update_conflicts=True,
        unique_fields=["session_key"],
        update_fields=["user", "browser", "system", "address", "seen_at"],
    )
    SeenAddress.objects.bulk_create(
        [SeenAddress(user_id=user_id, address=address, first_at=now, last_at=now)],
        update_conflicts=True,
        unique_fields=["user", "address"],
        update_fields=["last_at"],
    )


def of(user: User, now: datetime) -> list[BrowserSession]:
    """The browsers that `user` is signed in with, the one seen last first."""
    rows = BrowserSession.objects.filter(user=user).order_by("-seen_at", "-pk")
    alive = Session.objects.filter(session_key__in=[row.session_key for row in rows], expire_date__gt=now)
    keys = set(alive.values_list("session_key", flat=True))
    return [row for row in rows if row.session_key in keys]


def end(*, actor: User, session_id: int, own_key: str) -> None:
    """End one of the sessions of `actor`.

    Args:
        own_key: that of the session which asks.

    Raises:
        Missing: ``no_such_session``, also for somebody else's.
        Invalid: ``this_session``: one signs out of it instead.
    """
    with transaction.atomic(durable=True):
        row = BrowserSession.objects.filter(pk=session_id, user=actor).first()
        if row is None:
            raise Missing("no_such_session")
        if row.session_key == own_key:
            raise Invalid("this_session")
        drop([row.session_key])


def end_others(*, user_id: int, but: str) -> int:
    """End all sessions of a user except that with the key `but`; answers how many. Runs in the caller's transaction,
    if there is one: a new password, too, ends the others."""
    with transaction.atomic():
        keys = list(
            BrowserSession.objects.filter(user=user_id).exclude(session_key=but).values_list("session_key", flat=True)
        )
        drop(keys)
    return len(keys)


def renew(*, old_key: str, new_key: str) -> None:
    """Note that a session goes on under another key, as it does when its password is changed."""
    with transaction.atomic(durable=True):
        BrowserSession.objects.filter(session_key=old_key).update(session_key=new_key)
        PushSubscription.objects.filter(session_key=old_key).update(session_key=new_key)


def drop(keys: Collection[str]) -> None:
    """Step: end the sessions with these keys, and what browsers were to show in them."""
    Session.objects.filter(session_key__in=keys).delete()
    BrowserSession.objects.filter(session_key__in=keys).delete()
    PushSubscription.objects.filter(session_key__in=keys).delete()


def shared_addresses(user_ids: Collection[int]) -> dict[str, set[int]]:
    """The addresses from which more than one of `user_ids` came within the last 30 days, with who they were."""
    by_address: dict[str, set[int]] = defaultdict(set)
    for address, user_id in SeenAddress.objects.filter(user__in=user_ids).values_list("address", "user"):
        by_address[address].add(user_id)
    return {address: users for address, users in by_address.items() if len(users) > 1}


def forget_old_addresses(now: datetime) -> int:
    """Step: delete the addresses that are older than they may be kept; answers how many."""
    old = now - ADDRESSES_KEPT
    blanked = BrowserSession.objects.filter(seen_at__lte=old).exclude(address="").update(address="")
    return blanked + SeenAddress.objects.filter(last_at__lte=old).delete()[0]
