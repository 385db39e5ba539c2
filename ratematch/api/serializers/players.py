"""Players, the ladder and rating histories in JSON."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ratematch.api.serializers.words import RESULTS, WordField
from ratematch.models import Player, RatingChange
from ratematch.rules.fairplay import Level
from ratematch.selectors import LadderRow, place_of
from ratematch.services.ratings import RESULT_WORDS

LEVELS = [level.value for level in Level]


class LadderRowSerializer(serializers.Serializer[Any]):
    """One place on the ladder."""

    place = serializers.SerializerMethodField(help_text="Null in a search by name; the player's own address has it.")
    player = serializers.IntegerField(source="player.pk")
    display_name = serializers.CharField(source="player.user.display_name")
    rating = serializers.IntegerField(source="player.rating")
    since_yesterday = serializers.IntegerField(help_text="How the rating has moved in 24 hours.")
    wins = serializers.IntegerField(source="player.wins")
    losses = serializers.IntegerField(source="player.losses")
    draws = serializers.IntegerField(source="player.draws")

    def get_place(self, row: LadderRow) -> int | None:
        return row.place if self.context["placed"] else None


class LadderQuerySerializer(serializers.Serializer[Any]):
    """Which part of the ladder."""

    q = serializers.CharField(default="", allow_blank=True, max_length=20, help_text="Part of a name.")
    within_days = serializers.IntegerField(
        default=settings.RATEMATCH["LADDER_DAYS"],
        min_value=1,
        max_value=36_500,
        help_text="Only who had a rated match in so many days.",
    )


class RatedPlayerSerializer(serializers.ModelSerializer[Player]):
    """A player as everybody may see one."""

    user = serializers.IntegerField(source="user_id", help_text="The same person's id as a user of the site.")
    display_name = serializers.CharField(source="user.display_name")
    place = serializers.SerializerMethodField(help_text="On the ladder; null without a recent rated match.")
    streak = serializers.IntegerField(source="shown_streak", help_text="Wins in a row, as anybody sees them.")

    class Meta:
        model = Player
        fields = [
            *("id", "user", "display_name", "place", "rating", "wins", "losses", "draws"),
            *("streak", "best_streak", "last_rated_at"),
        ]

    def get_place(self, player: Player) -> int | None:
        return place_of(player, self.context["now"], within_days=settings.RATEMATCH["LADDER_DAYS"])


class OwnRatedPlayerSerializer(RatedPlayerSerializer):
    """Oneself as a player, with what nobody else sees."""

    level = serializers.ChoiceField(LEVELS, help_text="The fair-play level, A to D.")
    gains_halved = serializers.BooleanField(source="effects.gains_halved")
    may_play = serializers.BooleanField(source="effects.may_play", help_text="Queue, tournaments and free matches.")
    regular_tournaments = serializers.BooleanField(source="effects.regular_tournaments")

    class Meta(RatedPlayerSerializer.Meta):
        fields = [
            *RatedPlayerSerializer.Meta.fields,
            *("level", "gains_halved", "may_play", "regular_tournaments"),
        ]


class WorkingSerializer(serializers.ModelSerializer[RatingChange]):
    """How a change was worked out: before the floor, and what a gain was multiplied by."""

    factor = serializers.FloatField()

    class Meta:
        model = RatingChange
        fields = ["computed", "factor"]


class RatingChangeSerializer(serializers.ModelSerializer[RatingChange]):
    """One change of a rating."""

    match = serializers.IntegerField(source="match_id")
    result = serializers.SerializerMethodField()
    correction = serializers.SerializerMethodField(help_text="Whether a moderator corrected an earlier change.")
    working = serializers.SerializerMethodField(help_text="Only to oneself.")

    class Meta:
        model = RatingChange
        fields = ["id", "match", "result", "before", "applied", "after", "at", "correction", "working"]

    @extend_schema_field(WordField(RESULTS))
    def get_result(self, row: RatingChange) -> str:
        return RESULT_WORDS[None if row.result is None else float(row.result)]

    def get_correction(self, row: RatingChange) -> bool:
        return row.corrects_id is not None

    @extend_schema_field(WorkingSerializer(allow_null=True))
    def get_working(self, row: RatingChange) -> Any:
        return WorkingSerializer(row).data if self.context["own"] else None
