"""A player as moderators see one; penalties without a case, and taking one back; mutes and chat lines."""

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
from ratematch.admin.forms import PenaltyForm, WithdrawForm
from ratematch.admin.standings import Standing, standing
from ratematch.admin.views.frame import me, moderators_only, only, page
from ratematch.models import Penalty, Player, ReasonTemplate
from ratematch.policies import can_overturn
from ratematch.services import penalties


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player's standing, with a form for a penalty that no case led to."""
    found = _find(player_id)
    form = PenaltyForm(request.POST or None, categories=found.choices)
    if request.method != "POST":
        return _show(request, found, form)
    if not form.is_valid():
        return _show(request, found, form, status=422)
    try:
        penalties.penalise_player(player_id=player_id, actor=me(request), now=found.now, **form.cleaned_data)
    except Refusal as no:
        form.add_error(no.field if no.field in form.fields else None, text_for(no))
        return _show(request, found, form, status=no.status)
    messages.success(request, _("%(name)s is penalised, and has been told why.") % {"name": found.player})
    return redirect("admin:ratematch_player_change", player_id)


def _find(player_id: int) -> Standing:
    found = Player.objects.select_related("user").filter(pk=player_id).first()
    if found is None:
        raise Http404
    return standing(found, timezone.now())


def _show(request: HttpRequest, found: Standing, form: PenaltyForm, status: int = 200) -> HttpResponse:
    facts = {
        "title": str(found.player),
        "standing": found,
        "form": form,
        "own": found.player.user_id == me(request).pk,
        "chief": can_overturn(request.user),
        "templates": ReasonTemplate.objects.all(),
        "now": found.now,
        "keys": keys.PLAYER,
    }
    return page(request, "player", facts, status)


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
