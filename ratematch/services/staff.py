"""Who moderates: roles are the two groups that migration 0003 makes (rules §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.errors import Conflict, Forbidden, Missing
from ratematch.models import Case, CaseLook
from ratematch.policies import CHIEFS, MODERATORS, can_appoint

if TYPE_CHECKING:
    from datetime import datetime


class Role(models.TextChoices):
    """What somebody can be appointed to."""

    MODERATOR = "moderator", _("moderator")
    CHIEF = "chief", _("chief moderator")


GROUPS = {Role.MODERATOR: MODERATORS, Role.CHIEF: CHIEFS}
DISMISSED = "dismissed"
APPOINTED = {Role.MODERATOR: "appointed: moderator", Role.CHIEF: "appointed: chief"}
LOGGED = {
    APPOINTED[Role.MODERATOR]: _("appointed as moderator"),
    APPOINTED[Role.CHIEF]: _("appointed as chief moderator"),
    DISMISSED: _("dismissed"),
}
"""What the log keeps, and how it reads."""


def appoint(*, actor: User, user_id: int, role: Role, now: datetime) -> User:
    """Make somebody a moderator or a chief moderator, and nothing else of the two.

    Whoever isn't staff yet becomes it, and will be asked for a second factor at the admin's door.

    Raises:
        Forbidden: not for this user (`chief_appoints`), or oneself (`own_role`).
        Missing: no such user, or one who can't sign in.
        Conflict: that is what they are already (`has_role`).
    """
    with transaction.atomic(durable=True):
        user = _subject(actor, user_id)
        if not user.is_active:
            raise Missing("no_such_user")
        present = set(_roles(user))
        if present == {role} and user.is_staff:
            raise Conflict("has_role")
        user.groups.remove(*Group.objects.filter(name__in=GROUPS.values()).exclude(name=GROUPS[role]))
        user.groups.add(Group.objects.get(name=GROUPS[role]))
        User.objects.filter(pk=user.pk).update(is_staff=True)
        user.is_staff = True
        _log(actor, user, APPOINTED[role], now)
    return user


def dismiss(*, actor: User, user_id: int, now: datetime) -> User:
    """Take both roles from somebody. What they had taken is free again; what they ruled stays.

    They stay staff only if they are a superuser, or have other rights there.

    Raises:
        Forbidden: not for this user (`chief_appoints`), or oneself (`own_role`).
        Missing: no such user.
        Conflict: they have neither role (`has_no_role`).
    """
    with transaction.atomic(durable=True):
        user = _subject(actor, user_id)
        if not _roles(user):
            raise Conflict("has_no_role")
        user.groups.remove(*Group.objects.filter(name__in=GROUPS.values()))
        stays = user.is_superuser or user.groups.exists() or user.user_permissions.exists()
        if not stays:
            User.objects.filter(pk=user.pk).update(is_staff=False)
            user.is_staff = False
            Case.objects.filter(taken_by=user, closed_at=None).update(taken_by=None, taken_at=None)
            CaseLook.objects.filter(moderator=user).delete()
        _log(actor, user, DISMISSED, now)
    return user


def _subject(actor: User, user_id: int) -> User:
    """The user to appoint or dismiss, locked."""
    if not can_appoint(actor):
        raise Forbidden("chief_appoints")
    if actor.pk == user_id:
        raise Forbidden("own_role")
    user = User.objects.select_for_update(of=("self",), no_key=True).filter(pk=user_id).first()
    if user is None:
        raise Missing("no_such_user")
    return user


def _roles(user: User) -> list[Role]:
    names = set(user.groups.values_list("name", flat=True))
    return [role for role, name in GROUPS.items() if name in names]


def _log(actor: User, user: User, message: str, now: datetime) -> None:
    """A line of the admin's own log, which the page of moderators shows."""
    LogEntry.objects.create(
        action_time=now,
        user=actor,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(user.pk),
        object_repr=str(user),
        action_flag=CHANGE,
        change_message=message,
    )
