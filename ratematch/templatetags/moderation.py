"""What the admin's frame says about rated matches."""

from typing import Any

from django import template

from ratematch.models import Match
from ratematch.policies import can_moderate
from ratematch.rules.lifecycle import State

register = template.Library()


@register.simple_tag(takes_context=True)
def waiting_cases(context: dict[str, Any]) -> int | None:
    """How many matches wait for a ruling, or None for who may not rule on them."""
    request = context["request"]
    if not can_moderate(request.user):
        return None
    return Match.objects.filter(state=State.REVIEW).count()
