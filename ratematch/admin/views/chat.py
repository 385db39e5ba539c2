"""Hiding what was said, and who may not speak (rules §6). Buttons of other pages, and a form of the player's."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from common.errors import Refusal
from common.problems import text_for
from ratematch.admin.forms import MuteForm
from ratematch.admin.views import player
from ratematch.admin.views.frame import act, me, moderators_only
from ratematch.models import ChatLine, Mute
from ratematch.services import chat


@moderators_only
@require_POST
def hide(request: HttpRequest, line_id: int) -> HttpResponse:
    """Take a line out of the players' sight."""
    line = ChatLine.objects.filter(pk=line_id).first()
    if line is None:
        raise Http404
    return act(
        request,
        lambda: chat.hide(line_id=line_id, actor=me(request), now=timezone.now()),
        _("The line is hidden from all but moderators."),
        back=_player_url(line.author_id),
    )


@moderators_only
@require_POST
def mute(request: HttpRequest, player_id: int) -> HttpResponse:
    """Keep a player from speaking for a time."""
    found = player.find(player_id)
    form = MuteForm(request.POST)
    if not form.is_valid():
        return player.show(request, found, mute_form=form, status=422)
    try:
        chat.mute(player_id=player_id, actor=me(request), now=found.now, **form.cleaned_data)
    except Refusal as no:
        form.add_error(no.field if no.field in form.fields else None, text_for(no))
        return player.show(request, found, mute_form=form, status=no.status)
    return player.done(request, found, _("%(name)s can't speak in any chat for a time, and has been told why."))


@moderators_only
@require_POST
def lift(request: HttpRequest, mute_id: int) -> HttpResponse:
    """Let a muted player speak again."""
    row = Mute.objects.filter(pk=mute_id).first()
    if row is None:
        raise Http404
    return act(
        request,
        lambda: chat.lift(mute_id=mute_id, actor=me(request), now=timezone.now()),
        _("The mute is lifted."),
        back=_player_url(row.player_id),
    )


def _player_url(player_id: int) -> str:
    return reverse("admin:ratematch_player_change", args=[player_id])
