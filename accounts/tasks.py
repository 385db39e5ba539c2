"""What runs by itself; settings.CELERY_BEAT_SCHEDULE says how often."""

from celery import shared_task
from django.utils import timezone

from accounts.services import tidying


@shared_task(name="accounts.tidy")
def tidy() -> dict[str, int]:
    """Delete what is kept only for a while."""
    return tidying.tidy(now=timezone.now())
