"""Web Push: how a message gets to a browser that has no page of ours open (RFC 8030, 8291, 8292)."""

from __future__ import annotations

import json
import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from email.utils import parseaddr
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from pywebpush import WebPushException, webpush

from accounts.models import PushSubscription

log = logging.getLogger(__name__)

TIMEOUT_S = 10
KEPT_S = 3600
"""How long a push service keeps a message for a browser that is off: older news is in the inbox anyway."""

ENDPOINT = re.compile(r"(?P<origin>https?://[a-z0-9.-]+(:[0-9]+)?)/[!-\[\]-~]*")
GONE = (404, 410)


class GoneError(Exception):
    """The browser has taken its subscription back."""


class LaterError(Exception):
    """The push service can't be reached, or asks to come back later."""


def is_offered() -> bool:
    """Whether this site has a key to push with."""
    return bool(settings.VAPID_PRIVATE_KEY)


def is_known(endpoint: str) -> bool:
    """Whether an endpoint, which a browser or anybody may have named, belongs to a push service that we send to."""
    match = ENDPOINT.fullmatch(endpoint)
    return match is not None and any(fnmatchcase(match["origin"], service) for service in settings.PUSH_SERVICES)


def public_key() -> str:
    """What a browser subscribes with: our key's public half, base64url."""
    return _public_half(settings.VAPID_PRIVATE_KEY)


def is_browser_key(p256dh: str, auth: str) -> bool:
    """Whether these can be a browser's keys: a point on P-256, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        return len(_bytes(auth)) == 16
    except ValueError:
        return False


def send(subscription: PushSubscription, message: dict[str, Any], *, urgent: bool) -> None:
    """Encrypt `message` for a browser and hand it to its push service.

    Raises:
        GoneError: there is no such subscription any more.
        LaterError: not now; the same may be tried again.
    """
    if not is_known(subscription.endpoint):
        raise GoneError
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    with requests.Session() as session:
        session.trust_env = False
        session.max_redirects = 0  # a push service answers by itself
        try:
            webpush(
                {"endpoint": subscription.endpoint, "keys": keys},
                json.dumps(message),
                vapid_private_key=settings.VAPID_PRIVATE_KEY,
                vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
                timeout=TIMEOUT_S,
                ttl=KEPT_S,
                headers={"Urgency": "high" if urgent else "normal"},
                requests_session=session,
            )
        except WebPushException as error:
            status = error.response.status_code if error.response is not None else None
            if status in GONE:
                raise GoneError from error
            if status is None or status == 429 or status >= 500:
                raise LaterError(str(status)) from error
            log.warning("a push service refused a message: %s", status)
        except requests.RequestException as error:
            raise LaterError(type(error).__name__) from error


@cache
def _public_half(private_key: str) -> str:
    number = int.from_bytes(_bytes(private_key), "big")
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return urlsafe_b64encode(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
