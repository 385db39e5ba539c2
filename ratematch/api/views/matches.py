"""Matches: lists, one match, its moves and its log."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import CursorPages
from accounts.models import ApiToken
from common.errors import Forbidden
from ratematch.api.serializers.matches import (
    MatchEventSerializer,
    MatchQuerySerializer,
    MoveSerializer,
    RatedMatchDetailSerializer,
    RatedMatchSerializer,
    SubmitSerializer,
)
from ratematch.api.views.base import RatematchView
from ratematch.models import Match, MatchEvent
from ratematch.rules.lifecycle import Verb
from ratematch.services import deadlines, evidence, play


class MatchList(ListModelMixin, RatematchView):
    """Matches."""

    public = True
    serializer_class = RatedMatchSerializer
    queryset = Match.objects.none()

    def get_queryset(self) -> QuerySet[Match]:
        query = MatchQuerySerializer(data=self.request.query_params.dict())
        query.is_valid(raise_exception=True)
        wanted = query.validated_data
        matches = Match.objects.with_sides().prefetch_related("rating_changes")
        if wanted["mine"]:
            matches = matches.filter(sides__player__user=self._reader(timezone.now()))
        if "player" in wanted:
            matches = matches.filter(sides__player=wanted["player"])
        return matches.filter(**{name: wanted[name] for name in ("state", "outcome") if name in wanted})

    def _reader(self, now: datetime) -> int:
        """The user whose matches are asked for, their clocks applied where they have run out."""
        if not self.request.user.is_authenticated:
            raise NotAuthenticated
        if self.viewer.pk is None:
            raise Forbidden("scope_missing", scope=ApiToken.READ)
        deadlines.settle_all_of(self.viewer.pk, now)
        return self.viewer.pk

    @extend_schema(parameters=[MatchQuerySerializer])
    def get(self, request: Request) -> Response:
        """Matches, the newest first, with what everybody may know of them."""
        return self.list(request)


class MatchDetail(RatematchView):
    """One match."""

    public = True
    serializer_class = RatedMatchDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        """A match as you may see it: `inside` is for its two players, with a token that has `read`, and moderators."""
        return Response(self.shown(pk, timezone.now()))


class MatchMoves(RatematchView):
    """The moves of a match."""

    serializer_class = MoveSerializer

    @extend_schema(responses=RatedMatchDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Make a move; answers the match as it then stands. `inside.possible` says which moves there are."""
        move = self.sent()
        verb, now = Verb(move["verb"]), timezone.now()
        value = move["room_number"] if verb is Verb.SET_ROOM else move["claim"]
        play.make_move(match_id=pk, actor=self.user, verb=verb, seen=move["state"], value=value, now=now)
        return Response(self.shown(pk, now))


class MatchSubmit(RatematchView):
    """Handing in evidence."""

    serializer_class = SubmitSerializer

    @extend_schema(responses=RatedMatchDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Hand in the attached screenshots. While one is still being checked, the press counts from now."""
        form, now = self.sent(), timezone.now()
        evidence.submit(match_id=pk, actor=self.user, seen=form["state"], remark=form["remark"], now=now)
        return Response(self.shown(pk, now))


class EventPages(CursorPages):
    """In the order in which things happened."""

    ordering = "pk"


class MatchEvents(ListModelMixin, RatematchView):
    """The log of a match."""

    public = True
    serializer_class = MatchEventSerializer
    pagination_class = EventPages
    queryset = MatchEvent.objects.none()

    def get(self, request: Request, pk: int) -> Response:
        """What happened in a match, the oldest first, as you may see it."""
        view = self.seen(pk, timezone.now())
        context = {"inside": view.inside}
        page = self.paginate_queryset(view.visible_events)
        return self.get_paginated_response(MatchEventSerializer(page, many=True, context=context).data)
