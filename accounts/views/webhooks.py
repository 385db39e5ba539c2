"""One's webhooks: where events are sent, what was, and what came of it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import WebhookEndpoint
from accounts.services.webhooks import endpoints, kinds
from accounts.views import SignedIn
from accounts.webhook_forms import WebhookForm
from common.errors import Refusal
from common.problems import text_for

DELIVERIES_A_PAGE = 20


@login_required
def webhook_list(request: SignedIn) -> HttpResponse:
    """All of one's webhooks, and a form for another. A new one's secret is shown this once."""
    form = WebhookForm(request.POST or None)
    made: WebhookEndpoint | None = None
    if request.method == "POST" and form.is_valid():
        try:
            made = endpoints.add(actor=request.user, now=timezone.now(), **form.cleaned_data)
        except Refusal as refusal:
            _complain(form, refusal)
        else:
            form = WebhookForm()
    own = WebhookEndpoint.objects.filter(user=request.user).order_by("-pk")
    facts = {"form": form, "webhooks": own, "made": made, "kinds": kinds.registered()}
    return _secretly(render(request, "accounts/webhooks.html", facts, status=422 if form.errors else 200))


@login_required
def webhook(request: SignedIn, pk: int) -> HttpResponse:
    """One webhook: change it, try it out, see what was sent."""
    endpoint = get_object_or_404(WebhookEndpoint, pk=pk, user=request.user)
    form = WebhookForm(request.POST or None, initial={"url": endpoint.url, "events": endpoint.events})
    if request.method == "POST" and form.is_valid():
        try:
            endpoints.change(actor=request.user, endpoint_id=pk, now=timezone.now(), **form.cleaned_data)
        except Refusal as refusal:
            _complain(form, refusal)
        else:
            messages.success(request, _("Webhook saved."))
            return redirect("webhook", pk=pk)
    return _page(request, endpoint, form)


@require_POST
@login_required
def rotate(request: SignedIn, pk: int) -> HttpResponse:
    """Another secret, shown this once."""
    get_object_or_404(WebhookEndpoint, pk=pk, user=request.user)
    endpoint = endpoints.rotate(actor=request.user, endpoint_id=pk, now=timezone.now())
    form = WebhookForm(initial={"url": endpoint.url, "events": endpoint.events})
    return _page(request, endpoint, form, secret=endpoint.secret)


@require_POST
@login_required
def switch(request: SignedIn, pk: int) -> HttpResponse:
    """Off, or on again: `active` is 0 or 1."""
    active = request.POST.get("active") == "1"
    done = _("Switched on.") if active else _("Switched off. Nothing is sent there.")
    return _do(request, pk, done, endpoints.change, active=active, now=timezone.now())


@require_POST
@login_required
def ping(request: SignedIn, pk: int) -> HttpResponse:
    """Send a ping."""
    return _do(request, pk, _("A ping is on its way."), endpoints.ping, now=timezone.now())


@require_POST
@login_required
def resend(request: SignedIn, pk: int, delivery: int) -> HttpResponse:
    """Send a delivery again."""
    return _do(request, pk, _("It is sent again."), endpoints.resend, delivery_id=delivery, now=timezone.now())


@require_POST
@login_required
def remove(request: SignedIn, pk: int) -> HttpResponse:
    """Delete a webhook."""
    return _do(request, pk, _("Webhook deleted."), endpoints.remove, back="webhooks")


def _page(request: SignedIn, endpoint: WebhookEndpoint, form: Form, secret: str = "") -> HttpResponse:
    page = Paginator(endpoint.deliveries.all(), DELIVERIES_A_PAGE).get_page(request.GET.get("page"))
    facts = {"webhook": endpoint, "form": form, "page": page, "secret": secret, "kinds": kinds.registered()}
    return _secretly(render(request, "accounts/webhook.html", facts, status=422 if form.errors else 200))


def _do(
    request: SignedIn, pk: int, done: str, command: Callable[..., Any], back: str = "", **facts: Any
) -> HttpResponse:
    """One command on one webhook, and back to its page or to the list."""
    get_object_or_404(WebhookEndpoint, pk=pk, user=request.user)
    try:
        command(actor=request.user, endpoint_id=pk, **facts)
    except Refusal as refusal:
        messages.error(request, text_for(refusal))
    else:
        messages.success(request, done)
    return redirect(back) if back else redirect("webhook", pk=pk)


def _complain(form: Form, refusal: Refusal) -> None:
    form.add_error(refusal.field if refusal.field in form.fields else None, text_for(refusal))


def _secretly(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
