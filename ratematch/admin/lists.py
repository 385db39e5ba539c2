"""Lists of what rated matches keep. Nothing is changed here: services write, and a ruling has its own page."""

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.admin import ReadOnlyAdmin
from ratematch.admin import views, words
from ratematch.models import Match, Picture, Player, RatingChange, Ruling
from ratematch.policies import can_moderate


class ModeratorsAdmin(ReadOnlyAdmin):
    """For moderators to look things up."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return can_moderate(request.user)

    @admin.display(description=_("case"), ordering="match")
    def case(self, row: Any) -> SafeString:
        """The row's match, with the way to its case."""
        return format_html('<a href="{}">{}</a>', reverse("admin:ratematch_case", args=[row.match_id]), row.match_id)


@admin.register(Match)
class MatchAdmin(ModeratorsAdmin):
    """Every match; a line leads to its case."""

    list_display = ["id", "players", "state", "result", "cause", "made_at", "ended_at"]
    list_filter = ["state", "cause"]
    search_fields = ["=id", "sides__player__user__display_name"]
    search_help_text = _("A match's number or a player's name")
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return Match.objects.with_sides()

    def get_urls(self) -> list[URLPattern]:
        own = self.admin_site.admin_view
        return [
            path("review/", own(views.review), name="ratematch_review"),
            path("<int:match_id>/case/", own(views.case), name="ratematch_case"),
            path("<int:match_id>/case/company/", own(views.company), name="ratematch_case_company"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """A match's own page is its case."""
        match = self.get_object(request, object_id)
        if match is None:
            raise Http404
        return redirect("admin:ratematch_case", match.pk)

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        """Both names, Player 1 first."""
        return " – ".join(str(side.player) for side in match.seats)

    @admin.display(description=_("outcome"), ordering="outcome", empty_value="")
    def result(self, match: Match) -> str:
        """The outcome in words, if it has one."""
        return words.outcome(match.outcome, match) if match.outcome else ""


@admin.register(Player)
class PlayerAdmin(ModeratorsAdmin):
    """Players and their records."""

    list_display = ["user", "rating", "wins", "losses", "draws", "streak", "last_rated_at"]
    list_select_related = ["user"]
    search_fields = ["=id", "user__display_name"]
    ordering = ["-pk"]
    exclude = ["last_opponent"]
    view_on_site = True


class OfMatch(ModeratorsAdmin):
    """Rows that belong to a match, the newest first."""

    ordering = ["-pk"]
    search_fields = ["=match__id"]
    search_help_text = _("A match's number")


@admin.register(Ruling)
class RulingAdmin(OfMatch):
    """Every ruling ever made."""

    list_display = ["id", "case", "words", "moderator", "reason", "at", "replaces"]
    list_filter = ["outcome"]
    search_fields = ["=match__id", "moderator__display_name", "reason"]
    search_help_text = _("A match's number, a moderator's name, or words of the reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruling]:
        matches = Prefetch("match", queryset=Match.objects.with_sides())
        return Ruling.objects.select_related("moderator", "replaces").prefetch_related(matches)

    @admin.display(description=_("outcome"), ordering="outcome")
    def words(self, ruling: Ruling) -> str:
        """The outcome, with the winner's name."""
        return words.outcome(ruling.outcome, ruling.match)


@admin.register(RatingChange)
class RatingChangeAdmin(OfMatch):
    """Every change of a rating."""

    list_display = ["id", "case", "player", "before", "computed", "factor", "applied", "after", "ruling", "at"]
    list_select_related = ["player__user", "ruling"]
    search_fields = ["=match__id", "player__user__display_name"]
    search_help_text = _("A match's number or a player's name")


@admin.register(Picture)
class PictureAdmin(OfMatch):
    """Every screenshot that was handed in."""

    list_display = ["id", "case", "number", "status", "refusal", "received_at", "look"]
    list_filter = ["status"]
    fields = ["match", "seat", "status", "refusal", "received_at", "width", "height", "sha256", "likeness", "look"]

    @admin.display(description=_("player"), ordering="seat")
    def number(self, picture: Picture) -> int:
        """1 or 2."""
        return picture.seat + 1

    @admin.display(description=_("picture"))
    def look(self, picture: Picture) -> SafeString | str:
        """The picture itself, by the way that checks who asks."""
        if picture.status != Picture.READY:
            return ""
        return format_html('<a href="{}">{}</a>', reverse("ratematch:picture", args=[picture.pk]), _("Open"))
