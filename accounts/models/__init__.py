"""Users and what belongs to them in every game."""

from accounts.models.leaving import DataExport, KeptForAddress, Leaving
from accounts.models.notices import Notice, NotificationSetting, PushSubscription
from accounts.models.sessions import BrowserSession, SeenAddress
from accounts.models.site import Heartbeat
from accounts.models.tokens import ApiToken, IdempotentAnswer
from accounts.models.user import (
    Block,
    DisplayNameField,
    Presence,
    User,
    UserManager,
    check_display_name,
    check_time_zone,
    display_name,
    is_shown,
)
from accounts.models.webhooks import WebhookDelivery, WebhookEndpoint

__all__ = [
    "ApiToken",
    "Block",
    "BrowserSession",
    "DataExport",
    "DisplayNameField",
    "Heartbeat",
    "IdempotentAnswer",
    "KeptForAddress",
    "Leaving",
    "Notice",
    "NotificationSetting",
    "Presence",
    "PushSubscription",
    "SeenAddress",
    "User",
    "UserManager",
    "WebhookDelivery",
    "WebhookEndpoint",
    "check_display_name",
    "check_time_zone",
    "display_name",
    "is_shown",
]
