"""Deleting an account: what it asks for, what goes, what stays; and what waits for whoever comes back."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import Block, BrowserSession, DataExport, KeptForAddress, Leaving, Presence, User
from accounts.services import blocks, exports, leaving, notices, notifications, presence, sessions, tidying, tokens
from accounts.services.leaving import PERSONAL
from accounts.tests import staff
from accounts.tests.factories import UserFactory, api_client

pytestmark = pytest.mark.django_db

DELETE = reverse("delete_account")
GOES_OTHERWISE = {Block, BrowserSession}
"""Tables of ours whose rows of a user go by another way than `PERSONAL`."""


@pytest.fixture
def user():
    user = UserFactory(display_name="Linden")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def signed_in(user):
    """A browser in which the password was just given once more."""
    client = Client()
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": "password"})
    return client


def test_it_asks_for_the_password_first(user, client):
    client.force_login(user)
    assert client.get(DELETE)["Location"].startswith("/accounts/reauthenticate/")
    assert client.post(DELETE)["Location"].startswith("/accounts/reauthenticate/")
    assert not Leaving.objects.exists()


def test_what_is_personal_goes_and_the_row_stays(user, django_capture_on_commit_callbacks):
    client, other, address = signed_in(user), UserFactory(), user.email
    program = api_client(user)
    now = timezone.now()
    blocks.block(actor=user, user_id=other.pk)
    blocks.block(actor=other, user_id=user.pk)
    notices.notify([user.pk], "accounts.export_ready", facts={}, url="/", now=now)
    notifications.choose(actor=user, choices=[notifications.Choice("site", email=True)])
    presence.touch(user.pk, active=True, now=now)
    staff.with_app(user)
    exports.ask(actor=user, now=now)
    exports.build_waiting(now)
    file = DataExport.objects.get().file
    with django_capture_on_commit_callbacks(execute=True):
        assert "Your account is deleted" in client.post(DELETE, follow=True).content.decode()

    user.refresh_from_db()
    assert (user.is_active, user.display_name, user.language) == (False, "Deleted player", "")
    assert user.email == f"deleted-{user.pk}@deleted.invalid"
    assert not user.has_usable_password()
    for table in (*PERSONAL, BrowserSession):
        assert not table.objects.filter(user=user).exists()
    assert not Block.objects.exists()
    assert not storages["private"].exists(file)
    assert client.get("/inbox/").status_code == 302
    assert program.get("/api/v1/me").status_code == 401
    assert [message.to for message in mail.outbox] == [[address]]
    assert Client().post("/accounts/login/", {"login": address, "password": "password"}).status_code == 200


def test_no_table_is_forgotten():
    apps = ("accounts", "account", "mfa")
    tables = {relation.related_model for relation in User._meta.related_objects}
    assert {table for table in tables if table._meta.app_label in apps} == {*PERSONAL, *GOES_OTHERWISE}


def test_the_name_is_translated_and_free_again(user, client):
    leaving.ask(actor=user, now=timezone.now())
    with translation.override("en"):
        assert str(User.objects.get(pk=user.pk)) == "Deleted player"
    page = client.get(reverse("profile", args=[user.pk])).content.decode()
    assert "Deleted player" in page
    assert "Linden" not in page
    UserFactory(display_name="Linden")
    leaving.ask(actor=UserFactory(), now=timezone.now())  # two deleted ones are no clash


def test_it_can_be_taken_back_until_it_is_done(user):
    Leaving.objects.create(user=user)
    client = signed_in(user)
    page = client.get(reverse("your_data")).content.decode()
    assert "as soon as nothing needs you" in page
    client.post(reverse("keep_account"))
    assert not leaving.carry_out_one_due(timezone.now())
    assert User.objects.get(pk=user.pk).is_active
    assert "being deleted" in client.post(reverse("keep_account"), follow=True).content.decode()


def test_a_sweep_carries_out_what_waited(user):
    now = timezone.now()
    Leaving.objects.create(user=user, try_at=now)
    assert leaving.carry_out_one_due(now)
    assert not leaving.carry_out_one_due(now)
    assert User.objects.get(pk=user.pk).deleted_at == now


class TestKept:
    """Of accounts itself: who gets back what, once, and for how long. What a game keeps is in its own tests."""

    def test_nobody_can_read_the_address(self, user):
        digest = leaving.hash_of(user.email)
        assert re.fullmatch("[0-9a-f]{64}", digest)
        assert leaving.hash_of(f" {user.email.upper()}") == digest

    def test_it_goes_after_ninety_days(self, user):
        now = timezone.now()
        KeptForAddress.objects.create(
            address_hash=leaving.hash_of(user.email), app="ratematch", data={}, until=now + leaving.KEPT_FOR
        )
        assert tidying.tidy(now=now + timedelta(days=89))["kept"] == 0
        assert tidying.tidy(now=now + timedelta(days=90))["kept"] == 1
        assert timedelta(days=90) == leaving.KEPT_FOR


def test_ending_sessions_is_part_of_it(user):
    client = signed_in(user)
    client.get("/inbox/")
    assert sessions.of(user, timezone.now())
    leaving.ask(actor=user, now=timezone.now())
    assert client.get("/inbox/").status_code == 302
    assert not Presence.objects.filter(user=user).exists()
    assert not Authenticator.objects.exists()
    assert tokens.ApiToken.objects.count() == 0
