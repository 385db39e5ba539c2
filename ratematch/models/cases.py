"""What waits for moderators, and who works on it (rules §5)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratematch.models.fairplay import Flag, Report
from ratematch.models.matches import Match, Ruling


class Contest(models.Model):
    """That the loser of a match that silence decided wants it looked at again (§9). Once a match."""

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="contest")
    seat = models.PositiveSmallIntegerField()  # of the one who contests
    text = models.TextField(max_length=1000)
    at = models.DateTimeField(default=timezone.now)
    answer_until = models.DateTimeField()
    answer = models.TextField(max_length=1000, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    ruling = models.OneToOneField(Ruling, null=True, blank=True, on_delete=models.PROTECT, related_name="contest")

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")

    def __str__(self) -> str:
        return f"contest of match {self.match_id}"


class CaseQuerySet(models.QuerySet["Case"]):
    def open(self) -> CaseQuerySet:
        """Those that wait, the oldest first."""
        return self.filter(closed_at=None).order_by("opened_at", "pk")


class Case(models.Model):
    """One thing that waits for a moderator, or waited: a match in REVIEW, a report, a flag or a contest."""

    REVIEW, REPORT, FLAG, CONTEST = "review", "report", "flag", "contest"
    KINDS = [(REVIEW, _("disputed match")), (REPORT, _("report")), (FLAG, _("flag")), (CONTEST, _("contest"))]
    RULED, PENALISED, DISMISSED = "ruled", "penalised", "dismissed"
    VERDICTS = [(RULED, _("ruled")), (PENALISED, _("penalised")), (DISMISSED, _("dismissed"))]

    kind = models.CharField(_("kind"), max_length=7, choices=KINDS)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="cases")
    report = models.OneToOneField(Report, null=True, blank=True, on_delete=models.PROTECT, related_name="case")
    flag = models.OneToOneField(Flag, null=True, blank=True, on_delete=models.PROTECT, related_name="case")
    contest = models.OneToOneField(Contest, null=True, blank=True, on_delete=models.PROTECT, related_name="case")
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("closed by"),
    )
    verdict = models.CharField(_("verdict"), max_length=9, choices=VERDICTS, blank=True)
    note = models.TextField(_("note"), max_length=2000, blank=True)  # for moderators

    objects = CaseQuerySet.as_manager()

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="review", match__isnull=False, report=None, flag=None, contest=None)
                | Q(kind="report", report__isnull=False, flag=None, contest=None)
                | Q(kind="flag", match=None, report=None, flag__isnull=False, contest=None)
                | Q(kind="contest", match__isnull=False, report=None, flag=None, contest__isnull=False),
                name="a_case_is_about_one_thing",
            ),
            models.UniqueConstraint(
                fields=["match"], condition=Q(kind="review", closed_at=None), name="one_open_review_a_match"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, verdict="") | (Q(closed_at__isnull=False) & ~Q(verdict="")),
                name="a_closed_case_has_a_verdict",
            ),
            models.CheckConstraint(
                condition=Q(taken_by=None, taken_at=None) | Q(taken_by__isnull=False, taken_at__isnull=False),
                name="taken_by_somebody_at_some_time",
            ),
        ]
        indexes = [models.Index(fields=["opened_at"], condition=Q(closed_at=None), name="case_open")]

    def __str__(self) -> str:
        return f"{self.kind} case {self.pk}"


class ReasonTemplate(models.Model):
    """A text that moderators use again and again, to begin a reason or a notice with."""

    title = models.CharField(_("title"), max_length=60, unique=True)
    text = models.TextField(_("text"), max_length=2000)

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title


class CaseLook(models.Model):
    """That a moderator has a match's case open: the second one is told (§5)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="looks")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "moderator"], name="one_look_a_moderator")]

    def __str__(self) -> str:
        return f"{self.moderator_id} looks at match {self.match_id}"
