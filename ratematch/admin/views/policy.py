"""The fair-play policy: the one row, behind its own permission (rules §4)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ratematch.admin import keys
from ratematch.admin.forms import PolicyForm
from ratematch.admin.standings import moved_by
from ratematch.admin.views.frame import me, only, page
from ratematch.models import FairPlayPolicy
from ratematch.policies import can_change_policy
from ratematch.services import levels

CHECK, PUT = "check", "put"
"""The steps of the form: see whose level would change, put it in force."""


@only(can_change_policy)
@require_http_methods(["GET", "HEAD", "POST"])
def policy(request: HttpRequest) -> HttpResponse:
    """Read and change the policy; how many players change level is said before it is put in force."""
    present = FairPlayPolicy.objects.select_related("changed_by").filter(pk=1).first() or FairPlayPolicy()
    form = PolicyForm(
        request.POST or None, instance=FairPlayPolicy.objects.filter(pk=1).first() or FairPlayPolicy(pk=1)
    )
    facts = {"title": _("Fair-play policy"), "present": present, "form": form, "keys": keys.FORM}
    if request.method != "POST":
        return page(request, "policy", facts)
    if not form.is_valid():
        return page(request, "policy", facts, status=422)
    now = timezone.now()
    values = form.save(commit=False)
    if request.POST.get("step") != PUT:
        moves = moved_by(values.value(), now)
        return page(request, "policy", {**facts, "moves": sorted(moves.items()), "checked": True})
    levels.change_policy(actor=me(request), values=values, now=now)
    messages.success(request, _("The policy is in force, and every level has been worked out again."))
    return redirect("admin:ratematch_fairplaypolicy_changelist")
