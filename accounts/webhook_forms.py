"""The form of a webhook. It parses; services/webhooks checks."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.services.webhooks import kinds


class WebhookForm(forms.Form):
    """Where events go, and which."""

    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("https://… on the public network. Your program answers 2xx within 15 seconds."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        label=_("What is sent"),
        choices=lambda: list(kinds.registered().items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
