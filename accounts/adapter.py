"""What sign-up stores beside the e-mail address and the password."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils import translation

from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    """Gives a new user the name, language and time zone that came with the form."""

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.display_name = form.cleaned_data["display_name"]
        user.time_zone = form.cleaned_data["time_zone"]
        user.language = translation.get_language() or ""
        return super().save_user(request, user, form, commit)
