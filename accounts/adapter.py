"""What sign-up stores beside the e-mail address and the password."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    """Gives a new user the name, language and time zone that came with the form; says no in our words."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_taken": _("An account has this address already. Sign in, or reset its password."),
        "email_password_mismatch": _("Address and password don't belong together. Check both."),
        "too_many_login_attempts": _("Too many tries. Wait a few minutes, or reset the password."),
        "enter_current_password": _("This is not your present password."),
    }

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.display_name = form.cleaned_data["display_name"]
        user.time_zone = form.cleaned_data["time_zone"]
        user.language = translation.get_language() or ""
        return super().save_user(request, user, form, commit)
