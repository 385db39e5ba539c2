"""Fair play, as a player sees it: one's own level and what it means, and reporting an opponent."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch import selectors
from ratematch.forms import ReportForm
from ratematch.models import Player, Report
from ratematch.rules.fairplay import EFFECTS
from ratematch.services import deadlines, levels, reports
from ratematch.views.base import Signed, check_pace


@login_required
@require_safe
def fair_play(request: Signed) -> HttpResponse:
    """One's level, what each level means, one's penalties, and what became of one's reports."""
    levels.settle(request.user, timezone.now())
    player = Player.objects.filter(user=request.user).first() or Player(user=request.user)
    filed = Report.objects.filter(reporter__user=request.user).select_related("reported__user", "case", "match")
    facts = {
        "player": player,
        "effects": list(EFFECTS.items()),
        "penalties": player.penalties.select_related("ruling").order_by("-pk")[:50] if player.pk else [],
        "reports": filed.order_by("-pk")[:50],
    }
    return render(request, "ratematch/fair_play.html", facts)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: Signed, pk: int) -> HttpResponse:
    """Report the opponent of a match that is over."""
    view = deadlines.current(pk, request.user, timezone.now())
    if view is None or view.seat is None:
        raise Http404
    form = ReportForm(request.POST or None, request.FILES or None)
    refusal: Refusal | None = None
    if request.method == "POST" and form.is_valid():
        try:
            check_pace(request.user)
            reports.report_opponent(
                match_id=pk,
                actor=request.user,
                category=form.cleaned_data["category"],
                text=form.cleaned_data["text"],
                uploads=request.FILES.getlist("picture"),
                now=timezone.now(),
            )
        except Missing as no:
            raise Http404 from no
        except Refusal as no:
            if no.field in form.fields:
                form.add_error(no.field, text_for(no))
            else:
                refusal = no
        else:
            messages.success(request, _("Your report is with the moderators. They tell you when they have looked."))
            return redirect("ratematch:match", pk=pk)
    facts = {
        "view": view,
        "form": form,
        "can_report": selectors.can_report(view),
        "error": text_for(refusal) if refusal else "",
    }
    status = refusal.status if refusal else 422 if form.is_bound else 200
    return render(request, "ratematch/report.html", facts, status=status)
