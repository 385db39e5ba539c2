"""Users for tests, and clients of the API that hold a token."""

from datetime import timedelta

import factory
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, User
from accounts.services import tokens


class UserFactory(factory.django.DjangoModelFactory[User]):
    """A user with the password `password`."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"player{n}@example.org")
    display_name = factory.Sequence(lambda n: f"Player {n}")
    password = factory.django.Password("password")


def api_client(user: User | None = None, *, scopes: tuple[str, ...] = (ApiToken.READ, ApiToken.PLAY)) -> APIClient:
    """A client of the API; without a user, an anonymous one."""
    client = APIClient()
    if user is not None:
        _token, plain = tokens.create(actor=user, name="tests", scopes=scopes, days=1, now=timezone.now())
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {plain}")
    return client


def expired_client(user: User) -> APIClient:
    """A client whose token has run out just now."""
    client = APIClient()
    before = timezone.now() - timedelta(days=1)
    _token, plain = tokens.create(actor=user, name="tests", scopes=[ApiToken.READ], days=1, now=before)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {plain}")
    return client
