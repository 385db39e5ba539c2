"""Reports, penalties and levels (rules §4). Points and what they add up to are for moderators only."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratematch.models.free import ChatLine
from ratematch.models.matches import Match, Ruling
from ratematch.models.players import LEVELS, Player
from ratematch.rules import fairplay
from ratematch.rules.fairplay import DEFAULT_POINTS, Category

CATEGORY_NAMES = {
    Category.DISCONNECT: _("Disconnecting on purpose"),
    Category.FALSE_RESULT: _("Reporting a false result"),
    Category.FALSE_EVIDENCE: _("Forged or unrelated evidence"),
    Category.ABANDONING: _("Abandoning play"),
    Category.MATCHING: _("Improper matching"),
    Category.ABUSE: _("Abuse or nuisance"),
    Category.CHAT: _("Improper words in chat"),
    Category.EARLY_REPORT: _("Reporting before the game ended"),
}
"""What players and moderators read; in the order in which forms offer them."""
CATEGORIES = [(category.value, name) for category, name in CATEGORY_NAMES.items()]

_DEFAULT = fairplay.Policy()


def _points(category: Category) -> models.PositiveSmallIntegerField:
    return models.PositiveSmallIntegerField(CATEGORY_NAMES[category], default=DEFAULT_POINTS[category])


AT_LEAST_1 = [MinValueValidator(1)]


class FairPlayPolicy(models.Model):
    """How points become levels: the one row of it. Secret (§4): for those who may change it."""

    disconnect = _points(Category.DISCONNECT)
    false_result = _points(Category.FALSE_RESULT)
    false_evidence = _points(Category.FALSE_EVIDENCE)
    abandoning = _points(Category.ABANDONING)
    matching = _points(Category.MATCHING)
    abuse = _points(Category.ABUSE)
    chat = _points(Category.CHAT)
    early_report = _points(Category.EARLY_REPORT)
    b_from = models.PositiveSmallIntegerField(_("level B from"), default=_DEFAULT.b_from, validators=AT_LEAST_1)
    c_from = models.PositiveSmallIntegerField(_("level C from"), default=_DEFAULT.c_from, validators=AT_LEAST_1)
    d_from = models.PositiveSmallIntegerField(_("level D from"), default=_DEFAULT.d_from, validators=AT_LEAST_1)
    lasts_days = models.PositiveSmallIntegerField(
        _("a point expires after, days"), default=_DEFAULT.lasts.days, validators=AT_LEAST_1
    )
    reports = models.PositiveSmallIntegerField(
        _("reports by different opponents that make a penalty"), default=_DEFAULT.reports, validators=AT_LEAST_1
    )
    reports_days = models.PositiveSmallIntegerField(
        _("within so many days"), default=_DEFAULT.reports_within.days, validators=AT_LEAST_1
    )
    leaves = models.PositiveSmallIntegerField(
        _("times of leaving that raise a flag"), default=_DEFAULT.leaves, help_text=_("0: leaving isn't counted.")
    )
    leaves_days = models.PositiveSmallIntegerField(
        _("within so many days"), default=_DEFAULT.leaves_within.days, validators=AT_LEAST_1
    )
    leaves_cost = models.BooleanField(_("such a flag costs points, too"), default=_DEFAULT.leaves_cost)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("fair-play policy")
        verbose_name_plural = _("fair-play policy")
        default_permissions = ("view", "change")
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="one_policy"),
            models.CheckConstraint(condition=Q(b_from__lt=F("c_from"), c_from__lt=F("d_from")), name="levels_rise"),
        ]

    def __str__(self) -> str:
        return str(_("fair-play policy"))

    def value(self) -> fairplay.Policy:
        """The row as the rules see it."""
        return fairplay.Policy(
            points={category: getattr(self, category.value) for category in Category},
            b_from=self.b_from,
            c_from=self.c_from,
            d_from=self.d_from,
            lasts=timedelta(days=self.lasts_days),
            reports=self.reports,
            reports_within=timedelta(days=self.reports_days),
            leaves=self.leaves,
            leaves_within=timedelta(days=self.leaves_days),
            leaves_cost=self.leaves_cost,
        )


class Report(models.Model):
    """What one player reports of the other after a match, or of a line said in a chat."""

    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="reports", verbose_name=_("match")
    )
    line = models.ForeignKey(ChatLine, null=True, blank=True, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="reports_filed", verbose_name=_("reported by")
    )
    reported = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="reports_against", verbose_name=_("reported player")
    )
    category = models.CharField(_("what for"), max_length=14, choices=CATEGORIES)
    text = models.TextField(_("text"), max_length=1000)
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = [
            models.UniqueConstraint(fields=["match", "reporter"], name="one_report_a_match_and_player"),
            models.UniqueConstraint(fields=["line", "reporter"], name="one_report_a_line_and_player"),
            models.CheckConstraint(
                condition=Q(match=None, line__isnull=False) | Q(match__isnull=False, line=None),
                name="a_report_is_about_one_thing",
            ),
            models.CheckConstraint(condition=~Q(reporter=F("reported")), name="nobody_reports_himself"),
        ]
        indexes = [models.Index(fields=["reported", "category", "at"], name="report_pattern")]

    def __str__(self) -> str:
        return f"report {self.pk} on {self.reported_id}"


class Flag(models.Model):
    """What the site itself found worth a moderator's look: a pattern of reports, or of leaving."""

    REPORTS, LEAVING = "reports", "leaving"

    kind = models.CharField(max_length=7, choices=[(REPORTS, _("pattern of reports")), (LEAVING, _("leaving often"))])
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="flags")
    category = models.CharField(max_length=14, choices=CATEGORIES)
    facts = models.JSONField(default=dict)  # ids of the matches, or reports and reporting users, that made it
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("flag")
        verbose_name_plural = _("flags")
        indexes = [models.Index(fields=["player", "kind", "-at"], name="flag_by_player")]

    def __str__(self) -> str:
        return f"flag {self.pk} on {self.player_id}"


class Penalty(models.Model):
    """Points that a player has been given. Never deleted: a moderator's later word withdraws it."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="penalties", verbose_name=_("player"))
    category = models.CharField(_("what for"), max_length=14, choices=CATEGORIES)
    points = models.PositiveSmallIntegerField(_("points"))  # as the policy stood then
    at = models.DateTimeField(_("when"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("by"),
    )
    reason = models.TextField(_("reason"), max_length=1000, blank=True)
    ruling = models.ForeignKey(Ruling, null=True, blank=True, on_delete=models.PROTECT, related_name="penalties")
    report = models.ForeignKey(Report, null=True, blank=True, on_delete=models.PROTECT, related_name="penalties")
    flag = models.ForeignKey(Flag, null=True, blank=True, on_delete=models.PROTECT, related_name="penalties")
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawal_reason = models.TextField(max_length=1000, blank=True)

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        constraints = [
            models.UniqueConstraint(fields=["ruling", "player", "category"], name="a_ruling_penalises_once"),
            models.UniqueConstraint(fields=["report"], name="a_report_penalises_once"),
            models.UniqueConstraint(fields=["flag"], condition=Q(withdrawn_at=None), name="a_flag_penalises_once"),
        ]
        indexes = [models.Index(fields=["player", "expires_at"], name="penalty_by_player")]

    def __str__(self) -> str:
        return f"penalty {self.pk} of {self.player_id}"


class LevelChange(models.Model):
    """That a fair-play level changed, and why. Never edited; for moderators (§4)."""

    PENALTY, EXPIRY, WITHDRAWAL, POLICY, RETURN = "penalty", "expiry", "withdrawal", "policy", "return"
    CAUSES = [
        (PENALTY, _("penalty")),
        (EXPIRY, _("points expired")),
        (WITHDRAWAL, _("a penalty was withdrawn")),
        (POLICY, _("the policy was changed")),
        (RETURN, _("an earlier account's points")),
    ]

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="level_changes")
    before = models.CharField(max_length=1, choices=LEVELS)
    after = models.CharField(max_length=1, choices=LEVELS)
    cause = models.CharField(max_length=10, choices=CAUSES)
    penalty = models.ForeignKey(Penalty, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("change of level")
        verbose_name_plural = _("changes of level")
        constraints = [models.CheckConstraint(condition=~Q(before=F("after")), name="a_level_change_changes")]

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"
