"""Second factors: allauth's views where we let them go on elsewhere than they would."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.http import HttpResponse

from accounts import second_factor


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
