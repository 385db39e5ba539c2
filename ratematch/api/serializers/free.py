"""Free matches and chats in JSON."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ratematch.api.serializers.matches import TextField
from ratematch.models import ChatLine, Contest, FreeRoom, Player, Watch
from ratematch.policies import can_moderate
from ratematch.rules.free import RoomState, RoomVerb
from ratematch.selectors import RoomView

ROOM_STATES = [state.value for state in RoomState]
ROOM_VERBS = [verb.value for verb in RoomVerb]
ROLES = ["host", "guest"]


class RoomPlayerSerializer(serializers.ModelSerializer[Player]):
    """Somebody in a room."""

    display_name = serializers.CharField(source="user.display_name")

    class Meta:
        model = Player
        fields = ["id", "display_name", "rating"]


class RoomSerializer(serializers.ModelSerializer[FreeRoom]):
    """A room that waits for somebody, as everybody may see it."""

    host = RoomPlayerSerializer()
    state = serializers.ChoiceField(ROOM_STATES)

    class Meta:
        model = FreeRoom
        fields = ["id", "title", "comment", "state", "host", "opened_at"]


class OpenRoomSerializer(serializers.Serializer[Any]):
    """Opening a room."""

    title = TextField()
    comment = TextField(default="", allow_blank=True)


class RoomInsideSerializer(serializers.Serializer[RoomView]):
    """What only the two see."""

    you = serializers.ChoiceField(ROLES, source="role", allow_null=True, help_text="Null for a moderator.")
    guest = RoomPlayerSerializer(source="room.guest", allow_null=True)
    room_number = serializers.CharField(source="room.room_number", allow_blank=True)
    joined_at = serializers.DateTimeField(source="room.joined_at", allow_null=True)
    playing_at = serializers.DateTimeField(source="room.playing_at", allow_null=True)
    closed_at = serializers.DateTimeField(source="room.closed_at", allow_null=True)
    deadline_at = serializers.DateTimeField(source="room.deadline_at", allow_null=True)
    possible = serializers.ListField(
        child=serializers.ChoiceField(ROOM_VERBS), help_text="Moves that one can make now."
    )


class RoomDetailSerializer(RoomSerializer):
    """A room as the viewer may see it. The context has the `view`."""

    inside = serializers.SerializerMethodField(help_text="Null for all but the two and moderators.")

    class Meta(RoomSerializer.Meta):
        fields = [*RoomSerializer.Meta.fields, "inside"]

    @extend_schema_field(RoomInsideSerializer(allow_null=True))
    def get_inside(self, room: FreeRoom) -> Any:
        view = self.context["view"]
        return RoomInsideSerializer(view).data if view.role or can_moderate(view.viewer) else None


class RoomMoveSerializer(serializers.Serializer[Any]):
    """One move in a room."""

    verb = serializers.ChoiceField(ROOM_VERBS)
    state = serializers.ChoiceField(
        ROOM_STATES, help_text="The state that you saw. If the room has left it, nothing is done."
    )
    room_number = TextField(default="", allow_blank=True, help_text="For `set_room_number`.")


class SaySerializer(serializers.Serializer[Any]):
    """A line on its way."""

    text = TextField()


class ChatLineSerializer(serializers.ModelSerializer[ChatLine]):
    """One line. `text` is null for one that a moderator has hidden."""

    author = serializers.IntegerField(source="author_id", help_text="A player's id.")
    text = serializers.SerializerMethodField()

    class Meta:
        model = ChatLine
        fields = ["id", "author", "text", "at"]

    def get_text(self, line: ChatLine) -> str | None:
        return None if line.hidden_at else line.text


class ContestSerializer(serializers.ModelSerializer[Contest]):
    """A contest of a match's result, for the two."""

    by = serializers.SerializerMethodField(help_text="The seat that contests.")
    answer = serializers.SerializerMethodField()
    ruled = serializers.SerializerMethodField(help_text="Whether a moderator has ruled on it.")

    class Meta:
        model = Contest
        fields = ["by", "text", "at", "answer", "answered_at", "answer_until", "ruled"]

    @extend_schema_field(serializers.ChoiceField(["player1", "player2"]))
    def get_by(self, contest: Contest) -> str:
        return f"player{contest.seat + 1}"

    def get_answer(self, contest: Contest) -> str | None:
        return contest.answer or None

    def get_ruled(self, contest: Contest) -> bool:
        return contest.ruling_id is not None


class FileContestSerializer(serializers.Serializer[Any]):
    """A contest, or the answer to one."""

    text = TextField()
    pictures = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        default=list,
        max_length=20,
        help_text="Up to three screenshots, as multipart/form-data; a contest needs one.",
    )


class WatchSerializer(serializers.ModelSerializer[Watch]):
    """That one is told once when somebody suitable starts to wait."""

    class Meta:
        model = Watch
        fields = ["since", "until"]
