"""Pages of the account, the inbox and profiles. Each parses, calls one service, and prints."""

from django.http import HttpRequest

from accounts.models import User


class SignedIn(HttpRequest):
    """A request that `login_required` has let through."""

    user: User
