"""Matches in JSON: what everybody may read, and what only the two players and moderators may."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ratematch.api.serializers.words import (
    ANSWERS,
    CAUSES,
    CLAIMS,
    ENDINGS,
    MOVES,
    OUTCOMES,
    RESULTS,
    SEATS,
    STATES,
    VERBS,
    SeatField,
    WordField,
)
from ratematch.models import Match, MatchEvent, Picture, Ruling, Side
from ratematch.policies import can_look_inside
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import Ending
from ratematch.selectors import MatchView


class RatedSideSerializer(serializers.ModelSerializer[Side]):
    """One of the two, as everybody may see it."""

    seat = SeatField()
    player = serializers.IntegerField(source="player_id", help_text="A player's id.")
    display_name = serializers.CharField(source="player.user.display_name")
    rating = serializers.IntegerField(help_text="As it stood when the match was made; this one enters the formula.")
    result = WordField(RESULTS)
    rating_change = serializers.SerializerMethodField(help_text="What the match did to the rating, corrections too.")

    class Meta:
        model = Side
        fields = ["seat", "player", "display_name", "rating", "result", "rating_change"]

    def get_rating_change(self, side: Side) -> int | None:
        if not side.result:
            return None
        rows = [row.applied for row in side.match.rating_changes.all() if row.player_id == side.player_id]
        return sum(rows) if rows else None


class RatedMatchSerializer(serializers.ModelSerializer[Match]):
    """A match as everybody may see it."""

    state = serializers.ChoiceField(STATES)
    players = RatedSideSerializer(source="seats", many=True)
    outcome = WordField(OUTCOMES)
    ending = WordField(ENDINGS, help_text="What decided it.")

    class Meta:
        model = Match
        fields = ["id", "state", "made_at", "playing_at", "ended_at", "outcome", "ending", "players"]


class MatchClaimsSerializer(serializers.ModelSerializer[Side]):
    """What one side has done so far. `reclaim` is the claim when both were asked once more."""

    seat = SeatField()
    claim = WordField(CLAIMS)
    reclaim = WordField(CLAIMS)
    answer = WordField(ANSWERS, help_text="To the request for evidence.")
    remark = serializers.SerializerMethodField(help_text="Handed in with the evidence; the opponent's only after that.")

    class Meta:
        model = Side
        fields = [
            *("seat", "pressed_at", "claim", "claimed_at", "reclaim", "reclaimed_at"),
            *("answer", "answered_at", "left_at", "remark"),
        ]

    def get_remark(self, side: Side) -> str:
        return side.remark if side.answer or side.seat == self.context["view"].seat else ""


class PictureSerializer(serializers.ModelSerializer[Picture]):
    """A screenshot. `new` until a check has passed or refused it."""

    seat = SeatField()
    status = serializers.ChoiceField([Picture.NEW, Picture.READY, Picture.REFUSED])
    refusal = serializers.SerializerMethodField(help_text="The code of the refusal, if it was refused.")

    class Meta:
        model = Picture
        fields = ["id", "seat", "status", "refusal", "width", "height", "received_at"]

    def get_refusal(self, picture: Picture) -> str | None:
        return picture.refusal or None


class StakeSerializer(serializers.Serializer[Any]):
    """What one result would do to one's rating now."""

    change = serializers.IntegerField(source="applied")
    after = serializers.IntegerField()


class StakesSerializer(serializers.Serializer[Any]):
    """What each result would do to one's rating now."""

    win = StakeSerializer()
    draw = StakeSerializer()
    loss = StakeSerializer()


class AtZeroSerializer(serializers.Serializer[lifecycle.Match]):
    """What the match becomes when its clock runs out and nobody has done anything."""

    state = serializers.ChoiceField(STATES)
    outcome = WordField(OUTCOMES)
    ending = WordField(ENDINGS)
    cause = WordField(CAUSES)


class MatchRulingSerializer(serializers.ModelSerializer[Ruling]):
    """The moderators' word that is in force."""

    outcome = serializers.ChoiceField(OUTCOMES)

    class Meta:
        model = Ruling
        fields = ["outcome", "reason", "at"]


class MatchInsideSerializer(serializers.Serializer[MatchView]):
    """What only the two players and moderators see of a match."""

    you = serializers.SerializerMethodField(help_text="One's own seat; null for a moderator.")
    room_number = serializers.CharField(source="match.room_number", allow_blank=True)
    deadline_at = serializers.DateTimeField(source="match.deadline_at", allow_null=True)
    remaining_s = serializers.IntegerField(allow_null=True, help_text="Until then, rounded up.")
    at_zero = AtZeroSerializer(allow_null=True, help_text="What happens then.")
    possible = serializers.ListField(child=serializers.ChoiceField(VERBS), help_text="The moves that one can make now.")
    leave_opens_at = serializers.DateTimeField(allow_null=True, help_text="While leaving isn't possible yet.")
    awaited = serializers.SerializerMethodField(help_text="Whose move the running clock waits for.")
    cause = WordField(CAUSES, source="match.cause", help_text="Why evidence is asked for, or a moderator.")
    reporter = SeatField(source="match.reporter", allow_null=True, help_text="Who pressed `report_result` first.")
    claims = MatchClaimsSerializer(source="match.seats", many=True)
    stakes = serializers.SerializerMethodField(help_text="Until the match has ended.")
    pictures = serializers.SerializerMethodField(help_text="One's own, and what the opponent has handed in.")
    ruling = serializers.SerializerMethodField()

    @extend_schema_field(SeatField(allow_null=True))
    def get_you(self, view: MatchView) -> str | None:
        return None if view.seat is None else SEATS[view.seat]

    @extend_schema_field(serializers.ListField(child=SeatField()))
    def get_awaited(self, view: MatchView) -> list[str]:
        return [SEATS[seat] for seat in lifecycle.awaited(view.value)]

    @extend_schema_field(StakesSerializer(allow_null=True))
    def get_stakes(self, view: MatchView) -> Any:
        return None if view.seat is None or view.match.outcome else StakesSerializer(view.stakes).data

    @extend_schema_field(PictureSerializer(many=True))
    def get_pictures(self, view: MatchView) -> Any:
        return PictureSerializer(seen_pictures(view), many=True).data

    @extend_schema_field(MatchRulingSerializer(allow_null=True))
    def get_ruling(self, view: MatchView) -> Any:
        ruled = view.match.ending == Ending.RULED
        return MatchRulingSerializer(view.rulings[0]).data if ruled else None


def seen_pictures(view: MatchView) -> list[Picture]:
    """The screenshots that a viewer who may look inside sees: a player as `MatchView` says, a moderator all checked."""
    if view.seat is None:
        return list(view.match.pictures.filter(status=Picture.READY))
    return sorted([*view.pictures, *view.other_pictures], key=lambda picture: picture.pk)


class RatedMatchDetailSerializer(RatedMatchSerializer):
    """A match as the viewer may see it. The context has the `view`."""

    inside = serializers.SerializerMethodField(help_text="Null for all but the two players and moderators.")

    class Meta(RatedMatchSerializer.Meta):
        fields = [*RatedMatchSerializer.Meta.fields, "inside"]

    @extend_schema_field(MatchInsideSerializer(allow_null=True))
    def get_inside(self, match: Match) -> Any:
        view = self.context["view"]
        if not can_look_inside(match, view.viewer):
            return None
        return MatchInsideSerializer(view, context=self.context).data


class MatchEventSerializer(serializers.ModelSerializer[MatchEvent]):
    """Something that happened in a match. Those who can't look inside see only the way from state to state."""

    verb = serializers.SerializerMethodField(help_text="A move, or `matched`, `clock`, `ruling`, `attach`.")
    seat = serializers.SerializerMethodField(help_text="Who did it; null for the clock or a moderator.")
    claim = serializers.SerializerMethodField()
    state_from = WordField(STATES)
    state_to = serializers.ChoiceField(STATES)

    class Meta:
        model = MatchEvent
        fields = ["at", "seat", "verb", "claim", "state_from", "state_to"]

    def get_verb(self, event: MatchEvent) -> str | None:
        return event.verb if self.context["inside"] else None

    @extend_schema_field(SeatField(allow_null=True))
    def get_seat(self, event: MatchEvent) -> str | None:
        return SEATS[event.seat] if self.context["inside"] and event.seat is not None else None

    @extend_schema_field(WordField(CLAIMS))
    def get_claim(self, event: MatchEvent) -> str | None:
        return event.facts.get("claim") if self.context["inside"] else None


SEEN = "The state that you saw. If the match has left it, nothing is done."


class TextField(serializers.CharField):
    """Text, and no number in its place: DRF would take 1e400 and write `inf`."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class MoveSerializer(serializers.Serializer[Any]):
    """One move of a player."""

    verb = serializers.ChoiceField(MOVES)
    state = serializers.ChoiceField(
        STATES, help_text="The state that you saw. If the match has left it, nothing is done."
    )
    room_number = TextField(default="", allow_blank=True, help_text="For `set_room_number`.")
    claim = TextField(default="", allow_blank=True, help_text="For `declare`: `win`, `loss` or `draw`, as you see it.")


class SubmitSerializer(serializers.Serializer[Any]):
    """Handing in what was attached."""

    state = serializers.ChoiceField(
        STATES, help_text="The state that you saw. If the match has left it, nothing is done."
    )
    remark = serializers.CharField(default="", allow_blank=True)


class UploadSerializer(serializers.Serializer[Any]):
    """A screenshot on its way in."""

    picture = serializers.FileField(allow_empty_file=True, help_text="JPEG, PNG or WebP, at most 10 MB.")


MAX_ID = 2**63 - 1


class MatchQuerySerializer(serializers.Serializer[Any]):
    """Which matches."""

    player = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID, help_text="Only this player's.")
    state = serializers.ChoiceField(STATES, required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)
    mine = serializers.BooleanField(default=False, help_text="Only one's own; this needs a token with `read`.")
