"""The API of accounts. Each view parses, calls one service and prints."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.api.serializers import (
    BlockSerializer,
    MeSerializer,
    NoticeQuerySerializer,
    NoticeSerializer,
    NotificationChoiceSerializer,
    PresenceSerializer,
    UserSerializer,
)
from accounts.models import ApiToken, Block, Notice, User
from accounts.services import blocks, notices, notifications, presence, profile
from common.errors import Refusal


class MeView(ApiView):
    """The user whose token it is."""

    read_scope, write_scope = ApiToken.READ, ApiToken.PLAY
    serializer_class = MeSerializer

    def get(self, request: Request) -> Response:
        """Oneself, with settings."""
        return Response(self.get_serializer(self.user).data)

    def patch(self, request: Request) -> Response:
        """Change settings; what isn't named stays."""
        form = self.get_serializer(self.user, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        user = profile.change_settings(user_id=self.user.pk, **form.validated_data)
        return Response(self.get_serializer(user).data)


class UserView(ApiView):
    """Somebody."""

    public = True
    serializer_class = UserSerializer

    def get(self, request: Request, pk: int) -> Response:
        """A user's name, when they joined, and whether they are here."""
        return Response(self.get_serializer(get_object_or_404(User, pk=pk, is_active=True)).data)


class NoticeList(ListModelMixin, ApiView):
    """The inbox."""

    read_scope = ApiToken.READ
    serializer_class = NoticeSerializer
    queryset = Notice.objects.none()

    def get_queryset(self) -> QuerySet[Notice]:
        query = NoticeQuerySerializer(data=self.request.query_params.dict())
        query.is_valid(raise_exception=True)
        own = Notice.objects.filter(user=self.user.pk)
        unread = query.validated_data.get("unread")
        return own if unread is None else own.filter(read_at__isnull=unread)

    @extend_schema(parameters=[NoticeQuerySerializer])
    def get(self, request: Request) -> Response:
        """One's notices, the newest first."""
        return self.list(request)


class NoticeReadView(ApiView):
    """One notice."""

    write_scope = ApiToken.PLAY
    serializer_class = NoticeSerializer

    @extend_schema(request=None)
    def post(self, request: Request, pk: int) -> Response:
        """Mark a notice as read."""
        notice = notices.mark_read(actor=self.user, notice_id=pk, now=timezone.now())
        return Response(self.get_serializer(notice).data)


class NoticeReadAllView(ApiView):
    """All notices."""

    write_scope = ApiToken.PLAY

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Mark every notice as read."""
        notices.mark_all_read(actor=self.user, now=timezone.now())
        return Response(status=204)


class PresenceView(ApiView):
    """Being here."""

    write_scope = ApiToken.PLAY
    serializer_class = PresenceSerializer

    @extend_schema(responses={204: None})
    def post(self, request: Request) -> Response:
        """Say that one is here. Whoever says nothing for 45 seconds is away, and leaves the queue."""
        form = self.get_serializer(data=request.data)
        form.is_valid(raise_exception=True)
        presence.touch(self.user.pk, active=form.validated_data["active"], now=timezone.now())
        return Response(status=204)


class BlockList(ListModelMixin, ApiView):
    """Whom one has blocked."""

    read_scope, write_scope = ApiToken.READ, ApiToken.PLAY
    serializer_class = BlockSerializer
    queryset = Block.objects.none()

    def get_queryset(self) -> QuerySet[Block]:
        return Block.objects.filter(user=self.user.pk).select_related("blocked")

    def get(self, request: Request) -> Response:
        """The users whom one has blocked, the latest first."""
        return self.list(request)

    @extend_schema(responses={201: BlockSerializer})
    def post(self, request: Request) -> Response:
        """Block a user: you two aren't paired any more. A match that runs goes on."""
        form = self.get_serializer(data=request.data)
        form.is_valid(raise_exception=True)
        row = blocks.block(actor=self.user, user_id=form.validated_data["blocked_id"])
        return Response(self.get_serializer(row).data, status=201)


class BlockView(ApiView):
    """One block."""

    write_scope = ApiToken.PLAY

    @extend_schema(responses={204: None})
    def delete(self, request: Request, user: int) -> Response:
        """Take a block back; that there was none is no error."""
        blocks.unblock(actor=self.user, user_id=user)
        return Response(status=204)


class NotificationList(ApiView):
    """What is also sent out of the site."""

    read_scope = ApiToken.READ
    serializer_class = NotificationChoiceSerializer
    pagination_class = None  # type: ignore[assignment]  # as many as there are groups
    filter_backends: list[Any] = []

    @extend_schema(responses=NotificationChoiceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """For each group of notices, whether it also comes by e-mail and browser push."""
        return Response(self.get_serializer(notifications.choices_of(self.user.pk), many=True).data)


class NotificationView(ApiView):
    """One group of notices."""

    write_scope = ApiToken.PLAY
    serializer_class = NotificationChoiceSerializer

    def put(self, request: Request, group: str) -> Response:
        """Choose how notices of a group also come. Which browsers show them is chosen in each browser."""
        form = self.get_serializer(data=request.data)
        form.is_valid(raise_exception=True)
        choice = notifications.Choice(group, **form.validated_data)
        notifications.choose(actor=self.user, choices=[choice])
        return Response(self.get_serializer(choice).data)


class StreamElsewhere(Refusal):
    """Asked of a process that serves pages, not streams (HTTP 501)."""

    status = 501


class EventsView(ApiView):
    """The event stream: here only its description, since streams have a server of their own."""

    read_scope = ApiToken.READ

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                OpenApiTypes.STR,
                OpenApiParameter.HEADER,
                description="The last id that you have; what came since is sent first, or one event `resync`.",
            )
        ],
        responses={(200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, description="Server-sent events.")},
    )
    def get(self, request: Request) -> Response:
        """What changes, as server-sent events: ids and a verb, such as `match` with `{"id": 12}`.

        Fetch what an event names to see how it is now. After `resync` look at everything again.
        """
        raise StreamElsewhere("stream_elsewhere")
