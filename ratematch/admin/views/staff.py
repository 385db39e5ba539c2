"""Who moderates: appointing and dismissing, for chief moderators (rules §5)."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from common.errors import Refusal
from common.problems import text_for
from ratematch.admin.forms import AppointForm
from ratematch.admin.views.frame import act, me, only, page
from ratematch.policies import CHIEFS, MODERATORS, can_appoint
from ratematch.services import staff
from ratematch.services.staff import Role

LOG_SHOWN = 20
ROLE_OF = {MODERATORS: Role.MODERATOR, CHIEFS: Role.CHIEF}


@only(can_appoint)
@require_http_methods(["GET", "HEAD", "POST"])
def moderators(request: HttpRequest) -> HttpResponse:
    """Everybody in the two roles; who changed what; and a form to appoint somebody."""
    form = AppointForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = _appoint(request, form)
        if status == 200:
            return redirect("admin:ratematch_moderators")
    return page(request, "moderators", {"title": _("Moderators"), "form": form, **_people()}, status)


def _appoint(request: HttpRequest, form: AppointForm) -> int:
    """Do what the form says; answers the status of the page that shows its errors, 200 without any."""
    if not form.is_valid():
        return 422
    who = form.cleaned_data["who"].strip()
    user = User.objects.filter(Q(display_name__iexact=who) | Q(email__iexact=who)).first()
    if user is None:
        form.add_error("who", _("Nobody has this name or address."))
        return 422
    role = Role(form.cleaned_data["role"])
    try:
        staff.appoint(actor=me(request), user_id=user.pk, role=role, now=timezone.now())
    except Refusal as no:
        form.add_error("who", text_for(no))
        return no.status
    messages.success(request, _("%(name)s is %(role)s now.") % {"name": user, "role": role.label})
    return 200


@only(can_appoint)
@require_POST
def dismiss(request: HttpRequest, user_id: int) -> HttpResponse:
    """Take both roles from somebody."""
    return act(
        request,
        lambda: staff.dismiss(actor=me(request), user_id=user_id, now=timezone.now()),
        _("They are not a moderator any more. What they ruled stays."),
        back=reverse("admin:ratematch_moderators"),
    )


def _people() -> dict[str, object]:
    """Everybody in the two roles with the role, administrators, and the newest lines of the log."""
    rows = User.objects.filter(groups__name__in=ROLE_OF).distinct().order_by("display_name", "pk")
    listed = [
        (user, role)
        for user in rows.prefetch_related("groups")
        for role in {ROLE_OF[group.name] for group in user.groups.all() if group.name in ROLE_OF}
    ]
    users = ContentType.objects.get_for_model(User)
    log = LogEntry.objects.filter(content_type=users, change_message__in=staff.LOGGED).select_related("user")
    return {
        "people": listed,
        "administrators": User.objects.filter(is_superuser=True, is_staff=True, is_active=True).order_by("pk"),
        "log": [(row, staff.LOGGED[row.change_message]) for row in log[:LOG_SHOWN]],
    }
