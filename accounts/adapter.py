"""What sign-up stores beside the e-mail address and the password; what sign-in says in our words."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import leaving, sessions

log = logging.getLogger(__name__)


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
        user = super().save_user(request, user, form, commit)
        leaving.give_back(user, now=timezone.now())
        return user

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """An account that changes its address leaves behind what a deleted one would, and gets what waits there."""
        old = User.objects.get(pk=email_address.user_id).email
        confirmed = super().confirm_email(request, email_address)
        if confirmed and email_address.email != old:
            leaving.change_address(user_id=email_address.user_id, old=old)
        return confirmed

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell the owner that sign-in was changed. It is done already, so a mail server that is away undoes nothing."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except (SMTPException, OSError) as error:
            log.warning("a mail about a change of sign-in can't be sent: %s", error)

    def set_password(self, user: User, password: str) -> None:
        """A new password ends all sessions but the one that asks; tokens of programs stay."""
        super().set_password(user, password)
        sessions.end_others(user_id=user.pk, but=allauth_context.request.session.session_key or "")

    def logout(self, request: HttpRequest) -> None:
        """Sign out, and show nothing in this browser any more."""
        key = request.session.session_key
        super().logout(request)
        if key:
            sessions.drop([key])


class SecondFactorAdapter(DefaultMFAAdapter):
    """How passkeys and authenticator apps name this site; and its noes in our words."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code doesn't fit, or was used already. Wait for the next one."),
        "unverified_email": _("Confirm your e-mail address first: else a lost second factor can't be made good."),
        "cannot_generate_recovery_codes": _("Recovery codes come with a second factor. Set one up first."),
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return super().get_public_key_credential_rp_entity() | {"name": "Banzuke"}

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}
