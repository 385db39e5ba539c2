"""Which notices a user wants out of the site too, by e-mail or on a browser, and on which browsers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import hooks, push
from accounts.browsers import describe
from accounts.models import NotificationSetting, PushSubscription, User
from common.errors import Conflict, Invalid, Missing

MATCHES, MODERATION, SITE = "matches", "moderation", "site"
GROUPS: dict[str, tuple[Promise, Promise]] = {
    MATCHES: (_("Matches"), _("An opponent is found, a step is yours, a match has ended.")),
    MODERATION: (_("Moderation"), _("Rulings on your matches, and what came of reports.")),
    SITE: (_("Your account"), _("What you asked this site for is ready.")),
}
SUBSCRIPTIONS_MAX = 20
ENDPOINT_MAX = 1000
STOP_SALT = "accounts.stop_mail"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a user wants of one group of notices."""

    group: str
    email: bool = False
    push: bool = False

    @property
    def name(self) -> Promise:
        return GROUPS[self.group][0]

    @property
    def what(self) -> Promise:
        return GROUPS[self.group][1]


def group_of(kind: str) -> str:
    """The group that a kind of notice belongs to: what its app says, else "matches"; of accounts itself, "site"."""
    app = kind.partition(".")[0]
    if app == "accounts":
        return SITE
    module = hooks.modules("notice_kinds").get(app)
    return module.GROUPS.get(kind, MATCHES) if module else MATCHES


def choices_of(user_id: int) -> list[Choice]:
    """What a user wants of each group. At first, nothing out of the site."""
    rows = {row.group: row for row in NotificationSetting.objects.filter(user=user_id)}
    return [Choice(group, rows[group].email, rows[group].push) if group in rows else Choice(group) for group in GROUPS]


def choose(*, actor: User, choices: Collection[Choice]) -> None:
    """Store what `actor` wants of some groups; the others stay.

    Raises:
        Missing: ``no_such_group``.
    """
    if not {choice.group for choice in choices} <= set(GROUPS):
        raise Missing("no_such_group", field="group")
    with transaction.atomic(durable=True):
        for choice in choices:
            wanted = {"email": choice.email, "push": choice.push}
            NotificationSetting.objects.update_or_create(user=actor, group=choice.group, defaults=wanted)


def wanted_by(user_ids: Collection[int], kind: str) -> set[int]:
    """Those of `user_ids` who want a notice of this kind out of the site, in whatever way."""
    rows = NotificationSetting.objects.filter(Q(email=True) | Q(push=True), user__in=user_ids, group=group_of(kind))
    return set(rows.values_list("user", flat=True))


def subscribe(
    *, actor: User, endpoint: str, p256dh: str, auth: str, session_key: str, user_agent: str, now: datetime
) -> PushSubscription:
    """Let a browser show notices of `actor` as long as the session lasts. Whoever had it before, has it no more.

    Raises:
        Invalid: ``bad_push_subscription``: no push service that we know, or no keys.
        Conflict: ``push_not_offered``, ``too_many_browsers``.
    """
    if not push.is_offered():
        raise Conflict("push_not_offered")
    if len(endpoint) > ENDPOINT_MAX or not push.is_known(endpoint) or not push.is_browser_key(p256dh, auth):
        raise Invalid("bad_push_subscription", field="endpoint")
    browser, system = describe(user_agent)
    own = {"user": actor, "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "session_key": session_key}
    with transaction.atomic(durable=True):
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # so that two at once can't both be the last
        others = PushSubscription.objects.filter(user=actor).exclude(endpoint_hash=fingerprint(endpoint))
        if others.count() >= SUBSCRIPTIONS_MAX:
            raise Conflict("too_many_browsers", most=SUBSCRIPTIONS_MAX)
        row, _created = PushSubscription.objects.update_or_create(
            endpoint_hash=fingerprint(endpoint), defaults=own | {"browser": browser, "system": system, "made_at": now}
        )
    return row


def unsubscribe(*, actor: User, subscription_id: int) -> None:
    """Have a browser show nothing any more; that it didn't is no error."""
    with transaction.atomic(durable=True):
        PushSubscription.objects.filter(pk=subscription_id, user=actor).delete()


def fingerprint(endpoint: str) -> str:
    """SHA-256 of an endpoint: what a browser is known by."""
    return sha256(endpoint.encode()).hexdigest()


def stop_token(user_id: int, group: str) -> str:
    """What in a mail lets whoever has the mail stop more of its kind, without signing in."""
    return signing.dumps([user_id, group], salt=STOP_SALT)


def read_stop_token(token: str) -> tuple[int, str]:
    """User and group of a token.

    Raises:
        Missing: ``no_such_link``.
    """
    try:
        user_id, group = signing.loads(token, salt=STOP_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise Missing("no_such_link") from error
    if group not in GROUPS:
        raise Missing("no_such_link")
    return user_id, group


def stop_mail(*, token: str) -> None:
    """Send the user of a token no more mails of its group.

    Raises:
        Missing: ``no_such_link``.
    """
    user_id, group = read_stop_token(token)
    with transaction.atomic(durable=True):
        NotificationSetting.objects.filter(user=user_id, group=group).update(email=False)
