"""Taking notices out of the site: by e-mail and on browsers, for those who want it and don't look at a page anyway.

The truth is a column, `Notice.deliver_at`, as it is with clocks: a lost task is made good by the next one. A row is
claimed by moving its time ahead, and is done when the time is gone. So a worker that dies in the middle sends twice at
most, and mail programs and browsers take the second for the first: it has the same id.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from email.utils import parseaddr
from smtplib import SMTPException

from allauth.account.models import EmailAddress
from celery import current_app
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import Truncator

from accounts import push
from accounts.models import Notice, NotificationSetting, Presence, PushSubscription, User
from accounts.services.notifications import GROUPS, MATCHES, group_of, stop_token
from accounts.wording import notice_text

log = logging.getLogger(__name__)

AGAIN_AFTER = timedelta(minutes=5)
GIVEN_UP_AFTER = timedelta(hours=1)
SUBJECT_MAX = 90


def send_soon() -> None:
    """Wake the task that delivers. That the broker is away does no harm: the task looks by itself, too."""
    current_app.send_task("accounts.deliver_notices", retry=False)


def deliver_one_due(now: datetime) -> bool:
    """Deliver one notice, in its reader's language. Answers whether there was one."""
    notice = Notice.objects.filter(deliver_at__lte=now).select_related("user").order_by("deliver_at", "pk").first()
    if notice is None:
        return False
    claimed = Notice.objects.filter(pk=notice.pk, deliver_at=notice.deliver_at)
    if not claimed.update(deliver_at=now + AGAIN_AFTER):
        return True  # another worker has it
    done = True
    if notice.read_at is None and notice.user.is_active and not _looks(notice.user, now):
        done = _deliver(notice)
    if done or notice.at <= now - GIVEN_UP_AFTER:
        Notice.objects.filter(pk=notice.pk).update(deliver_at=None)
    return True


def _looks(user: User, now: datetime) -> bool:
    """Whether the user has a page open and has just done something on it."""
    seen = Presence.objects.filter(user=user).first()
    return seen is not None and seen.state(now) == "online"


def _deliver(notice: Notice) -> bool:
    """Whether nothing is left to be tried again."""
    user, group = notice.user, group_of(notice.kind)
    choice = NotificationSetting.objects.filter(user=user, group=group).first()
    if choice is None:
        return True
    zone = user.time_zone or settings.TIME_ZONE
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone):
        text = notice_text(notice)
        pushed = not choice.push or _push(notice, text, urgent=group == MATCHES)
        mailed = not choice.email or _mail(notice, text, group)
    return pushed and mailed


def _push(notice: Notice, text: str, *, urgent: bool) -> bool:
    done = True
    message = {
        "title": translation.pgettext("name of the site", "Banzuke"),
        "body": text,
        "tag": notice.url or str(notice.pk),
        "url": reverse("open_notice", args=[notice.pk]),
        "lang": translation.get_language(),
    }
    for subscription in PushSubscription.objects.filter(user=notice.user):
        try:
            push.send(subscription, message, urgent=urgent)
        except push.GoneError:
            subscription.delete()
        except push.LaterError as error:
            log.warning("a push service can't be reached: %s", error)
            done = False
    return done


def _mail(notice: Notice, text: str, group: str) -> bool:
    user = notice.user
    if not EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists():
        return True  # not to somebody who may never have heard of us
    stop = settings.SITE_URL + reverse("stop_mail", args=[stop_token(user.pk, group)])
    facts = {
        "text": text,
        "link": settings.SITE_URL + reverse("open_notice", args=[notice.pk]),
        "stop": stop,
        "settings": settings.SITE_URL + reverse("notification_settings"),
        "group": GROUPS[group][0],
    }
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    mail = EmailMessage(
        subject=Truncator(text).chars(SUBJECT_MAX),
        body=render_to_string("accounts/mails/notice.txt", facts),
        to=[user.email],
        headers={
            "Message-ID": f"<notice-{notice.pk}@{domain}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    try:
        mail.send()
    except (SMTPException, OSError) as error:
        log.warning("a mail can't be sent: %s", error)
        return False
    return True
