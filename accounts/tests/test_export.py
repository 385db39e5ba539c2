"""The export of one's data: asked for once a day, built by the sweep, fetched by its owner for a week."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import DataExport, Notice, User
from accounts.services import blocks, exports, notifications, tokens
from accounts.tests import staff
from accounts.tests.factories import UserFactory
from common.errors import Conflict

pytestmark = pytest.mark.django_db

PAGE = reverse("your_data")


@pytest.fixture
def user():
    user = UserFactory(display_name="Linden")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def fetched(client):
    """The files of the latest export, by name."""
    answer = client.get(reverse("fetch_export", args=[DataExport.objects.latest("pk").pk]))
    assert answer["Content-Disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_asked_for_built_told_and_fetched(user):
    client, other = signed_in(user), UserFactory(display_name="Quarry8")
    blocks.block(actor=user, user_id=other.pk)
    _token, plain = tokens.create(actor=user, name="my bot", scopes=["read"], days=9, now=timezone.now())
    notifications.choose(actor=user, choices=[notifications.Choice("site", email=True)])
    staff.with_app(user)
    assert "A notice tells you" in client.post(reverse("ask_export"), follow=True).content.decode()
    assert "Being put together" in client.get(PAGE).content.decode()
    assert exports.build_waiting(timezone.now()) == 1
    assert Notice.objects.get(user=user).kind == "accounts.export_ready"

    files = fetched(client)
    profile = json.loads(files["account/profile.json"])
    assert (profile["display_name"], profile["email"]) == ("Linden", user.email)
    assert json.loads(files["account/blocks.json"])[0]["display_name"] == "Quarry8"
    assert json.loads(files["account/notifications.json"])["settings"][0]["group"] == "site"
    assert json.loads(files["account/sign-in.json"])["sessions"]
    everything = b"".join(files.values()).decode()
    for secret in (plain, user.password, staff.SECRET, other.email, client.session.session_key):
        assert secret not in everything


def test_once_a_day(user):
    now = timezone.now()
    exports.ask(actor=user, now=now)
    with pytest.raises(Conflict) as refused:
        exports.ask(actor=user, now=now + timedelta(hours=23))
    assert refused.value.facts["available_at"] == now + timedelta(days=1)
    exports.ask(actor=user, now=now + timedelta(days=1))
    assert "once a day" in signed_in(user).post(reverse("ask_export"), follow=True).content.decode()


def test_built_once(user):
    exports.ask(actor=user, now=timezone.now())
    assert [exports.build_waiting(timezone.now()) for _time in range(2)] == [1, 0]
    assert Notice.objects.count() == 1


def test_nobody_elses(user):
    exports.ask(actor=user, now=timezone.now())
    export = DataExport.objects.get()
    url = reverse("fetch_export", args=[export.pk])
    assert signed_in(user).get(url).status_code == 404  # not ready yet
    exports.build_waiting(timezone.now())
    chief = User.objects.create_superuser("chief@example.org", "chief", "password")
    assert [signed_in(who).get(url).status_code for who in (user, UserFactory(), chief)] == [200, 404, 404]
    assert Client().get(url).status_code == 302


def test_kept_for_a_week(user):
    now = timezone.now()
    exports.ask(actor=user, now=now)
    exports.build_waiting(now)
    export, client = DataExport.objects.get(), signed_in(user)
    assert exports.forget_old(now + timedelta(days=6, hours=23)) == 0
    DataExport.objects.update(ready_at=now - timedelta(days=7))
    assert client.get(reverse("fetch_export", args=[export.pk])).status_code == 404
    assert "Download" not in client.get(PAGE).content.decode()
    assert exports.forget_old(now) == 1
    assert not storages["private"].exists(export.file)
