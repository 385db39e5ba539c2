"""What runs by itself; settings.CELERY_BEAT_SCHEDULE says how often."""

from celery import shared_task
from django.utils import timezone

from accounts.services import tidying
from accounts.services.webhooks import delivery


@shared_task(name="accounts.tidy")
def tidy() -> dict[str, int]:
    """Delete what is kept only for a while."""
    return tidying.tidy(now=timezone.now())


@shared_task(name="accounts.send_webhooks")
def send_webhooks() -> None:
    """Send what programs of users are to be told."""
    delivery.send_due()
