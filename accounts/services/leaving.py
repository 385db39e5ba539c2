"""Leaving for good. Games stay, under "Deleted player"; what is personal goes.

A game has a say by functions in `<app>/leaving.py`, each of which it may leave out:

- `holds(user_id) -> str`: what still needs the user, as a sentence; empty if nothing does. Deletion waits for it.
- `erase(user_id, now)`: a step: let go of what the user merely waits for, and delete what is personal. It runs just
  before `holds` is asked for the last time, in the same transaction, so what it lets go of can't hold any more.
- `keep(user_id, now)`: what is to be kept for 90 days for whoever comes back with this address, as JSON; or None.
- `restore(user, kept, now)`: a step: give that to an account that has signed up with the address, or changed to it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.core.mail import send_mail
from django.db import models, transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts import hooks
from accounts.models import (
    ApiToken,
    Block,
    DataExport,
    IdempotentAnswer,
    KeptForAddress,
    Leaving,
    Notice,
    NotificationSetting,
    Presence,
    PushSubscription,
    SeenAddress,
    User,
    WebhookEndpoint,
)
from accounts.models.user import DELETED_MARK
from accounts.services import exports, sessions
from common.errors import Missing

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=90)
TRIED_EVERY = timedelta(minutes=1)

PERSONAL: tuple[type[models.Model], ...] = (
    EmailAddress,
    Authenticator,
    ApiToken,
    IdempotentAnswer,
    PushSubscription,
    NotificationSetting,
    Notice,
    Presence,
    SeenAddress,
    WebhookEndpoint,
    DataExport,
    Leaving,
)
"""Tables with a column `user` whose rows go. Blocks and sessions go, too, but not by that column alone."""


class StillHeldError(Exception):
    """A game has come to need the user in the last moment."""


def holds(user_id: int) -> list[str]:
    """Why the account can't be deleted yet: a sentence for each game that needs the user."""
    answers = [module.holds(user_id) for module in hooks.modules("leaving").values() if hasattr(module, "holds")]
    return [answer for answer in answers if answer]


def ask(*, actor: User, now: datetime) -> bool:
    """Delete the account of `actor`, now or as soon as no game needs the user. Answers whether it is gone already."""
    with transaction.atomic(durable=True):
        Leaving.objects.get_or_create(user=actor, defaults={"asked_at": now, "try_at": now})
    return _carry_out(actor.pk, now)


def cancel(*, actor: User) -> None:
    """Keep the account after all.

    Raises:
        Missing: ``not_leaving``.
    """
    with transaction.atomic(durable=True):
        if not Leaving.objects.filter(user=actor).delete()[0]:
            raise Missing("not_leaving")


def carry_out_one_due(now: datetime) -> bool:
    """Try to delete one account whose owner asked for it. Answers whether there was one to try."""
    due = Leaving.objects.filter(try_at__lte=now).order_by("try_at").first()
    if due is None:
        return False
    if Leaving.objects.filter(pk=due.pk, try_at=due.try_at).update(try_at=now + TRIED_EVERY):
        try:
            _carry_out(due.user_id, now)
        except Exception:
            log.exception("account %s can't be deleted", due.user_id)
    return True


def _carry_out(user_id: int, now: datetime) -> bool:
    if holds(user_id):
        return False
    try:
        with transaction.atomic(durable=True):
            user = User.objects.select_for_update(no_key=True).get(pk=user_id)
            if not Leaving.objects.filter(user=user).exists():
                return False  # taken back meanwhile
            keep_for(user, now=now)
            for module in hooks.modules("leaving").values():
                if hasattr(module, "erase"):
                    module.erase(user_id, now)
            if holds(user_id):
                raise StillHeldError
            _erase(user, now)
    except StillHeldError:
        return False
    return True


def _erase(user: User, now: datetime) -> None:
    """Step: delete what is personal. The row stays, for games to name."""
    confirmed = EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists()
    if confirmed:
        _say_goodbye_after_commit(user)
    files = list(DataExport.objects.filter(user=user).exclude(file=""))
    transaction.on_commit(lambda: exports.delete_files(files), robust=True)
    sessions.end_others(user_id=user.pk, but="")
    Block.objects.filter(Q(user=user) | Q(blocked=user)).delete()
    for table in PERSONAL:
        table._default_manager.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    User.objects.filter(pk=user.pk).update(
        email=f"deleted-{user.pk}@deleted.invalid",
        display_name=f"{DELETED_MARK}{user.pk}",
        password=make_password(None),
        language="",
        time_zone="",
        theme="",
        sound=False,
        last_login=None,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        deleted_at=now,
    )


def _say_goodbye_after_commit(user: User) -> None:
    address, name, language = user.email, user.display_name, user.language or translation.get_language()

    def say() -> None:
        with translation.override(language):
            text = render_to_string("accounts/mails/deleted.txt", {"name": name})
            send_mail(_("Your account is deleted"), text, None, [address])

    transaction.on_commit(say, robust=True)


def keep_for(user: User, *, now: datetime, stays: bool = False) -> None:
    """Step: keep for the present address of `user` what games want kept of the account.

    Args:
        stays: the account goes on, under another address; so this one has it already.
    """
    for app, module in hooks.modules("leaving").items():
        data = module.keep(user.pk, now) if hasattr(module, "keep") else None
        rows = KeptForAddress.objects.filter(address_hash=hash_of(user.email), app=app)
        if data is None:
            rows.delete()
            continue
        fresh: dict[str, Any] = {"data": data, "until": now + KEPT_FOR, "given_to": [user.pk] if stays else []}
        KeptForAddress.objects.update_or_create(address_hash=hash_of(user.email), app=app, defaults=fresh)


def give_back(user: User, *, now: datetime) -> None:
    """Step: give `user` what was kept for its address. Each account gets it once; it stays until its time is over,
    since nobody has proved yet whose the address is."""
    for row in KeptForAddress.objects.select_for_update().filter(address_hash=hash_of(user.email), until__gt=now):
        module = hooks.modules("leaving").get(row.app)
        if module is None or user.pk in row.given_to:
            continue
        module.restore(user, row.data, now)
        row.given_to = [*row.given_to, user.pk]
        row.save(update_fields=["given_to"])


def change_address(*, user_id: int, old: str) -> None:
    """Command: an account goes on under another address than `old`: what would be kept for `old` is kept, and what was
    kept for the new one is given back."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        new, user.email = user.email, old
        keep_for(user, now=now, stays=True)
        user.email = new
        give_back(user, now=now)


def hash_of(address: str) -> str:
    """A keyed hash of an e-mail address: the same for the same address, and nothing to read it from."""
    return salted_hmac("accounts.address", address.strip().lower(), algorithm="sha256").hexdigest()
