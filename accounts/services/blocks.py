"""Who wants nothing to do with whom."""

from collections import defaultdict
from collections.abc import Collection

from django.db import transaction

from accounts.models import Block, User
from common.errors import Invalid, Missing


def block(*, actor: User, user_id: int) -> Block:
    """Keep a user away from `actor`; a second time changes nothing. A match that runs goes on.

    Raises:
        Invalid: ``cant_block_oneself``.
        Missing: ``no_such_user``.
    """
    if user_id == actor.pk:
        raise Invalid("cant_block_oneself", field="user")
    with transaction.atomic(durable=True):
        if not User.objects.filter(pk=user_id, is_active=True).exists():
            raise Missing("no_such_user", field="user")
        row, _created = Block.objects.get_or_create(user=actor, blocked_id=user_id)
    return row


def unblock(*, actor: User, user_id: int) -> None:
    """Take a block back; that there was none is no error.

    Raises:
        Missing: ``no_such_user``.
    """
    with transaction.atomic(durable=True):
        if not User.objects.filter(pk=user_id).exists():
            raise Missing("no_such_user", field="user")
        Block.objects.filter(user=actor, blocked=user_id).delete()


def is_blocked(one_id: int, other_id: int) -> bool:
    """Whether there is a block between two users, whoever of them made it: then neither speaks to the other."""
    return Block.objects.filter(user__in=(one_id, other_id), blocked__in=(one_id, other_id)).exists()


def has_blocked(user_id: int, other_id: int) -> bool:
    """Whether the first has blocked the second."""
    return Block.objects.filter(user=user_id, blocked=other_id).exists()


def between(user_ids: Collection[int]) -> dict[int, set[int]]:
    """For each of `user_ids` those others of them with whom there is a block, whoever of the two made it."""
    apart: dict[int, set[int]] = defaultdict(set)
    everybody = set(user_ids)
    for one, other in Block.objects.filter(user__in=everybody).values_list("user", "blocked"):
        if other in everybody:
            apart[one].add(other)
            apart[other].add(one)
    return apart
