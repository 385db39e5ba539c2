"""`manage.py check_integrity`: what it prints, how it ends, and that it holds nobody up."""

import threading
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.utils import timezone

from accounts.models import ApiToken, Block, Notice, User, WebhookDelivery, WebhookEndpoint
from accounts.services import notices, webhooks
from accounts.services.webhooks import endpoints
from accounts.tests.factories import UserFactory, api_client
from config.snapshot import snapshot

SETTLED = "ratematch.match.settled"


def check(*apps: str) -> str:
    """What it prints, if it finds nothing or something."""
    said = StringIO()
    try:
        call_command("check_integrity", *apps, stdout=said)
    except CommandError as error:
        return f"{said.getvalue()}{error}, exit code {error.returncode}"
    return said.getvalue()


@pytest.mark.django_db
def test_each_damage_to_accounts_is_named():
    user = UserFactory()
    api_client(user)
    notices.notify([user.pk], "ratematch.review", facts={}, url="", now=timezone.now())
    endpoints.add(actor=user, url="https://example.org/", events=[SETTLED], now=timezone.now())
    webhooks.emit(SETTLED, {}, users=[user.pk], now=timezone.now() - timedelta(minutes=9))
    assert check("accounts") == "Everything holds.\n"
    WebhookDelivery.objects.update(due_at=timezone.now() - timedelta(minutes=11))
    WebhookEndpoint.objects.update(events=["chess.settled"])
    User.objects.update(email="Big@example.org")
    EmailAddress.objects.create(user=user, email="other@example.org", primary=True)
    Notice.objects.update(kind="ratematch.unheard_of", read_at="2020-01-01T00:00Z")
    ApiToken.objects.update(expiry=None, scopes=["everything"])
    said = check("accounts")
    for line in (
        f"accounts_user {user.pk}: the e-mail address isn't in small letters",
        f"accounts_user {user.pk}: the e-mail address isn't the primary one",
        "there are no words for its kind 'ratematch.unheard_of'",
        "it was read before it came",
        "it never expires",
        "its scopes are ['everything']",
        "and nobody has",
        "it asks for ['chess.settled']",
        "8 found that must not be, exit code 1",
    ):
        assert line in said


@pytest.mark.django_db
def test_an_app_that_there_isnt_is_told():
    with pytest.raises(CommandError, match="no checks are known for chess"):
        call_command("check_integrity", "chess")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its constraints itself")
@pytest.mark.django_db
def test_a_row_that_a_constraint_forbids_is_found():
    user = UserFactory()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        Block.objects.create(user=user, blocked=user)
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    said = check()
    assert "CHECK constraint failed in accounts_block" in said


@pytest.mark.django_db(transaction=True)
def test_it_sees_one_moment_and_holds_up_no_writer():
    UserFactory(display_name="before")
    with snapshot():
        assert User.objects.count() == 1

        def write():
            UserFactory(display_name="meanwhile")
            connections.close_all()

        writer = threading.Thread(target=write)
        writer.start()
        writer.join(15)
        assert not writer.is_alive()
        assert User.objects.count() == 1
    assert User.objects.count() == 2
