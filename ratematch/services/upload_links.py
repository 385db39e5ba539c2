"""Evidence from the phone (rules §9): a link that lets one player attach screenshots to one match for five minutes.

The link is signed and says all there is to know, so nothing is kept; it opens nothing but the upload.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing

from accounts.models import User
from common.errors import Missing

if TYPE_CHECKING:
    from ratematch.models import Match

SALT = "ratematch.upload"


def make_token(match: Match, user: User) -> str:
    """What the link carries."""
    return signing.dumps([match.pk, user.pk], salt=SALT)


def read_token(token: str) -> tuple[int, User]:
    """The match and the player that a link is for.

    Raises:
        Missing: no such link, or its time is over.
    """
    try:
        match_id, user_id = signing.loads(token, salt=SALT, max_age=settings.RATEMATCH["UPLOAD_LINK_S"])
    except signing.BadSignature:
        raise Missing("upload_link_over") from None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        raise Missing("upload_link_over")
    return match_id, user
