"""How the moderators' work goes, and signs of farming and collusion."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ratematch.admin import farming
from ratematch.admin import figures as counted
from ratematch.admin.views.frame import moderators_only, page
from ratematch.models import Case

DAYS = 30


def _days(request: HttpRequest, choices: tuple[int, ...]) -> int:
    """`?days=` where it is one of the choices."""
    asked = request.GET.get("days", "")
    return next((days for days in choices if str(days) == asked), DAYS)


@moderators_only
@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """What waits, how long rulings take, and who makes how many. `?days=` is how far back."""
    now = timezone.now()
    days = _days(request, counted.WINDOWS)
    facts = {
        "title": _("Figures"),
        "now": now,
        "days": days,
        "windows": counted.WINDOWS,
        "waiting": counted.waiting(),
        "figures": counted.figures(now, days),
        "counted": counted.COUNTED,
        "kinds": [name for _kind, name in Case.KINDS],
    }
    return page(request, "figures", facts)


@moderators_only
@require_safe
def signs(request: HttpRequest) -> HttpResponse:
    """Pairs that meet often, results that go one way, ratings parked at the floor, shared addresses."""
    now = timezone.now()
    days = _days(request, farming.WINDOWS)
    seen = farming.window(now, days)
    facts = {
        "title": _("Farming and collusion"),
        "days": days,
        "windows": farming.WINDOWS,
        "window": seen,
        "pairs": farming.pairs(seen),
        "parked": farming.parked(seen),
        "shared": farming.shared(seen),
        "limits": {
            "matches": farming.MATCHES,
            "looked_up": farming.LOOKED_UP,
            "often": farming.OFTEN,
            "at_floor": farming.AT_FLOOR,
            "floor": farming.elo.FLOOR,
        },
    }
    return page(request, "farming", facts)
