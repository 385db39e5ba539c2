"""Taking one's data along, and deleting the account."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Leaving
from accounts.services import exports, leaving
from accounts.views import SignedIn
from common.errors import Missing, Refusal
from common.problems import text_for


@require_safe
@login_required
def overview(request: SignedIn) -> HttpResponse:
    """The files of one's data, and the way out."""
    going = Leaving.objects.filter(user=request.user).first()
    facts = {
        "exports": exports.of(request.user, timezone.now()),
        "kept": exports.KEPT,
        "leaving": going,
        "holds": leaving.holds(request.user.pk) if going else [],
    }
    return render(request, "accounts/data.html", facts)


@require_POST
@login_required
def ask_export(request: SignedIn) -> HttpResponse:
    """Have one's data put together."""
    try:
        exports.ask(actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    else:
        messages.success(request, _("Your data are being put together. A notice tells you when they are ready."))
    return redirect("your_data")


@require_safe
@login_required
def fetch_export(request: SignedIn, pk: int) -> FileResponse:
    """The file, for its owner."""
    try:
        file = exports.open_export(export_id=pk, actor=request.user, now=timezone.now())
    except Missing as missing:
        raise Http404 from missing
    headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
    name = f"banzuke-{request.user.pk}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip", headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required(app="allauth.mfa")
def delete_account(request: SignedIn) -> HttpResponse:
    """Delete the account, once it has been shown anew that it is one's own."""
    if request.method != "POST":
        facts = {"holds": leaving.holds(request.user.pk), "kept_days": leaving.KEPT_FOR.days}
        return render(request, "accounts/delete.html", facts)
    if not leaving.ask(actor=request.user, now=timezone.now()):
        messages.info(request, _("Your account is deleted as soon as nothing needs you any more."))
        return redirect("your_data")
    logout(request)
    messages.success(request, _("Your account is deleted. Your games stay, without your name."))
    return redirect(settings.LOGIN_REDIRECT_URL)


@require_POST
@login_required
def keep_account(request: SignedIn) -> HttpResponse:
    """Take it back, as long as the account is there."""
    try:
        leaving.cancel(actor=request.user)
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    else:
        messages.success(request, _("Your account stays."))
    return redirect("your_data")
