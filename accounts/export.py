"""What accounts offers to the export of a user's data: all but secrets and hashes."""

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from accounts.hooks import Part
from accounts.models import (
    ApiToken,
    Block,
    BrowserSession,
    Notice,
    NotificationSetting,
    PushSubscription,
    SeenAddress,
    User,
    WebhookEndpoint,
)
from accounts.wording import notice_text

PROFILE = ["id", "display_name", "email", "language", "time_zone", "theme", "sound", "date_joined", "last_login"]


def export(user: User) -> Iterator[Part]:
    """The parts of `user`: profile, sign-in, notices, and what was chosen in the settings."""
    yield Part("account/profile.json", {name: getattr(user, name) for name in PROFILE})
    yield Part("account/sign-in.json", _sign_in(user))
    yield Part("account/notices.json", [_notice(row) for row in Notice.objects.filter(user=user).iterator()])
    blocks = Block.objects.filter(user=user).select_related("blocked").order_by("pk")
    yield Part(
        "account/blocks.json",
        [{"user": row.blocked_id, "display_name": row.blocked.display_name, "at": row.at} for row in blocks],
    )
    yield Part(
        "account/notifications.json",
        {
            "settings": list(NotificationSetting.objects.filter(user=user).values("group", "email", "push")),
            "browsers": list(PushSubscription.objects.filter(user=user).values("browser", "system", "made_at")),
        },
    )
    yield Part(
        "account/programs.json",
        {
            "tokens": list(ApiToken.objects.filter(user=user).values("name", "scopes", "created", "expiry")),
            "webhooks": list(WebhookEndpoint.objects.filter(user=user).values("url", "events", "made_at")),
        },
    )


def _sign_in(user: User) -> dict[str, Any]:
    return {
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "sessions": list(
            BrowserSession.objects.filter(user=user).values("browser", "system", "address", "made_at", "seen_at")
        ),
        "network_addresses": list(SeenAddress.objects.filter(user=user).values("address", "first_at", "last_at")),
    }


def _notice(notice: Notice) -> dict[str, Any]:
    return {
        "kind": notice.kind,
        "text": notice_text(notice),
        "url": notice.url,
        "at": notice.at,
        "read_at": notice.read_at,
    }
