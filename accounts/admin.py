"""Users and what belongs to them, for administrators. Accounts are made and ended by their owners, not here."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from accounts.models import Block, Notice, User


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that only services write: to be looked at, never added, changed or deleted here."""

    actions = None
    list_per_page = 50
    list_max_show_all = 0
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    view_on_site = False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Under a heading that names the list; there is nothing to select."""
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


admin.site.unregister(Authenticator)  # its rows hold the secrets of second factors


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Names, and who may enter. The password is neither shown nor set here, the address belongs to sign-in."""

    list_display = ["display_name", "email", "is_active", "is_staff", "date_joined"]
    list_filter = ["is_active", "is_staff"]
    search_fields = ["display_name", "email"]
    ordering = ["-pk"]
    fields = [
        "display_name",
        "email",
        "language",
        "time_zone",
        "is_active",
        "is_staff",
        "is_superuser",
        "groups",
        "user_permissions",
        "date_joined",
        "last_login",
    ]
    filter_horizontal = ["groups", "user_permissions"]
    view_on_site = True

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """As the permission says; but other staff can be changed by superusers only."""
        if not admin.ModelAdmin.has_change_permission(self, request, obj):
            return False
        return obj is None or not obj.is_staff or request.user.is_superuser

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Only a superuser hands out rights, so that nobody can raise himself."""
        always = ["email", "language", "time_zone", "date_joined", "last_login"]
        rights = ["is_staff", "is_superuser", "groups", "user_permissions"]
        return always if request.user.is_superuser else always + rights


@admin.register(Block)
class BlockAdmin(ReadOnlyAdmin):
    """Who wants nothing to do with whom."""

    list_display = ["user", "blocked", "at"]
    list_select_related = ["user", "blocked"]
    search_fields = ["user__display_name", "blocked__display_name"]
    ordering = ["-pk"]


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    """What users were told."""

    list_display = ["user", "kind", "url", "at", "read_at"]
    list_select_related = ["user"]
    search_fields = ["user__display_name", "=kind"]
