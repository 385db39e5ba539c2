"""Forms of the account pages. They parse and check; services write."""

import zoneinfo
from functools import cache
from typing import Any

from allauth.account import forms as allauth
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken, User, check_display_name

NAME_HELP = _("2 to 20 letters or digits. Everybody sees it.")
NAME_TAKEN = _("Somebody has this name already. Choose another one.")


def name_taken(name: str, *, but: int | None = None) -> bool:
    """Whether a user other than `but` goes by this name, in whatever case."""
    others = User.objects.exclude(pk=but) if but else User.objects.all()
    return others.filter(display_name__iexact=name).exists()


class Plain:
    """Our labels, above the fields; no placeholder says them again."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in ("email", "login"):
                field.label = _("E-mail address")


class SignupForm(Plain, allauth.SignupForm):
    """E-mail address, display name, password; the time zone is a guess that a script fills in."""

    display_name = forms.CharField(
        label=_("Display name"),
        min_length=2,
        max_length=20,
        validators=[check_display_name],
        help_text=NAME_HELP,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "autocapitalize": "none", "spellcheck": "false"}),
    )
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-guess": "time-zone"}))
    field_order = ["email", "display_name", "password1"]

    def save(self, request: HttpRequest) -> User:
        """The user and the address stand or fall together. Raises IntegrityError when the name was just taken."""
        with transaction.atomic(durable=True):
            return super().save(request)

    def clean_display_name(self) -> str:
        name = self.cleaned_data["display_name"]
        if name_taken(name):
            raise forms.ValidationError(NAME_TAKEN, code="name_taken")
        return name

    def clean_time_zone(self) -> str:
        """The guess, or nothing: a browser with an odd clock is no reason to turn anybody away."""
        zone = self.cleaned_data["time_zone"]
        return zone if zone in zoneinfo.available_timezones() else ""


class LoginForm(Plain, allauth.LoginForm):
    """E-mail address and password."""


class ResetPasswordForm(Plain, allauth.ResetPasswordForm):
    """Where to send the link."""


class ResetPasswordKeyForm(Plain, allauth.ResetPasswordKeyForm):
    """A new password, by the link."""


class ChangePasswordForm(Plain, allauth.ChangePasswordForm):
    """The old password and a new one."""


class AddEmailForm(Plain, allauth.AddEmailForm):
    """Another address for the account."""


class ReauthenticateForm(Plain, allauth.ReauthenticateForm):
    """The password once more."""


class Code:
    """A code typed by hand: digits on a phone's keyboard, and no help from the browser's memory."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code")
        self.fields["code"].widget = forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True, "spellcheck": "false"}
        )


class SecondFactorForm(Code, mfa.AuthenticateForm):
    """The code of an authenticator app, or a recovery code, at sign-in."""


class SecondFactorAgainForm(Code, mfa.ReauthenticateForm):
    """The same, before something that changes the account."""


class ActivateTotpForm(Code, ActivateTOTPForm):
    """The first code of a new authenticator app."""


class AddPasskeyForm(AddWebAuthnForm):
    """A new passkey: what to call it, and whether it is enough to sign in with."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        self.fields["name"].max_length = 60
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "maxlength": 60}
        self.fields["passwordless"].label = _("Sign in with it alone, without the password")
        self.fields["passwordless"].help_text = ""
        self.fields["passwordless"].initial = True


class RenamePasskeyForm(EditWebAuthnForm):
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = forms.CharField(
            label=_("Name"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
        )


REGIONS: dict[str, Promise] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific"),
}


@cache
def time_zones() -> list[tuple[str | Promise, Any]]:
    """The time zone database as choices, by region; old aliases without a region are left out."""
    names = sorted(zoneinfo.available_timezones())
    groups = [
        (label, [(name, name.partition("/")[2].replace("_", " ")) for name in names if name.startswith(f"{region}/")])
        for region, label in REGIONS.items()
    ]
    return [("", _("As the site's")), ("UTC", "UTC"), *groups]


class SettingsForm(forms.ModelForm):
    """What a user can change about the account besides e-mail address and password."""

    time_zone = forms.ChoiceField(label=_("Time zone"), required=False, choices=time_zones)

    class Meta:
        model = User
        fields = ["display_name", "language", "time_zone", "theme", "sound"]
        labels = {
            "display_name": _("Display name"),
            "language": _("Language"),
            "theme": _("Appearance"),
            "sound": _("Play a sound when a match is made"),
        }
        help_texts = {"display_name": NAME_HELP}
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
            "theme": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.instance.time_zone
        if (
            zone not in ("", "UTC") and zone.partition("/")[0] not in REGIONS
        ):  # an alias that the list leaves out, such as Japan
            self.fields["time_zone"].choices = [(zone, zone), *time_zones()]  # type: ignore[attr-defined]

    def clean_display_name(self) -> str:
        name = self.cleaned_data["display_name"]
        if name_taken(name, but=self.instance.pk):
            raise forms.ValidationError(NAME_TAKEN, code="name_taken")
        return name


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("To tell it from others, such as the program's name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=lambda: list(ApiToken.SCOPES.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
    days = forms.TypedChoiceField(
        label=_("Ends after"),
        coerce=int,
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("365 days"))],
        initial=90,
        widget=forms.RadioSelect,
    )
