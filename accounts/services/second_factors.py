"""Second factors that were lost."""

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User
from accounts.services import sessions


def remove_all(*, user: User) -> int:
    """Take all second factors off a user who has lost them, and end the sessions that they opened. Answers how many."""
    with transaction.atomic(durable=True):
        count = Authenticator.objects.filter(user=user).delete()[0]
        sessions.end_others(user_id=user.pk, but="")
    return count
