"""Keys to the API: made by their owner, shown once, kept as a hash."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from accounts.models import ApiToken, User
from common.errors import Conflict, Invalid, Missing

LIVE_MAX = 20
DAYS_MAX = 365
NAME_MAX = 60


def create(*, actor: User, name: str, scopes: Collection[str], days: int, now: datetime) -> tuple[ApiToken, str]:
    """Make a token of `actor` that lives `days` days; answers it and, this one time, its plain text.

    Raises:
        Invalid: ``bad_token_name``, ``bad_scopes``, ``bad_days``.
        Conflict: ``too_many_tokens``.
    """
    name = name.strip()
    if not 1 <= len(name) <= NAME_MAX:
        raise Invalid("bad_token_name", field="name", most=NAME_MAX)
    if not scopes or not set(scopes) <= set(ApiToken.SCOPES):
        raise Invalid("bad_scopes", field="scopes")
    if not 1 <= days <= DAYS_MAX:
        raise Invalid("bad_days", field="days", most=DAYS_MAX)
    digest, plain = get_digest_token()
    with transaction.atomic(durable=True):
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # so that two at once can't both be the last
        alive = ApiToken.objects.filter(Q(expiry=None) | Q(expiry__gt=now), user=actor)
        if alive.count() >= LIVE_MAX:
            raise Conflict("too_many_tokens", most=LIVE_MAX)
        token = ApiToken(
            digest=digest,
            token_key=plain[: CONSTANTS.TOKEN_KEY_LENGTH],
            user=actor,
            name=name,
            scopes=sorted(set(scopes)),
            expiry=now + timedelta(days=days),
        )
        token.save(force_insert=True)
    return token, plain


def revoke(*, actor: User, token_id: str) -> None:
    """End a token of `actor` now. `token_id` is its primary key, the hash.

    Raises:
        Missing: ``no_such_token``, also for somebody else's.
    """
    with transaction.atomic(durable=True):
        deleted, _by_model = ApiToken.objects.filter(pk=token_id, user=actor).delete()
        if not deleted:
            raise Missing("no_such_token")
