"""Pages of the account, the inbox and profiles. Each parses, calls one service, and prints."""

from typing import Any

from allauth.account import views as allauth
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe
from django.views.i18n import set_language as set_language_cookie

from accounts.forms import SettingsForm, TokenForm
from accounts.models import ApiToken, Block, Notice, Presence, User
from accounts.services import blocks, notices, presence, profile, tokens
from common.errors import Refusal
from common.problems import text_for

NOTICES_A_PAGE = 30


class SignedIn(HttpRequest):
    """A request that `login_required` has let through."""

    user: User


class SignupView(allauth.SignupView):
    """Sign-up, with an answer for two people who take one name, or one address, at the same moment."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # the same checks see now what the other one took
            form.full_clean()
            return super().form_valid(form) if form.is_valid() else self.form_invalid(form)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Change the language: in the cookie, and in the user's setting when somebody is signed in."""
    response = set_language_cookie(request)
    language = request.POST.get("language")
    if request.user.is_authenticated and language in dict(site.LANGUAGES):
        profile.set_language(user_id=request.user.pk, language=language)
    return response


@login_required
def settings(request: SignedIn) -> HttpResponse:
    """Name, language, time zone, appearance, sound."""
    user = get_object_or_404(User, pk=request.user.pk)  # a copy: a form's wrong input must not reach the app bar
    form = SettingsForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        try:
            changed = profile.change_settings(user_id=user.pk, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(refusal.field, text_for(refusal))
        else:
            with translation.override(changed.language or translation.get_language()):
                messages.success(request, _("Settings saved."))
            return redirect("settings")
    return render(request, "accounts/settings.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@login_required
def set_sound(request: SignedIn) -> HttpResponse:
    """The one switch that is also on the page where one waits: `sound` present or not."""
    profile.set_sound(user_id=request.user.pk, sound="sound" in request.POST)
    return HttpResponse(status=204)


@login_required
def token_list(request: SignedIn) -> HttpResponse:
    """API tokens: made here, shown once, revoked here."""
    form = TokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, secret = tokens.create(actor=request.user, now=timezone.now(), **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, text_for(refusal))
        else:
            form = TokenForm()
    own = ApiToken.objects.filter(user=request.user).order_by("-created")
    facts = {"form": form, "tokens": own, "secret": secret, "scopes": ApiToken.SCOPES, "now": timezone.now()}
    response = render(request, "accounts/tokens.html", facts, status=422 if form.errors else 200)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@login_required
def revoke_token(request: SignedIn, pk: str) -> HttpResponse:
    """End a token now."""
    try:
        tokens.revoke(actor=request.user, token_id=pk)
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    else:
        messages.success(request, _("Token revoked. It opens nothing any more."))
    return redirect("tokens")


@require_GET
@login_required
def inbox(request: SignedIn) -> HttpResponse:
    """What happened, the newest first."""
    pages = Paginator(Notice.objects.filter(user=request.user), NOTICES_A_PAGE)
    return render(request, "accounts/inbox.html", {"page": pages.get_page(request.GET.get("page"))})


@require_GET
def inbox_count(request: HttpRequest) -> HttpResponse:
    """The bell of the app bar, fetched again when a notice has come."""
    return render(request, "includes/inbox_tool.html")


@require_GET
@login_required
def open_notice(request: SignedIn, pk: int) -> HttpResponse:
    """Mark a notice as read and go where it points."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    notices.mark_read(actor=request.user, notice_id=notice.pk, now=timezone.now())
    return redirect(notice.url or "inbox")


@require_POST
@login_required
def read_all(request: SignedIn) -> HttpResponse:
    """Mark every notice as read."""
    notices.mark_all_read(actor=request.user, now=timezone.now())
    return redirect("inbox")


@require_safe
def show_profile(request: HttpRequest, pk: int) -> HttpResponse:
    """A user's standing in all four games."""
    person = get_object_or_404(User, pk=pk, is_active=True)
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
    return redirect("profile", pk=pk)


@require_POST
def touch(request: HttpRequest) -> HttpResponse:
    """A page says that it is open, and with `active=1` that somebody has just done something on it."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    presence.touch(request.user.pk, active=request.POST.get("active") == "1", now=timezone.now())
    return HttpResponse(status=204)
