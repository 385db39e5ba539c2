"""What runs by itself; settings.CELERY_BEAT_SCHEDULE says how often."""

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from accounts.services import exports, leaving, notice_delivery, tidying
from accounts.services.webhooks import delivery

DELIVER_MAX_S = 120
"""A worker that died while it delivered keeps the others from it for so long."""


@shared_task(name="accounts.tidy")
def tidy() -> dict[str, int]:
    """Delete what is kept only for a while."""
    return tidying.tidy(now=timezone.now())


@shared_task(name="accounts.send_webhooks")
def send_webhooks() -> None:
    """Send what programs of users are to be told."""
    delivery.send_due()


@shared_task(name="accounts.deliver_notices")
def deliver_notices() -> int:
    """Send out the notices that are due; answers how many. One at a time: the worker has others to serve, and a push
    service or a mail server may be slow."""
    if not cache.add("accounts.deliver_notices", 1, timeout=DELIVER_MAX_S):
        return 0
    count = 0
    try:
        while notice_delivery.deliver_one_due(timezone.now()):
            count += 1
    finally:
        cache.delete("accounts.deliver_notices")
    return count


@shared_task(name="accounts.sweep")
def sweep() -> None:
    """Build the exports that were asked for, and delete the accounts that can be deleted now."""
    exports.build_waiting(timezone.now())
    while leaving.carry_out_one_due(timezone.now()):
        pass
