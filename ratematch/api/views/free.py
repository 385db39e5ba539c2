"""Free matches, chats, contests, and "notify me"."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from common.errors import Missing
from ratematch import selectors
from ratematch.api.serializers.free import (
    OpenRoomSerializer,
    RoomDetailSerializer,
    RoomMoveSerializer,
    RoomSerializer,
)
from ratematch.api.views.base import RatematchView
from ratematch.models import FreeRoom
from ratematch.services import free


class RoomBase(RatematchView):
    """A view of one room."""

    def room_answer(self, room_id: int, status: int = 200, **headers: str) -> Response:
        """The room in JSON, as the viewer may see it."""
        now = timezone.now()
        free.settle(room_id, now)
        view = selectors.room_view(room_id, self.viewer, now)
        if view is None:
            raise Missing("no_such_room")
        return Response(RoomDetailSerializer(view.room, context={"view": view}).data, status=status, headers=headers)


class RoomList(ListModelMixin, RoomBase):
    """Rooms of free matches."""

    public = True
    serializer_class = OpenRoomSerializer
    queryset = FreeRoom.objects.none()

    @extend_schema(responses=RoomSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Rooms that wait for somebody, the newest first."""
        page = self.paginate_queryset(selectors.open_rooms(self.viewer))
        return self.get_paginated_response(RoomSerializer(page, many=True).data)

    @extend_schema(responses={201: RoomDetailSerializer})
    def post(self, request: Request) -> Response:
        """Open a room and wait there. Say every few seconds that you are here (`POST /presence`)."""
        room = free.open_room(actor=self.user, now=timezone.now(), **self.sent())
        return self.room_answer(room.pk, 201, Location=reverse("api_free_room", args=[room.pk]))


class RoomDetail(RoomBase):
    """One room."""

    public = True
    serializer_class = RoomDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        """A room as you may see it; one that somebody has joined is between the two."""
        return self.room_answer(pk)


class RoomJoin(RoomBase):
    """Joining."""

    @extend_schema(request=None, responses=RoomDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Take the other place in a room."""
        free.join_room(room_id=pk, actor=self.user, now=timezone.now())
        return self.room_answer(pk)


class RoomMoves(RoomBase):
    """The moves in a room."""

    serializer_class = RoomMoveSerializer

    @extend_schema(responses=RoomDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Make a move; answers the room as it then stands. `inside.possible` says which moves there are."""
        move = self.sent()
        free.make_move(
            room_id=pk,
            actor=self.user,
            verb=move["verb"],
            seen=move["state"],
            now=timezone.now(),
            value=move["room_number"],
        )
        return self.room_answer(pk)
