"""The moderators' forms. They parse and check; services decide and write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratematch.admin import words
from ratematch.models import CATEGORY_NAMES, FairPlayPolicy, Mute
from ratematch.refusals import TEXTS
from ratematch.services import cases, chat, penalties, rulings
from ratematch.services.staff import Role

Choices = Sequence[tuple[str, str | Promise]]
SHORTEN = _("Shorten the reason to %(limit_value)s characters.")


def keys(*names: str) -> dict[str, str]:
    """The attribute by which the keyboard finds a field."""
    return {"aria-keyshortcuts": " ".join(names)}


class RulingForm(forms.Form):
    """A ruling. `seen_ruling` is the ruling in force that the page showed, empty if there was none."""

    outcome = forms.ChoiceField(
        label=_("Outcome, and what it does to the ratings"),
        widget=forms.RadioSelect,
        error_messages={"required": TEXTS["bad_outcome"], "invalid_choice": TEXTS["bad_outcome"]},
    )
    reason = forms.CharField(
        label=_("Reason (both players get it)"),
        max_length=rulings.REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 4, **keys("r")}),
        error_messages={"required": TEXTS["reason_needed"], "max_length": SHORTEN},
    )
    penalty_0 = forms.ChoiceField(required=False, widget=forms.Select(attrs=keys("p")))
    penalty_1 = forms.ChoiceField(required=False, widget=forms.Select(attrs=keys("o")))
    seen_ruling = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, outcomes: Choices, players: Sequence[tuple[str, Choices]], **kwargs: Any) -> None:
        """
        Args:
            players: of each side the name, and the categories to choose from.
        """
        super().__init__(*args, **kwargs)
        self.fields["outcome"].choices = outcomes  # type: ignore[attr-defined]
        for seat, (name, categories) in enumerate(players):
            field = self.fields[f"penalty_{seat}"]
            field.label = _("Penalty for %(name)s") % {"name": name}
            field.choices = [("", _("none")), *categories]  # type: ignore[attr-defined]

    def penalties(self) -> list[tuple[int, str]]:
        """Who is penalised for what: seat and category."""
        return [(seat, category) for seat in (0, 1) if (category := self.cleaned_data[f"penalty_{seat}"])]


class PenaltyForm(forms.Form):
    """A penalty that no case led to."""

    category = forms.ChoiceField(
        label=_("What for"),
        error_messages={"required": TEXTS["bad_category"], "invalid_choice": TEXTS["bad_category"]},
    )
    reason = forms.CharField(
        label=_("Reason (the player gets it)"),
        max_length=penalties.REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 3, **keys("r")}),
        error_messages={"required": TEXTS["reason_needed"], "max_length": SHORTEN},
    )

    def __init__(self, *args: Any, categories: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["category"].choices = [("", _("choose")), *categories]  # type: ignore[attr-defined]


class VerdictForm(forms.Form):
    """What comes of a report or a flag. Whether a penalty needs category and reason, the service says."""

    verdict = forms.ChoiceField(
        label=_("What comes of it"),
        widget=forms.RadioSelect,
        error_messages={"required": TEXTS["bad_verdict"], "invalid_choice": TEXTS["bad_verdict"]},
    )
    category = forms.ChoiceField(label=_("What for"), required=False, widget=forms.Select(attrs=keys("p")))
    reason = forms.CharField(
        label=_("Reason (the player gets it)"),
        required=False,
        max_length=penalties.REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 3, **keys("r")}),
        error_messages={"max_length": SHORTEN},
    )
    note = forms.CharField(
        label=_("Note (for moderators)"),
        required=False,
        max_length=cases.NOTE_MAX,
        widget=forms.Textarea(attrs={"rows": 2, **keys("n")}),
        error_messages={"max_length": _("Shorten the note to %(limit_value)s characters.")},
    )

    def __init__(self, *args: Any, verdicts: Choices, categories: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["verdict"].choices = verdicts  # type: ignore[attr-defined]
        self.fields["category"].choices = [("", _("choose")), *categories]  # type: ignore[attr-defined]


class MuteForm(forms.Form):
    """For how long a player may not speak, and why."""

    prefix = "mute"

    hours = forms.TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        error_messages={"required": TEXTS["bad_mute"], "invalid_choice": TEXTS["bad_mute"]},
    )
    reason = forms.CharField(
        label=_("Reason (the player gets it)"),
        max_length=Mute._meta.get_field("reason").max_length,
        error_messages={"required": TEXTS["reason_needed"], "max_length": SHORTEN},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        spans = [(str(hours), words.span(hours)) for hours in chat.MUTE_HOURS]
        self.fields["hours"].choices = [("", _("choose")), *spans]  # type: ignore[attr-defined]


class WithdrawForm(forms.Form):
    """Why a penalty counts no more."""

    reason = forms.CharField(
        label=_("Reason (the player gets it)"),
        max_length=penalties.REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": TEXTS["reason_needed"], "max_length": SHORTEN},
    )


POINTS = [category.value for category in CATEGORY_NAMES]
LEVELS = ["b_from", "c_from", "d_from", "lasts_days"]
AUTOMATIC = ["reports", "reports_days", "leaves", "leaves_days", "leaves_cost"]


class PolicyForm(forms.ModelForm):
    """The fair-play policy: what each category costs, where levels begin, and what counts by itself."""

    class Meta:
        model = FairPlayPolicy
        fields = [*POINTS, *LEVELS, *AUTOMATIC]

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields in groups, each with its heading."""
        headings = [(_("Points"), POINTS), (_("Levels"), LEVELS), (_("By itself"), AUTOMATIC)]
        return [(str(heading), [self[name] for name in names]) for heading, names in headings]

    def clean(self) -> dict[str, Any] | None:
        """Levels must rise."""
        data = super().clean() or self.cleaned_data
        b, c, d = (data.get(name) for name in ("b_from", "c_from", "d_from"))
        if b is not None and c is not None and d is not None and not b < c < d:
            self.add_error("d_from", _("Level C must begin above B, and level D above C."))
        return data


class AppointForm(forms.Form):
    """Whom to appoint to what."""

    who = forms.CharField(label=_("Display name or e-mail address"), max_length=254)
    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect, choices=Role.choices)
