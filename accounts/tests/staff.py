"""Staff who are signed in with a second factor, as the admin asks for; and codes of authenticator apps."""

import time
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.http import HttpRequest
from django.test import Client

from accounts.models import User

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
"""Of every authenticator app in the tests."""


def with_app(user: User) -> Authenticator:
    """Give `user` an authenticator app, if there is none yet."""
    own = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).first()
    return own or TOTP.activate(user, SECRET).instance


def code(periods: int = 0) -> str:
    """What the app shows now, or `periods` of 30 seconds later."""
    return format_hotp_value(hotp_value(SECRET, int(time.time()) // 30 + periods))


def staff_client(user: User, **options: Any) -> Client:
    """A browser in which `user` has signed in with an authenticator app. Options are those of `Client`."""
    client = Client(**options)
    client.force_login(user)
    app = with_app(user)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, "mfa", id=app.pk, type=app.type)
    request.session.save()
    return client
