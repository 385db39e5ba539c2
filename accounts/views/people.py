"""Profiles, blocks, and who is here."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Block, Presence, User, is_shown
from accounts.services import blocks, presence
from accounts.views import SignedIn
from common.errors import Refusal
from common.problems import text_for

BLOCKS_A_PAGE = 50


@require_safe
def show_profile(request: HttpRequest, pk: int) -> HttpResponse:
    """A user's standing in all four games."""
    person = get_object_or_404(User, is_shown(), pk=pk)
    seen = Presence.objects.filter(user=person).first()
    facts = {
        "person": person,
        "presence": seen.state(timezone.now()) if seen else "away",
        "seen": seen,
        "own": person == request.user,
        "blocked": request.user.is_authenticated and Block.objects.filter(user=request.user, blocked=person).exists(),
    }
    return render(request, "accounts/profile.html", facts)


@require_POST
@login_required
def block(request: SignedIn, pk: int) -> HttpResponse:
    """Have nothing to do with a user any more."""
    return _block(request, pk, blocks.block)


@require_POST
@login_required
def unblock(request: SignedIn, pk: int) -> HttpResponse:
    """Take a block back."""
    return _block(request, pk, blocks.unblock)


def _block(request: SignedIn, pk: int, command: Any) -> HttpResponse:
    try:
        command(actor=request.user, user_id=pk)
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    return redirect("blocked") if request.POST.get("back") == "blocked" else redirect("profile", pk=pk)


@require_safe
@login_required
def blocked(request: SignedIn) -> HttpResponse:
    """Whom one has blocked."""
    rows = Block.objects.filter(user=request.user).select_related("blocked").order_by("-pk")
    pages = Paginator(rows, BLOCKS_A_PAGE)
    return render(request, "accounts/blocked.html", {"page": pages.get_page(request.GET.get("page"))})


@require_POST
def touch(request: HttpRequest) -> HttpResponse:
    """A page says that it is open, and with `active=1` that somebody has just done something on it."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    presence.touch(request.user.pk, active=request.POST.get("active") == "1", now=timezone.now())
    return HttpResponse(status=204)
