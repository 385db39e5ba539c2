"""Lists of what rated matches keep, and the addresses of the desk's own pages. But for templates, nothing is changed
here: services write, and what moderators decide has its own pages.
"""

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
from ratematch.admin import words
from ratematch.admin.views import chat, figures, match_case, player, policy, queue, report_case, staff
from ratematch.models import (
    Case,
    FairPlayPolicy,
    Match,
    Penalty,
    Picture,
    Player,
    RatingChange,
    ReasonTemplate,
    Report,
    Ruling,
)
from ratematch.policies import can_change_policy, can_moderate


def _number(object_id: str) -> int:
    """The key in an address.

    Raises:
        Http404: it is none.
    """
    if not object_id.isascii() or not object_id.isdigit():
        raise Http404
    return int(object_id)


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
            path("review/", own(queue.review), name="ratematch_review"),
            path("<int:match_id>/case/", own(match_case.match_case), name="ratematch_case"),
            path("<int:match_id>/case/company/", own(match_case.company), name="ratematch_case_company"),
            path("figures/", own(figures.figures), name="ratematch_figures"),
            path("farming/", own(figures.signs), name="ratematch_farming"),
            path("moderators/", own(staff.moderators), name="ratematch_moderators"),
            path("moderators/<int:user_id>/dismiss/", own(staff.dismiss), name="ratematch_dismiss"),
            path("lines/<int:line_id>/hide/", own(chat.hide), name="ratematch_hide_line"),
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

    def get_urls(self) -> list[URLPattern]:
        own = self.admin_site.admin_view
        return [
            path("<int:player_id>/mute/", own(chat.mute), name="ratematch_mute"),
            path("mutes/<int:mute_id>/lift/", own(chat.lift), name="ratematch_lift_mute"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """A player as moderators see one."""
        return player.player(request, player_id=_number(object_id))


class OfMatch(ModeratorsAdmin):
    """Rows that belong to a match, the newest first."""

    ordering = ["-pk"]
    search_fields = ["=match__id"]
    search_help_text = _("A match's number")


@admin.register(Case)
class CaseAdmin(ModeratorsAdmin):
    """Every case there ever was; what waits has its own queue."""

    list_display = ["id", "kind", "what", "opened_at", "closed_at", "closed_by", "verdict", "note"]
    list_filter = ["kind", "verdict"]
    search_fields = ["=id", "=match__id", "note", "closed_by__display_name"]
    search_help_text = _("A case's or match's number, a moderator's name, or words of a note")
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        rows = Case.objects.exclude(report__reported__user=request.user.pk).exclude(flag__player__user=request.user.pk)
        return rows.select_related("closed_by", "report__reported__user", "flag__player__user")

    def get_urls(self) -> list[URLPattern]:
        own = self.admin_site.admin_view
        return [
            path("<int:case_id>/take/", own(queue.take), name="ratematch_take"),
            path("<int:case_id>/give-back/", own(queue.give_back), name="ratematch_give_back"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page where it is decided, or was."""
        return report_case.report_case(request, case_id=_number(object_id))

    @admin.display(description=_("what it is about"))
    def what(self, case: Case) -> str:
        """The match, or who was reported or flagged."""
        return words.case_title(case)


@admin.register(Report)
class ReportAdmin(ModeratorsAdmin):
    """What players reported of each other."""

    list_display = ["id", "category", "reported", "reporter", "match", "text", "at", "verdict"]
    list_filter = ["category"]
    search_fields = ["=match__id", "reported__user__display_name", "reporter__user__display_name", "text"]
    search_help_text = _("A match's number, a player's name, or words of the text")
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        rows = Report.objects.exclude(reported__user=request.user.pk)
        return rows.select_related("reported__user", "reporter__user", "match", "case")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """A report's own page is its case."""
        report = self.get_object(request, object_id)
        if report is None:
            raise Http404
        return redirect("admin:ratematch_case_change", report.case.pk)

    @admin.display(description=_("verdict"))
    def verdict(self, report: Report) -> str:
        """What came of it; empty while it waits."""
        return report.case.get_verdict_display()


@admin.register(Penalty)
class PenaltyAdmin(ModeratorsAdmin):
    """Every penalty ever given."""

    list_display = ["id", "player", "category", "points", "by", "reason", "at", "expires_at", "withdrawn_at"]
    list_filter = ["category"]
    search_fields = ["player__user__display_name", "by__display_name", "reason"]
    search_help_text = _("A player's or moderator's name, or words of the reason")
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Penalty]:
        return Penalty.objects.exclude(player__user=request.user.pk).select_related("player__user", "by")

    def get_urls(self) -> list[URLPattern]:
        withdraw = self.admin_site.admin_view(player.withdraw)
        return [path("<int:penalty_id>/withdraw/", withdraw, name="ratematch_withdraw"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """It is shown with its player."""
        penalty = self.get_object(request, object_id)
        if penalty is None:
            raise Http404
        return redirect("admin:ratematch_player_change", penalty.player_id)


@admin.register(FairPlayPolicy)
class FairPlayPolicyAdmin(ReadOnlyAdmin):
    """The one row of it, on a page of its own that the desk's menu leads to."""

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {}

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return can_change_policy(request.user)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The editor."""
        return policy.policy(request)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The same."""
        return redirect("admin:ratematch_fairplaypolicy_changelist")


@admin.register(ReasonTemplate)
class ReasonTemplateAdmin(admin.ModelAdmin):
    """Texts to begin a reason with. Rows without effects, so Django's own forms do."""

    list_display = ["title", "text"]
    search_fields = ["title", "text"]


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
