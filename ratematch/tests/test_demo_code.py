"""The demo's moderator has an authenticator app whose codes a command works out."""

from io import StringIO

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import CommandError, call_command
from django.test import override_settings

from accounts.tests import staff
from ratematch.demo import people
from ratematch.tests import factories

pytestmark = pytest.mark.django_db


def demo_code(user) -> str:
    said = StringIO()
    call_command("demo_code", user.email, stdout=said)
    return said.getvalue().strip()


def test_the_code_signs_in(client):
    moderator = factories.moderator()
    TOTP.activate(moderator, people.TOTP_SECRET)
    client.post("/accounts/login/", {"login": moderator.email, "password": "password"})
    assert client.post("/accounts/2fa/authenticate/", {"code": demo_code(moderator)}).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_of_nobody_else_and_on_no_real_site():
    other = factories.moderator()
    with pytest.raises(CommandError):
        demo_code(other)
    staff.with_app(other)
    with pytest.raises(CommandError):
        demo_code(other)
    TOTP.activate(demo := factories.moderator(), people.TOTP_SECRET)
    with override_settings(SETTINGS_MODULE="config.settings.production"), pytest.raises(CommandError):
        demo_code(demo)
