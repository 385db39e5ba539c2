"""The moderators' and administrators' side."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import second_factor


class BanzukeAdmin(admin.AdminSite):
    """Django's admin, entered by the site's own sign-in, under its limits on guessing, and with a second factor."""

    site_title = _("Banzuke, moderators")
    site_header = _("Banzuke, moderators")
    index_title = _("What waits")

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff who have signed in with a second factor. Every page of the admin asks this first."""
        return super().has_permission(request) and second_factor.was_used(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """Send strangers to the site's sign-in, staff to their second factor, and both back to where they wanted to go;
        tell those who are in, but no staff, that this isn't for them."""
        wanted = request.GET.get("next", "")
        if not url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}):
            wanted = reverse("admin:index", current_app=self.name)
        if not request.user.is_authenticated:
            return redirect_to_login(wanted)
        if self.has_permission(request):
            return redirect(wanted)
        if not super().has_permission(request):
            raise PermissionDenied
        if not second_factor.has_one(request.user):
            messages.info(request, gettext("Moderators sign in with a second factor. Set one up, then go on."))
        return redirect(second_factor.way_to(request, wanted))
