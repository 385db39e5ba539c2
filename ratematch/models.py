"""The tables of rated matches. What must never happen is made impossible here, by constraints."""

from __future__ import annotations

import uuid
from datetime import datetime
from pathlib import PurePath

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from ratematch.rules import elo, lifecycle
from ratematch.rules.lifecycle import RUNNING, Answer, Cause, Claim, Ending, Outcome, State


def choices(words: type[State] | type[Outcome] | type[Claim] | type[Answer] | type[Cause] | type[Ending]) -> list:
    """An enum of the rules as choices of a column. Labels are the code's words; pages have their own."""
    return [(word.value, word.value) for word in words]


RUNNING_STATES = [state.value for state in RUNNING]
ENDED_STATES = [State.SETTLED.value, State.VOID.value]


class Player(models.Model):
    """A user as a player of rated matches."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratematch_player")
    rating = models.IntegerField(_("rating"), default=elo.INITIAL)
    wins = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    recent = models.CharField(max_length=5, blank=True)  # the newest five results, newest first: w, d, l
    last_rated_at = models.DateTimeField(null=True, blank=True)
    last_opponent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [models.CheckConstraint(condition=Q(rating__gte=elo.FLOOR), name="rating_not_below_floor")]
        indexes = [models.Index(F("rating").desc(), F("id").asc(), F("last_rated_at").asc(), name="player_ladder")]

    def __str__(self) -> str:
        return self.user.display_name

    def get_absolute_url(self) -> str:
        return reverse("ratematch:player", args=[self.pk])


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

    state = models.CharField(max_length=10, choices=choices(State), default=State.ROOM.value)
    made_at = models.DateTimeField(default=timezone.now)
    deadline_at = models.DateTimeField(null=True, blank=True)
    warn_at = models.DateTimeField(null=True, blank=True)
    room_number = models.CharField(max_length=20, blank=True)
    playing_at = models.DateTimeField(null=True, blank=True)
    cause = models.CharField(max_length=14, choices=choices(Cause), blank=True)
    reporter = models.PositiveSmallIntegerField(null=True, blank=True)
    withdrawals = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=7, choices=choices(Outcome), blank=True)
    ending = models.CharField(max_length=16, choices=choices(Ending), blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("rule_match", _("Can rule on disputed matches"))]
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


class EngagementQuerySet(models.QuerySet["Engagement"]):
    def waiting(self) -> EngagementQuerySet:
        """Those in the queue, the longest waiting first."""
        return self.filter(match=None).order_by("joined_at", "pk")


class Engagement(models.Model):
    """What a player is busy with: waiting in the queue (`match` empty) or needed by a match.

    One row a player, so the database itself makes a second queue place, a second match, or a place in the queue
    beside a match impossible (§2). Pairing fills `match` in; the row goes when the player is free again.
    """

    NEAR, ANY = "near", "any"

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="engagement")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="engagements")
    condition = models.CharField(max_length=4, choices=[(NEAR, NEAR), (ANY, ANY)], default=ANY)
    joined_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)

    objects = EngagementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(match=None) ^ Q(expires_at=None), name="only_waiting_expires"),
        ]
        indexes = [models.Index(fields=["joined_at"], condition=Q(match=None), name="engagement_waiting")]

    def __str__(self) -> str:
        return f"{self.player_id} {'waits' if self.match_id is None else f'in match {self.match_id}'}"


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

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rulings")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=7, choices=choices(Outcome))
    reason = models.TextField(max_length=2000)
    at = models.DateTimeField(default=timezone.now)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(replaces=None), name="one_first_ruling_a_match")
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk} on match {self.match_id}"


class RatingChange(models.Model):
    """One change of a rating, with everything it was worked out from. Never edited (§1)."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_changes")
    ruling = models.ForeignKey(Ruling, null=True, blank=True, on_delete=models.PROTECT, related_name="rating_changes")
    corrects = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrections")
    result = models.DecimalField(max_digits=2, decimal_places=1, null=True)  # empty: void
    before = models.IntegerField()
    computed = models.IntegerField()
    factor = models.DecimalField(max_digits=2, decimal_places=1, default=1)
    applied = models.IntegerField()
    after = models.IntegerField()
    at = models.DateTimeField(default=timezone.now)

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


def private_storage() -> Storage:
    """Where evidence lies: outside anything that a web server gives out by itself."""
    return storages["private"]


def picture_path(picture: Picture, filename: str) -> str:
    """A random name, so that a path says nothing; what the player's file was called is not kept."""
    return f"evidence/{uuid.uuid4().hex}{PurePath(filename).suffix}"


class Picture(models.Model):
    """A screenshot as evidence. NEW until a check has decoded it and written a clean copy."""

    NEW, READY, REFUSED = "new", "ready", "refused"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="pictures")
    seat = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=7, choices=[(NEW, NEW), (READY, READY), (REFUSED, REFUSED)], default=NEW)
    refusal = models.CharField(max_length=30, blank=True)
    file = models.FileField(storage=private_storage, upload_to=picture_path, blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    width = models.PositiveIntegerField(null=True)
    height = models.PositiveIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)  # of the file as it was handed in
    likeness = models.CharField(max_length=256, blank=True)  # difference hash, to find near copies

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["pk"]
        indexes = [models.Index(fields=["received_at"], condition=Q(status="new"), name="picture_unchecked")]

    def __str__(self) -> str:
        return f"picture {self.pk} of match {self.match_id}"


class CaseLook(models.Model):
    """That a moderator has a case open: the second one is told (§5)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="looks")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "moderator"], name="one_look_a_moderator")]

    def __str__(self) -> str:
        return f"{self.moderator_id} looks at match {self.match_id}"
