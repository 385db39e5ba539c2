"""A player as moderators see one; penalties without a case, and taking one back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from common.errors import Refusal
from common.problems import text_for
from ratematch.admin import keys
from ratematch.admin.forms import MuteForm, PenaltyForm, WithdrawForm
from ratematch.admin.standings import Standing, standing
from ratematch.admin.views.frame import me, moderators_only, only, page
from ratematch.models import Penalty, Player, ReasonTemplate
from ratematch.policies import can_overturn
from ratematch.services import penalties


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player's standing, with forms for a mute and for a penalty that no case led to."""
    found = find(player_id)
    if request.method != "POST":
        return show(request, found)
    form = PenaltyForm(request.POST, categories=found.choices)
    if not form.is_valid():
        return show(request, found, form, status=422)
    try:
        penalties.penalise_player(player_id=player_id, actor=me(request), now=found.now, **form.cleaned_data)
    except Refusal as no:
        form.add_error(no.field if no.field in form.fields else None, text_for(no))
        return show(request, found, form, status=no.status)
    return done(request, found, _("%(name)s is penalised, and has been told why."))


def find(player_id: int) -> Standing:
    """The player of an address.

    Raises:
        Http404: there is none.
    """
    found = Player.objects.select_related("user").filter(pk=player_id).first()
    if found is None:
        raise Http404
    return standing(found, timezone.now())


def show(
    request: HttpRequest,
    found: Standing,
    form: PenaltyForm | None = None,
    *,
    mute_form: MuteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, with a form that is to be corrected if there is one."""
    facts = {
        "title": str(found.player),
        "standing": found,
        "form": form or PenaltyForm(categories=found.choices),
        "mute_form": mute_form or MuteForm(),
        "own": found.player.user_id == me(request).pk,
        "chief": can_overturn(request.user),
        "templates": ReasonTemplate.objects.all(),
        "now": found.now,
        "keys": keys.PLAYER,
    }
    return page(request, "player", facts, status)


def done(request: HttpRequest, found: Standing, text: str) -> HttpResponse:
    """Back to the page, which says what was done; `text` may name the player by %(name)s."""
    messages.success(request, text % {"name": found.player})
    return redirect(_url(found.player.pk))


@only(can_overturn)
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, penalty_id: int) -> HttpResponse:
    """Take a penalty back, with a reason."""
    penalty = Penalty.objects.select_related("player__user", "by").filter(pk=penalty_id).first()
    if penalty is None:
        raise Http404
    form = WithdrawForm(request.POST or None)
    status = 200
    if request.method == "POST":
        refusal = _withdraw(request, penalty, form)
        if refusal is None and form.is_valid():
            messages.success(
                request, _("The penalty counts no more. %(name)s has been told.") % {"name": penalty.player}
            )
            return redirect(_url(penalty.player_id))
        status = refusal.status if refusal else 422
    facts: dict[str, Any] = {"title": _("Withdraw a penalty"), "penalty": penalty, "form": form, "keys": keys.FORM}
    return page(request, "withdraw", facts, status)


def _withdraw(request: HttpRequest, penalty: Penalty, form: WithdrawForm) -> Refusal | None:
    if not form.is_valid():
        return None
    reason = form.cleaned_data["reason"]
    try:
        penalties.withdraw_penalty(penalty_id=penalty.pk, actor=me(request), reason=reason, now=timezone.now())
    except Refusal as no:
        form.add_error(None, text_for(no))
        return no
    return None


def _url(player_id: int) -> str:
    return reverse("admin:ratematch_player_change", args=[player_id])
