"""Matches: their two sides, what happened in them, and what moderators ruled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratematch.models.players import Player
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import RUNNING, Answer, Cause, Claim, Ending, Outcome, State

STATE_NAMES = {
    State.ROOM: pgettext_lazy("state of a match", "making a room"),
    State.PLAYING: pgettext_lazy("state of a match", "playing"),
    State.ABANDONED: pgettext_lazy("state of a match", "one has left"),
    State.REPORTING: pgettext_lazy("state of a match", "reporting"),
    State.RECONFIRM: pgettext_lazy("state of a match", "declaring again"),
    State.EVIDENCE: pgettext_lazy("state of a match", "handing in evidence"),
    State.REVIEW: pgettext_lazy("state of a match", "waits for a ruling"),
    State.SETTLED: pgettext_lazy("state of a match", "settled"),
    State.VOID: pgettext_lazy("state of a match", "void"),
}
CAUSE_NAMES = {
    Cause.NO_RESPONSE: pgettext_lazy("cause of evidence", "no response"),
    Cause.OWN_CHOICE: pgettext_lazy("cause of evidence", "own choice"),
    Cause.DISPUTE: pgettext_lazy("cause of evidence", "dispute"),
    Cause.NOT_OVER_TWICE: pgettext_lazy("cause of evidence", "twice not over"),
}
OUTCOME_NAMES = {
    Outcome.PLAYER1: _("Player 1 won"),
    Outcome.PLAYER2: _("Player 2 won"),
    Outcome.DRAW: _("A draw"),
    Outcome.VOID: _("Void"),
}
"""What moderators read in lists; players' pages have words of their own."""


def named(names: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """An enum of the rules with its words as choices of a column."""
    return [(word.value, name) for word, name in names.items()]


def choices(words: type[Claim] | type[Answer] | type[Ending]) -> list:
    """An enum of the rules as choices of a column. Labels are the code's words; pages have their own."""
    return [(word.value, word.value) for word in words]


RUNNING_STATES = [state.value for state in RUNNING]
ENDED_STATES = [State.SETTLED.value, State.VOID.value]


class MatchQuerySet(models.QuerySet["Match"]):
    def due(self, now: datetime) -> MatchQuerySet:
        """Matches whose clock has run out, the longest overdue first."""
        return self.filter(deadline_at__lte=now).order_by("deadline_at", "pk")

    def with_sides(self) -> MatchQuerySet:
        """With both sides, their players and users: everything a page or `snapshot` needs."""
        sides = Side.objects.select_related("player__user").order_by("seat")
        return self.prefetch_related(models.Prefetch("sides", queryset=sides))


class Match(models.Model):
    """One match. Its life is in rules/lifecycle/; only services/ changes a row."""

    state = models.CharField(_("state"), max_length=10, choices=named(STATE_NAMES), default=State.ROOM.value)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    deadline_at = models.DateTimeField(null=True, blank=True)
    warn_at = models.DateTimeField(null=True, blank=True)
    room_number = models.CharField(max_length=20, blank=True)
    playing_at = models.DateTimeField(null=True, blank=True)
    cause = models.CharField(_("cause"), max_length=14, choices=named(CAUSE_NAMES), blank=True)
    reporter = models.PositiveSmallIntegerField(null=True, blank=True)
    withdrawals = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(_("outcome"), max_length=7, choices=named(OUTCOME_NAMES), blank=True)
    ending = models.CharField(max_length=16, choices=choices(Ending), blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [
            ("rule_match", _("Can rule on disputed matches, reports and flags")),
            ("overturn_match", _("Can overturn rulings and results")),
            ("appoint_moderators", _("Can appoint and dismiss moderators")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=RUNNING_STATES, deadline_at__isnull=False)
                | (~Q(state__in=RUNNING_STATES) & Q(deadline_at=None)),
                name="a_running_match_has_a_deadline",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ENDED_STATES, ended_at__isnull=False)
                | (~Q(state__in=ENDED_STATES) & Q(ended_at=None, outcome="")),
                name="an_ended_match_has_an_end",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(deadline_at__isnull=False), name="match_due"),
            models.Index(fields=["warn_at"], condition=Q(warn_at__isnull=False), name="match_warn"),
            models.Index(fields=["state", "-id"], name="match_by_state"),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("ratematch:match", args=[self.pk])

    @cached_property
    def seats(self) -> list[Side]:
        """Both sides, Player 1 first; read once."""
        return sorted(self.sides.all(), key=lambda side: side.seat)

    def value(self) -> lifecycle.Match:
        """The row and its sides as the rules see them."""
        one, two = (side.value() for side in self.seats)
        return lifecycle.Match(
            made_at=self.made_at,
            state=State(self.state),
            deadline_at=self.deadline_at,
            room_number=self.room_number,
            playing_at=self.playing_at,
            cause=Cause(self.cause) if self.cause else None,
            reporter=self.reporter,
            withdrawals=self.withdrawals,
            outcome=Outcome(self.outcome) if self.outcome else None,
            ending=Ending(self.ending) if self.ending else None,
            sides=(one, two),
        )

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat (0 or 1) of a user, or None for anybody else."""
        return next((side.seat for side in self.seats if side.player.user_id == user_id), None)


class Side(models.Model):
    """One player's half of a match. Two rows a match; the constraints keep anybody from meeting himself."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sides")
    seat = models.PositiveSmallIntegerField(choices=[(0, "Player 1"), (1, "Player 2")])
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="sides")
    rating = models.IntegerField()  # as it stood when the match was made (§1)
    waited_s = models.PositiveIntegerField(default=0)  # in the queue; what the next one's estimate is made of
    needed = models.BooleanField(default=True)  # holds the player out of the queue; Engagement is the lock itself
    pressed_at = models.DateTimeField(null=True, blank=True)
    claim = models.CharField(max_length=4, choices=choices(Claim), blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    reclaim = models.CharField(max_length=4, choices=choices(Claim), blank=True)
    reclaimed_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=9, choices=choices(Answer), blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    handing_in_at = models.DateTimeField(null=True, blank=True)  # pressed "submit" while a picture was being checked
    remark = models.CharField(max_length=500, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=4, blank=True)  # "win", "loss", "draw", "void": for records and lists

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="two_seats_a_match"),
            models.UniqueConstraint(fields=["match", "player"], name="nobody_meets_himself"),
            models.CheckConstraint(condition=Q(seat__in=[0, 1]), name="seat_is_0_or_1"),
        ]
        indexes = [models.Index(fields=["player", "-match"], name="side_by_player")]

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"

    def value(self) -> lifecycle.Side:
        """The row as the rules see it."""
        return lifecycle.Side(
            needed=self.needed,
            pressed_at=self.pressed_at,
            claim=Claim(self.claim) if self.claim else None,
            claimed_at=self.claimed_at,
            reclaim=Claim(self.reclaim) if self.reclaim else None,
            reclaimed_at=self.reclaimed_at,
            answer=Answer(self.answer) if self.answer else None,
            answered_at=self.answered_at,
            left_at=self.left_at,
        )


class MatchEvent(models.Model):
    """What happened in a match: who, when, what, from which state to which. Never edited."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)  # empty: the clock or a moderator
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    verb = models.CharField(max_length=20)
    state_from = models.CharField(max_length=10, blank=True)
    state_to = models.CharField(max_length=10)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.verb} in match {self.match_id}"


class Ruling(models.Model):
    """A moderator's decision. Never deleted; a new one replaces it, and only one can (§5)."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rulings", verbose_name=_("match"))
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    outcome = models.CharField(_("outcome"), max_length=7, choices=named(OUTCOME_NAMES))
    reason = models.TextField(_("reason"), max_length=2000)
    at = models.DateTimeField(_("when"), default=timezone.now)
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by", verbose_name=_("replaces")
    )

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(replaces=None), name="one_first_ruling_a_match")
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk} on match {self.match_id}"
