"""Users, whom they block, and whether they are here."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

NAME = re.compile(r"[\w][\w .\-]{0,18}[\w]")


def check_display_name(name: str) -> None:
    """2 to 20 letters, digits, marks of one's own script; blanks, dots and hyphens only inside."""
    if unicodedata.normalize("NFKC", name) != name or not NAME.fullmatch(name):
        raise ValidationError(
            _("Use 2 to 20 letters or digits; spaces, dots and hyphens only between them."), code="bad_name"
        )


def check_time_zone(name: str) -> None:
    """A name from the time zone database."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("Choose a time zone from the list."), code="bad_time_zone")


DELETED_MARK = "#"  # a name that begins with it can't be chosen


class DisplayNameField(models.CharField):
    """A display name. That of a deleted account, stored as `#12`, reads as "Deleted player" in whatever language."""

    def from_db_value(self, value: str | None, *_args: Any) -> str | None:
        return gettext("Deleted player") if value and value.startswith(DELETED_MARK) else value


class UserManager(BaseUserManager["User"]):
    """Users are known by their e-mail address."""

    def create_user(self, email: str, display_name: str, password: str | None = None, **fields: Any) -> User:
        """Make and save a user; without a password, one who can't sign in until it is reset."""
        user = self.model(email=self.normalize_email(email).lower(), display_name=display_name, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, display_name: str, password: str | None = None, **fields: Any) -> User:
        """Make a user who may do everything, for `manage.py createsuperuser`."""
        return self.create_user(email, display_name, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person's one account, for all four games."""

    email = models.EmailField(_("e-mail address"), unique=True)
    display_name = DisplayNameField(_("display name"), max_length=20, validators=[check_display_name])
    language = models.CharField(
        _("language"), max_length=10, blank=True, choices=[("", _("As my browser says")), *settings.LANGUAGES]
    )
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, validators=[check_time_zone])
    theme = models.CharField(
        _("appearance"),
        max_length=5,
        blank=True,
        choices=[("", _("As my device says")), ("light", _("Light")), ("dark", _("Dark"))],
    )
    sound = models.BooleanField(_("play a sound when a match is made"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)

    unproven = False
    """Set for a request by staff who haven't shown a second factor in this session: they moderate nothing in it."""

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["display_name"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [models.UniqueConstraint(Lower("display_name"), name="display_name_taken_once")]

    def __str__(self) -> str:
        return self.display_name

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.pk])


def is_shown(path: str = "") -> models.Q:
    """Whose pages can be opened: those who may sign in, and, namelessly, those who have left. Closed accounts can't be.

    Args:
        path: from the filtered table to the user, such as `user__`.
    """
    return models.Q(**{f"{path}is_active": True}) | models.Q(**{f"{path}deleted_at__isnull": False})


def display_name(user: User) -> str:
    """How a user is addressed in mails."""
    return user.display_name


class Block(models.Model):
    """`user` wants nothing to do with `blocked`: they aren't paired, and can't speak to each other."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~models.Q(user=models.F("blocked")), name="nobody_blocks_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ↛ {self.blocked}"


class Presence(models.Model):
    """When a user's page last said that it was open, and when the user last did something on it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True)
    seen_at = models.DateTimeField(db_index=True)
    active_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} seen {self.seen_at:%H:%M:%S}"

    def state(self, now: datetime) -> str:
        """`online`, `idle` (open, but nothing done for five minutes) or `away`."""
        if now - self.seen_at >= timedelta(seconds=settings.PRESENCE_ONLINE_S):
            return "away"
        idle = now - self.active_at >= timedelta(seconds=settings.PRESENCE_IDLE_AFTER_S)
        return "idle" if idle else "online"
