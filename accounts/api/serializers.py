"""How accounts look in JSON."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Block, Notice, Presence, User
from accounts.services.notifications import GROUPS
from accounts.wording import notice_text


class MeSerializer(serializers.ModelSerializer[User]):
    """Oneself, with what nobody else sees."""

    joined = serializers.DateTimeField(source="date_joined", read_only=True)
    unread_notices = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = ["id", "display_name", "email", "language", "time_zone", "theme", "sound", "joined", "unread_notices"]
        read_only_fields = ["email"]

    def get_unread_notices(self, user: User) -> int:
        return Notice.objects.filter(user=user, read_at=None).count()


class UserSerializer(serializers.ModelSerializer[User]):
    """A user as everybody sees one."""

    joined = serializers.DateTimeField(source="date_joined", read_only=True)
    presence = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = ["id", "display_name", "joined", "presence"]

    @extend_schema_field(serializers.ChoiceField(choices=["online", "idle", "away"]))
    def get_presence(self, user: User) -> str:
        seen = Presence.objects.filter(user=user).first()
        return seen.state(timezone.now()) if seen else "away"


class NoticeQuerySerializer(serializers.Serializer[Any]):
    """Which notices."""

    unread = serializers.BooleanField(required=False, help_text="Only unread ones, or only read ones.")


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """A notice and what it says, in the reader's language."""

    text = serializers.SerializerMethodField()
    facts: Any = serializers.DictField(source="words", read_only=True)

    class Meta:
        model = Notice
        fields = ["id", "kind", "text", "facts", "url", "at", "read_at"]

    def get_text(self, notice: Notice) -> str:
        return notice_text(notice)


class BlockSerializer(serializers.ModelSerializer[Block]):
    """Whom one has blocked."""

    user = serializers.IntegerField(source="blocked_id", min_value=1, help_text="The blocked user's id.")
    display_name = serializers.CharField(source="blocked.display_name", read_only=True)

    class Meta:
        model = Block
        fields = ["user", "display_name", "at"]
        read_only_fields = ["at"]


class PresenceSerializer(serializers.Serializer[Any]):
    """Whether the user just did something, or the program only says that it is there."""

    active = serializers.BooleanField(default=True)


class NotificationChoiceSerializer(serializers.Serializer[Any]):
    """Which notices of a group are also sent out of the site."""

    group = serializers.ChoiceField(choices=list(GROUPS), read_only=True)
    email = serializers.BooleanField(help_text="By e-mail, to a confirmed address, unless a page is open.")
    push = serializers.BooleanField(help_text="On the browsers that were let in the settings, unless a page is open.")
