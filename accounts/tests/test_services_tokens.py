"""Tokens: who gets one, what is kept of it, and when it ends."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import ApiToken
from accounts.services import tokens
from accounts.tests.factories import UserFactory
from common.errors import Conflict, Invalid, Missing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def create(user, **changes):
    facts = {"name": "bot", "scopes": ["read"], "days": 30, "now": NOW} | changes
    return tokens.create(actor=user, **facts)


def test_only_the_hash_is_kept():
    token, plain = create(UserFactory(), scopes=["play", "read", "read"])
    kept = ApiToken.objects.get()
    assert plain.startswith("bz_")
    assert plain not in {str(getattr(kept, field.attname)) for field in ApiToken._meta.concrete_fields}
    assert (kept.pk, kept.scopes, kept.expiry) == (token.pk, ["play", "read"], NOW + timedelta(days=30))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "bad_token_name"),
        ({"name": "x" * 61}, "bad_token_name"),
        ({"scopes": []}, "bad_scopes"),
        ({"scopes": ["read", "admin"]}, "bad_scopes"),
        ({"days": 0}, "bad_days"),
        ({"days": 366}, "bad_days"),
    ],
)
def test_input_that_cant_be_used(changes, code):
    with pytest.raises(Invalid) as refusal:
        create(UserFactory(), **changes)
    assert refusal.value.code == code
    assert not ApiToken.objects.exists()


def test_expired_tokens_dont_count_against_the_limit():
    user = UserFactory()
    create(user, days=1, now=NOW - timedelta(days=1))
    for _ in range(tokens.LIVE_MAX):
        create(user)
    with pytest.raises(Conflict, match="too_many_tokens"):
        create(user)


def test_revoking_is_for_the_owner():
    token, _plain = create(UserFactory())
    with pytest.raises(Missing, match="no_such_token"):
        tokens.revoke(actor=UserFactory(), token_id=token.pk)
    tokens.revoke(actor=token.user, token_id=token.pk)
    with pytest.raises(Missing, match="no_such_token"):
        tokens.revoke(actor=token.user, token_id=token.pk)
