"""One's own settings and API tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.forms import SettingsForm, TokenForm
from accounts.models import ApiToken, User
from accounts.services import profile, tokens
from accounts.views import SignedIn
from common.errors import Refusal
from common.problems import text_for


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
