"""Sessions; and second factors: allauth's views where we let them go on elsewhere than they would."""

from typing import Any

from allauth.account.views import PasswordChangeView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts import second_factor
from accounts.services import sessions
from accounts.views import SignedIn
from common.errors import Refusal
from common.problems import text_for


@require_safe
@login_required
def session_list(request: SignedIn) -> HttpResponse:
    """Where one is signed in."""
    facts = {"sessions": sessions.of(request.user, timezone.now()), "own_key": request.session.session_key}
    return render(request, "accounts/sessions.html", facts)


@require_POST
@login_required
def end_session(request: SignedIn, pk: int) -> HttpResponse:
    """End another session of one's own."""
    try:
        sessions.end(actor=request.user, session_id=pk, own_key=request.session.session_key or "")
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    else:
        messages.success(request, _("Session ended."))
    return redirect("sessions")


@require_POST
@login_required
def end_other_sessions(request: SignedIn) -> HttpResponse:
    """End all but this one."""
    count = sessions.end_others(user_id=request.user.pk, but=request.session.session_key or "")
    messages.success(request, ngettext("%(n)s session ended.", "%(n)s sessions ended.", count) % {"n": count})
    return redirect("sessions")


class ChangePassword(PasswordChangeView):
    """Change the password. The session that does it goes on, under another key."""

    def form_valid(self, form: Any) -> HttpResponse:
        old_key = self.request.session.session_key
        response = super().form_valid(form)
        if old_key and (new_key := self.request.session.session_key):
            sessions.renew(old_key=old_key, new_key=new_key)
        return response


class ActivateTotp(ActivateTOTPView):
    """Set an authenticator app up."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        second_factor.note_set_up(self.request, Authenticator.Type.TOTP)
        return response


class AddPasskey(AddWebAuthnView):
    """Add a passkey."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        second_factor.note_set_up(self.request, Authenticator.Type.WEBAUTHN)
        return response
