"""What every page shows around its own content."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.middleware import tag
from accounts.models import Notice


def page(request: HttpRequest) -> dict[str, Any]:
    """For `base.html`: `unread`, counted when a template first asks; `languages`; `live`, whether to open a stream."""
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    return {
        "unread": _unread(user.pk if user is not None and signed_in else None),
        "languages": [(code, tag(code), name) for code, name in settings.LANGUAGES],
        "live": signed_in,
    }


def _unread(user_id: int | None) -> Callable[[], int]:
    @cache
    def unread() -> int:
        return Notice.objects.filter(user=user_id, read_at=None).count() if user_id else 0

    return unread
