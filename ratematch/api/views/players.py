"""The ladder, players and their rating histories."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import CursorPages
from accounts.models import is_shown
from common.errors import Missing
from ratematch.api.serializers.players import (
    LadderQuerySerializer,
    LadderRowSerializer,
    OwnRatedPlayerSerializer,
    RatedPlayerSerializer,
    RatingChangeSerializer,
)
from ratematch.api.views.base import RatematchView
from ratematch.models import Player, RatingChange
from ratematch.selectors import ladder, ladder_rows, place_of
from ratematch.services import levels


class LadderPages(CursorPages):
    """By rating. A cursor counts how many of one rating are behind it, and half the ladder may stand at the floor."""

    ordering = ("-rating", "pk")  # type: ignore[assignment]  # DRF takes several
    offset_max = 1_000_000


class Ladder(ListModelMixin, RatematchView):
    """The ladder."""

    public = True
    serializer_class = LadderRowSerializer
    pagination_class = LadderPages
    queryset = Player.objects.none()

    @extend_schema(parameters=[LadderQuerySerializer])
    def get(self, request: Request) -> Response:
        """Players by rating."""
        query = LadderQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        name, days, now = query.validated_data["q"], query.validated_data["within_days"], timezone.now()
        page = self.paginate_queryset(ladder(now, name=name, within_days=days).select_related("user")) or []
        placed = bool(page) and not name
        first = place_of(page[0], now, within_days=days) if placed else None
        rows = ladder_rows(page, first or 1, self.viewer, now)
        return self.get_paginated_response(LadderRowSerializer(rows, many=True, context={"placed": placed}).data)


def _player(**which: int) -> Player:
    player = Player.objects.select_related("user").filter(is_shown("user__"), **which).first()
    if player is None:
        raise Missing("no_such_player")
    return player


class PlayerDetail(RatematchView):
    """A player."""

    public = True
    serializer_class = RatedPlayerSerializer

    def get(self, request: Request, pk: int) -> Response:
        """A player's rating, place and record."""
        return Response(RatedPlayerSerializer(_player(pk=pk), context={"now": timezone.now()}).data)


class OwnPlayer(RatematchView):
    """Oneself as a player."""

    serializer_class = OwnRatedPlayerSerializer

    def get(self, request: Request) -> Response:
        """Oneself as a player, as soon as one has queued for the first time."""
        levels.settle(self.user, timezone.now())
        return Response(OwnRatedPlayerSerializer(_player(user=self.user.pk), context={"now": timezone.now()}).data)


class PlayerRatings(ListModelMixin, RatematchView):
    """The history of a rating."""

    public = True
    serializer_class = RatingChangeSerializer
    queryset = RatingChange.objects.none()

    def get(self, request: Request, pk: int) -> Response:
        """Every change of a player's rating, the newest first."""
        player = _player(pk=pk)
        context = {"own": player.user_id == self.viewer.pk}
        page = self.paginate_queryset(RatingChange.objects.filter(player=player))
        return self.get_paginated_response(RatingChangeSerializer(page, many=True, context=context).data)
