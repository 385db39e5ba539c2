"""Users and what belongs to them in every game."""

from accounts.models.notices import Notice
from accounts.models.site import Heartbeat
from accounts.models.tokens import ApiToken, IdempotentAnswer
from accounts.models.user import Block, Presence, User, UserManager, check_display_name, check_time_zone, display_name

__all__ = [
    "ApiToken",
    "Block",
    "Heartbeat",
    "IdempotentAnswer",
    "Notice",
    "Presence",
    "User",
    "UserManager",
    "check_display_name",
    "check_time_zone",
    "display_name",
]
