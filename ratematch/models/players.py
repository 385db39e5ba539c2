"""Players, and how each change of a rating came about."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratematch.rules import elo
from ratematch.rules.fairplay import EFFECTS, Effects, Level

LEVELS = [(level.value, level.value) for level in Level]


class Player(models.Model):
    """A user as a player of rated matches."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratematch_player", verbose_name=_("player")
    )
    rating = models.IntegerField(_("rating"), default=elo.INITIAL)
    wins = models.PositiveIntegerField(_("won"), default=0)
    losses = models.PositiveIntegerField(_("lost"), default=0)
    draws = models.PositiveIntegerField(_("drawn"), default=0)
    streak = models.PositiveIntegerField(_("streak"), default=0)
    best_streak = models.PositiveIntegerField(default=0)
    recent = models.CharField(max_length=5, blank=True)  # the newest five results, newest first: w, d, l
    last_rated_at = models.DateTimeField(_("last rated"), null=True, blank=True)
    last_opponent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    level = models.CharField(
        _("level"), max_length=1, choices=[(level.value, level.value) for level in Level], default=Level.A.value
    )
    level_until = models.DateTimeField(null=True, blank=True)  # when the next of the points behind it expire

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [models.CheckConstraint(condition=Q(rating__gte=elo.FLOOR), name="rating_not_below_floor")]
        indexes = [
            models.Index(F("rating").desc(), F("id").asc(), F("last_rated_at").asc(), name="player_ladder"),
            models.Index(fields=["level_until"], condition=Q(level_until__isnull=False), name="player_level_due"),
        ]

    def __str__(self) -> str:
        return self.user.display_name

    def get_absolute_url(self) -> str:
        return reverse("ratematch:player", args=[self.pk])

    @property
    def effects(self) -> Effects:
        """What the player's fair-play level means (§4)."""
        return EFFECTS[Level(self.level)]

    @property
    def shown_streak(self) -> int:
        """The run of wins as anybody sees it: 0 below level A, and what it really is once back there (§4)."""
        return self.streak if self.effects.streak_shown else 0


class RatingChange(models.Model):
    """One change of a rating, with everything it was worked out from. Never edited (§1)."""

    match = models.ForeignKey("Match", on_delete=models.PROTECT, related_name="rating_changes", verbose_name=_("match"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="rating_changes", verbose_name=_("player")
    )
    ruling = models.ForeignKey(
        "Ruling",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="rating_changes",
        verbose_name=_("ruling"),
    )
    corrects = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrections")
    result = models.DecimalField(max_digits=2, decimal_places=1, null=True)  # empty: void
    before = models.IntegerField(_("before"))
    computed = models.IntegerField(_("computed"))
    factor = models.DecimalField(_("factor"), max_digits=2, decimal_places=1, default=1)
    applied = models.IntegerField(_("applied"))
    after = models.IntegerField(_("after"))
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player"], condition=Q(corrects=None), name="a_match_moves_a_rating_once"
            ),
            models.UniqueConstraint(fields=["ruling", "player"], name="a_ruling_moves_a_rating_once"),
            models.CheckConstraint(condition=Q(after=F("before") + F("applied")), name="rating_sums_add_up"),
        ]
        indexes = [models.Index(fields=["player", "-at", "-id"], name="rating_by_player")]

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"
