"""Chats, contests, and "notify me"."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import JSONParser
from common.errors import Forbidden, Missing
from ratematch import selectors
from ratematch.api.serializers.fairplay import ReportSerializer
from ratematch.api.serializers.free import (
    ChatLineSerializer,
    ContestSerializer,
    FileContestSerializer,
    SaySerializer,
    WatchSerializer,
)
from ratematch.api.views.base import RatematchView
from ratematch.models import ChatLine, Contest
from ratematch.services import chat, contests, reports, watches


class ChatBase(ListModelMixin, RatematchView):
    """A chat, for the two whose it is."""

    serializer_class = SaySerializer
    queryset = ChatLine.objects.none()

    def listed(self, lines: QuerySet[ChatLine]) -> Response:
        """The lines, the newest first."""
        page = self.paginate_queryset(lines)
        return self.get_paginated_response(ChatLineSerializer(page, many=True).data)


class MatchChat(ChatBase):
    """The chat of a match."""

    @extend_schema(responses=ChatLineSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """What the two have said, the newest first."""
        view = self.seen(pk, timezone.now())
        if not view.inside:
            raise Forbidden("not_your_match")
        return self.listed(view.match.chat.all())

    @extend_schema(responses={201: ChatLineSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Say a line to the other player."""
        line = chat.say_in_match(match_id=pk, actor=self.user, now=timezone.now(), **self.sent())
        return Response(ChatLineSerializer(line).data, status=201)


class RoomChat(ChatBase):
    """The chat of a free match."""

    @extend_schema(responses=ChatLineSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """What the two have said, the newest first."""
        view = selectors.room_view(pk, self.viewer, timezone.now())
        if view is None:
            raise Missing("no_such_room")
        if selectors.chat_of(view.room, self.viewer, view.now) is None:
            raise Forbidden("not_your_room")
        return self.listed(view.room.chat.all())

    @extend_schema(responses={201: ChatLineSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Say a line to the other."""
        line = chat.say_in_room(room_id=pk, actor=self.user, now=timezone.now(), **self.sent())
        return Response(ChatLineSerializer(line).data, status=201)


class LineReport(RatematchView):
    """Reporting a line."""

    @extend_schema(request=None, responses={201: ReportSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Report a line that the other has said; a moderator reads it."""
        report = reports.report_line(line_id=pk, actor=self.user, now=timezone.now())
        return Response(ReportSerializer(report).data, status=201)


class MatchContest(RatematchView):
    """The contest of a loss by silence."""

    serializer_class = FileContestSerializer
    parser_classes = [MultiPartParser, JSONParser]

    @extend_schema(responses=ContestSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The contest of a match, for its two players and moderators."""
        view = self.seen(pk, timezone.now())
        if not view.inside:
            raise Forbidden("not_your_match")
        return Response(ContestSerializer(_contest(pk)).data)

    @extend_schema(responses={201: ContestSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Contest a match that you lost by silence, with evidence: once, within 24 hours."""
        form = self.sent()
        row = contests.contest(
            match_id=pk, actor=self.user, text=form["text"], uploads=form["pictures"], now=timezone.now()
        )
        return Response(ContestSerializer(row).data, status=201)


class MatchContestAnswer(RatematchView):
    """The other side's answer."""

    serializer_class = FileContestSerializer
    parser_classes = [MultiPartParser, JSONParser]

    @extend_schema(responses=ContestSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Answer your opponent's contest, within 24 hours."""
        form = self.sent()
        row = contests.answer(
            match_id=pk, actor=self.user, text=form["text"], uploads=form["pictures"], now=timezone.now()
        )
        return Response(ContestSerializer(row).data)


def _contest(match_id: int) -> Contest:
    row = Contest.objects.filter(match=match_id).first()
    if row is None:
        raise Missing("no_such_contest")
    return row


class QueueWatch(RatematchView):
    """ "Notify me"."""

    @extend_schema(request=None, responses=WatchSerializer)
    def put(self, request: Request) -> Response:
        """Be told once, in the inbox, when somebody within 100 points starts to wait."""
        return Response(WatchSerializer(watches.watch(actor=self.user, now=timezone.now())).data)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Don't be told."""
        watches.unwatch(actor=self.user)
        return Response(status=204)
