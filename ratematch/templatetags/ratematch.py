"""How pages write the numbers and marks of rated matches."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe

from common.errors import Invalid
from common.problems import text_for
from ratematch import wording
from ratematch.conf import durations
from ratematch.models import CATEGORY_NAMES, Picture, Player
from ratematch.rules import elo
from ratematch.rules.fairplay import Category

if TYPE_CHECKING:
    from accounts.models import User

register = template.Library()

register.filter("signed", wording.signed)
register.filter("stars", wording.stars)
register.filter("stars_spoken", wording.stars_spoken)


@register.filter
@lru_cache(maxsize=10_000)
def player_url(pk: int) -> str:
    """The address of a player's page. Lists have many, and Django works each out anew."""
    return reverse("ratematch:player", args=[pk])


@register.filter
def day(at: datetime) -> str:
    """A short date. Kept by day and language, since tables say the same few days again and again."""
    return _day(timezone.localtime(at).date(), translation.get_language())


@lru_cache(maxsize=4096)
def _day(date: date, language: str | None) -> str:
    return date_format(date, "SHORT_DATE_FORMAT")


@register.filter
def moment(at: str) -> str:
    """A date and time that a notice keeps as text, in the reader's time zone."""
    return date_format(timezone.localtime(datetime.fromisoformat(at)), "SHORT_DATETIME_FORMAT")


@register.filter
def category_name(category: str) -> str:
    """What a report or a penalty is for, in words."""
    return str(CATEGORY_NAMES[Category(category)])


@register.filter
def mark(result: str) -> str:
    """○ ● △ or — for "win", "loss", "draw", "void"; nothing for a match that isn't over."""
    return wording.MARKS.get(result, "")


@register.filter
def result_word(result: str) -> str:
    """The same in words."""
    return str(wording.RESULTS[result]) if result in wording.RESULTS else ""


@register.filter
def exact(change: float) -> str:
    """A change before it is rounded to a whole number: +15.82 or −16.28."""
    return f"{change:+.2f}".replace("-", wording.MINUS)


@register.filter
def minutes(length: timedelta) -> int:
    """Whole minutes of a length of time."""
    return int(length.total_seconds() // 60)


@register.simple_tag
def length(name: str) -> str:
    """A length of time in words: one of the rules' durations, or "queue_max" or "queue_gone"."""
    if name in ("queue_max", "queue_gone"):
        return wording.length_words(timedelta(seconds=settings.RATEMATCH[f"{name.upper()}_S"]))
    return wording.length_words(getattr(durations(), name))


@register.simple_tag
def floor() -> int:
    """The rating below which nobody falls."""
    return elo.FLOOR


@register.simple_tag
def initial() -> int:
    """The rating that everybody starts with."""
    return elo.INITIAL


@register.filter
def clock(seconds: int | None) -> str:
    """78 as 1:18, 3700 as 1:01:40: what a running clock shows before the script takes it over."""
    hours, rest = divmod(seconds or 0, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


@register.filter
def refusal(picture: Picture) -> str:
    """Why a screenshot was refused."""
    limits = {
        "limit_mb": settings.RATEMATCH["PICTURE_MAX_BYTES"] // 1024 // 1024,
        "limit_mp": settings.RATEMATCH["PICTURE_MAX_PIXELS"] // 1_000_000,
    }
    return text_for(Invalid(picture.refusal, **limits))


@register.simple_tag
def standing_of(user: User) -> Player | None:
    """A user's row as a player, for the profile page, which knows no game."""
    return Player.objects.filter(user=user).first()


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the page's sprite."""
    return mark_safe(f'<svg class="i" aria-hidden="true"><use href="#i-{name}"/></svg>')  # noqa: S308  # our own words
