"""Which notices also come by mail or on a browser."""

from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import push
from accounts.models import PushSubscription
from accounts.services import notifications
from accounts.services.notifications import GROUPS, Choice
from accounts.views import SignedIn
from common.errors import Refusal
from common.problems import text_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedIn) -> HttpResponse:
    """For each group of notices: by e-mail, on a browser, both, or in the inbox only."""
    if request.method == "POST":
        choices = [Choice(group, f"{group}_email" in request.POST, f"{group}_push" in request.POST) for group in GROUPS]
        notifications.choose(actor=request.user, choices=choices)
        messages.success(request, _("Settings saved."))
        return redirect("notification_settings")
    facts = {
        "choices": notifications.choices_of(request.user.pk),
        "confirmed": EmailAddress.objects.filter(user=request.user, email=request.user.email, verified=True).exists(),
        "push_key": push.public_key() if push.is_offered() else "",
        "browsers": PushSubscription.objects.filter(user=request.user).order_by("pk"),
    }
    return render(request, "accounts/notifications.html", facts)


@require_POST
@login_required
def subscribe(request: SignedIn) -> HttpResponse:
    """A browser says by which address notices reach it. Called by a script."""
    try:
        notifications.subscribe(
            actor=request.user,
            endpoint=request.POST.get("endpoint", ""),
            p256dh=request.POST.get("p256dh", ""),
            auth=request.POST.get("auth", ""),
            session_key=request.session.session_key or "",
            user_agent=request.headers.get("User-Agent", ""),
            now=timezone.now(),
        )
    except Refusal as refusal:
        return HttpResponse(text_for(refusal), status=refusal.status, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@require_POST
@login_required
def unsubscribe(request: SignedIn, pk: int) -> HttpResponse:
    """Show no more notices in one of one's browsers."""
    notifications.unsubscribe(actor=request.user, subscription_id=pk)
    messages.success(request, _("That browser shows no notices any more."))
    return redirect("notification_settings")


@csrf_exempt  # mail programs press it for their user; the token is the proof
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """The link at the end of each mail: asks, since programs follow links; then stops mails of that kind."""
    try:
        _user_id, group = notifications.read_stop_token(token)
        if request.method == "POST":
            notifications.stop_mail(token=token)
    except Refusal as refusal:
        return render(request, "accounts/stop_mail.html", {"problem": text_for(refusal)}, status=refusal.status)
    facts = {"group": GROUPS[group][0], "done": request.method == "POST"}
    return render(request, "accounts/stop_mail.html", facts)


@require_GET
def push_worker(request: HttpRequest) -> FileResponse:
    """The service worker: here, and not under /static/, since it speaks for the pages beside and below it only."""
    script = (site.BASE_DIR / "static" / "js" / "push-worker.js").open("rb")
    return FileResponse(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})
