"""The queue in JSON."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ratematch.models import Engagement
from ratematch.selectors import Lobby

CONDITIONS = (Engagement.NEAR, Engagement.ANY)


class QueueConditionSerializer(serializers.Serializer[Any]):
    """Whom one accepts as an opponent."""

    condition = serializers.ChoiceField(CONDITIONS, help_text="`near`: within 100 points; `any`: no limit.")


class QueueEntrySerializer(serializers.Serializer[Any]):
    """One's place in the queue."""

    condition = serializers.ChoiceField(CONDITIONS, source="entry.condition")
    joined_at = serializers.DateTimeField(source="entry.joined_at")
    waited_s = serializers.IntegerField()
    expires_at = serializers.DateTimeField(
        source="entry.expires_at", help_text="When the entry leaves the queue by itself."
    )


class QueueEstimateSerializer(serializers.Serializer[Any]):
    """How long one usually waits, and what that is worked out from."""

    wait_s = serializers.IntegerField(source="estimate_s", help_text="The median of the last hour.")
    pairs = serializers.IntegerField(source="estimate_from")


class QueueSerializer(serializers.Serializer[Lobby]):
    """The queue as one player sees it."""

    entry = serializers.SerializerMethodField(help_text="Null if one isn't waiting.")
    match = serializers.SerializerMethodField(help_text="The match that needs one, so that one can't queue.")
    others = serializers.IntegerField(help_text="Others who wait.")
    within_range = serializers.IntegerField(source="in_range", help_text="Of these, who suits the condition `near`.")
    suits_any = serializers.IntegerField(source="would_suit_any", help_text="Of these, who suits the condition `any`.")
    estimate = serializers.SerializerMethodField(help_text="Null while there is too little to go by.")

    @extend_schema_field(QueueEntrySerializer(allow_null=True))
    def get_entry(self, lobby: Lobby) -> Any:
        return None if lobby.entry is None else QueueEntrySerializer(lobby).data

    def get_match(self, lobby: Lobby) -> int | None:
        return self.context["match"]

    @extend_schema_field(QueueEstimateSerializer(allow_null=True))
    def get_estimate(self, lobby: Lobby) -> Any:
        return None if lobby.estimate_s is None else QueueEstimateSerializer(lobby).data
