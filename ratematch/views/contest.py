"""Contesting a loss by silence, and answering."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch import selectors
from ratematch.forms import ContestForm
from ratematch.services import contests, deadlines
from ratematch.views.base import Signed, check_pace


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def contest(request: Signed, pk: int) -> HttpResponse:
    """Contest a match, or answer the opponent's contest: one page, for what is open to the viewer."""
    now = timezone.now()
    view = deadlines.current(pk, request.user, now)
    if view is None or view.seat is None:
        raise Http404
    found = view.contest
    answering = found is not None and found.seat != view.seat
    form = ContestForm(request.POST or None, request.FILES or None, answering=answering)
    refusal: Refusal | None = None
    if request.method == "POST" and form.is_valid():
        command = contests.answer if answering else contests.contest
        try:
            check_pace(request.user)
            command(
                match_id=pk,
                actor=request.user,
                text=form.cleaned_data["text"],
                uploads=request.FILES.getlist("picture"),
                now=now,
            )
        except Missing as no:
            raise Http404 from no
        except Refusal as no:
            if no.field in form.fields:
                form.add_error(no.field, text_for(no))
            else:
                refusal = no
        else:
            text = _("Your answer is with the moderators.") if answering else _("Your contest is with the moderators.")
            messages.success(request, text)
            return redirect("ratematch:match", pk=pk)
    facts = {
        "view": view,
        "form": form,
        "contest": found,
        "answering": answering,
        "possible": selectors.can_answer(view) if answering else selectors.can_contest(view),
        "error": text_for(refusal) if refusal else "",
    }
    status = refusal.status if refusal else 422 if form.is_bound else 200
    return render(request, "ratematch/contest.html", facts, status=status)
