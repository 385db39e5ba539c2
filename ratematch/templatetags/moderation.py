"""What the admin's frame says about rated matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratematch.models import Case
from ratematch.policies import can_appoint, can_change_policy, can_moderate

register = template.Library()

PAGES = [
    (can_moderate, "ratematch_figures", _("Figures")),
    (can_moderate, "ratematch_farming", _("Farming and collusion")),
    (can_appoint, "ratematch_moderators", _("Moderators")),
    (can_change_policy, "ratematch_fairplaypolicy_changelist", _("Fair-play policy")),
]


@dataclass(frozen=True, slots=True)
class Desk:
    """The desk as one of the staff may use it: how many cases wait, and addresses and names of its other pages."""

    moderates: bool
    waiting: int
    pages: list[tuple[str, Promise]]


@register.simple_tag(takes_context=True)
def desk(context: dict[str, Any]) -> Desk:
    """What of the desk the visitor may open."""
    user = context["request"].user
    moderates = can_moderate(user)
    return Desk(
        moderates=moderates,
        waiting=Case.objects.filter(closed_at=None).count() if moderates else 0,
        pages=[(reverse(f"admin:{name}"), words) for may, name, words in PAGES if may(user)],
    )


@register.filter
def took(time: timedelta | None) -> str:
    """A length of time in the two largest units that say something: "3 h 20 min"; a dash for none."""
    if time is None:
        return "—"
    minutes = max(1, round(time.total_seconds() / 60))
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    units = [(days, gettext("%(n)s d")), (hours, gettext("%(n)s h")), (minutes, gettext("%(n)s min"))]
    largest = next(place for place, (n, _unit) in enumerate(units) if n)
    return " ".join(unit % {"n": n} for n, unit in units[largest : largest + 2] if n)


@register.filter
def age(since: datetime, now: datetime) -> str:
    """How long it is since then, as `took` writes it."""
    return took(now - since)


@register.filter
def labelled(cells: Iterable[str], headers: Iterable[dict[str, Any]]) -> list[SafeString]:
    """The cells of a row of Django's lists, each with its column's name: a phone shows them below each other."""
    names = [capfirst(header["text"]) for header in headers]
    return [
        SafeString(cell.replace("<td", format_html('<td data-label="{}"', name), 1))
        for name, cell in zip(names, cells, strict=False)
    ]
