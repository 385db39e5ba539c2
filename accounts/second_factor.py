"""Whether a visitor has proved more than a password. Staff must, before the moderators' side opens."""

from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User

WANTED = "second_factor_for"
"""Where in the session the page stands that asked for a second factor, to go back to once one is set up."""


def has_one(user: User) -> bool:
    """Whether `user` has an authenticator app or a passkey."""
    return Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


def was_used(request: HttpRequest) -> bool:
    """Whether this session was opened, or confirmed since, with a second factor that its user still has.

    Asked for several times a page, so the answer is kept with the request.
    """
    if not hasattr(request, "second_factor_was_used"):
        records = get_authentication_records(request, request.user) if request.user.is_authenticated else []
        used = {record["id"] for record in records if record["method"] == "mfa"}
        answer = bool(used) and Authenticator.objects.filter(user=request.user.pk, pk__in=used).exists()
        request.second_factor_was_used = answer  # type: ignore[attr-defined]
    return request.second_factor_was_used  # type: ignore[attr-defined]


def note_set_up(request: HttpRequest, authenticator_type: str) -> None:
    """Setting one up proves that one has it: count it for this session, so that nobody is asked twice in a row."""
    newest = Authenticator.objects.filter(user=request.user.pk, type=authenticator_type).latest("pk")
    record_authentication(request, request.user, "mfa", id=newest.pk, type=newest.type)


def way_to(request: HttpRequest, wanted: str) -> str:
    """The address at which a signed-in user gives, or first sets up, a second factor, and comes back to `wanted`."""
    assert isinstance(request.user, User)
    request.session[WANTED] = wanted
    own = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    if not own - {Authenticator.Type.RECOVERY_CODES}:
        return reverse("mfa_index")
    by_code = Authenticator.Type.TOTP in own
    page = reverse("mfa_reauthenticate" if by_code else "mfa_reauthenticate_webauthn")
    return f"{page}?{urlencode({'next': wanted})}"
