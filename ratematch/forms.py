"""Forms of rated matches. They parse and check; services decide and write."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from ratematch.models import CATEGORY_NAMES
from ratematch.refusals import TEXTS
from ratematch.services.contests import TEXT_MAX as CONTEST_MAX
from ratematch.services.free import COMMENT_MAX, TITLE_MAX
from ratematch.services.reports import TEXT_MAX


class ManyFilesInput(forms.ClearableFileInput):
    """A file input for several files."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files, as they came; services look at them."""

    widget = ManyFilesInput(attrs={"accept": "image/jpeg,image/png,image/webp"})

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """All that were sent."""
        files = list(data or [])
        if self.required and not files:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return files


class ReportForm(forms.Form):
    """What a player reports of the opponent. Pictures are checked by the service."""

    category = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[("", _("Choose")), *((category.value, name) for category, name in CATEGORY_NAMES.items())],
        error_messages={"required": TEXTS["bad_category"], "invalid_choice": TEXTS["bad_category"]},
    )
    text = forms.CharField(
        label=_("What happened"),
        max_length=TEXT_MAX,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={
            "required": TEXTS["report_needs_text"],
            "max_length": _("Shorten the report to %(limit_value)s characters."),
        },
    )
    picture = ManyFilesField(
        label=_("Screenshots"),
        required=False,
        help_text=_("You may add up to three: JPEG, PNG or WebP. Only moderators see them."),
    )


class ContestForm(forms.Form):
    """Why a loss by silence is contested, or the answer to that."""

    text = forms.CharField(
        label=_("What happened, and what the pictures show"),
        max_length=CONTEST_MAX,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={
            "required": TEXTS["contest_needs_text"],
            "max_length": _("Shorten the text to %(limit_value)s characters."),
        },
    )
    picture = ManyFilesField(
        label=_("Screenshots"),
        help_text=_("Up to three: JPEG, PNG or WebP. You two and the moderators see them."),
        error_messages={"required": TEXTS["picture_missing"]},
    )

    def __init__(self, *args: Any, answering: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["picture"].required = not answering


class RoomForm(forms.Form):
    """The room of a free match."""

    title = forms.CharField(label=_("Title"), max_length=TITLE_MAX)
    comment = forms.CharField(
        label=_("Comment"), max_length=COMMENT_MAX, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class LadderFilter(forms.Form):
    """Who is listed: part of a name, and how recently they played."""

    DEFAULT, MONTH, EVER = "", "30", "all"

    q = forms.CharField(label=_("Player"), required=False, max_length=20)
    within = forms.ChoiceField(
        label=_("Played within"),
        required=False,
        choices=[(DEFAULT, _("90 days")), (MONTH, _("30 days")), (EVER, _("All time"))],
    )

    def chosen(self) -> tuple[str, int | None]:
        """The name and the days asked for; what can't be used counts as not asked."""
        values = self.cleaned_data if self.is_valid() else {}
        days = {self.DEFAULT: settings.RATEMATCH["LADDER_DAYS"], self.MONTH: 30, self.EVER: None}
        return values.get("q", "").strip(), days[values.get("within") or self.DEFAULT]
