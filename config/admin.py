"""The moderators' and administrators' side."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _


class BanzukeAdmin(admin.AdminSite):
    """Django's admin, entered by the site's own sign-in and so under its limits on guessing."""

    site_title = _("Banzuke, moderators")
    site_header = _("Banzuke, moderators")
    index_title = _("What waits")

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """Send strangers to the site's sign-in; tell those who are in, but no staff, that this isn't for them."""
        wanted = request.GET.get("next", "")
        if not url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}):
            wanted = reverse("admin:index", current_app=self.name)
        if not request.user.is_authenticated:
            return redirect_to_login(wanted)
        if not self.has_permission(request):
            raise PermissionDenied
        return redirect(wanted)
