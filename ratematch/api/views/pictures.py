"""Screenshots: attach, take back, look at."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from common.errors import Forbidden
from ratematch.api.serializers.matches import PictureSerializer, UploadSerializer, seen_pictures
from ratematch.api.views.base import RatematchView
from ratematch.downloads import CONTENT_TYPES, picture_response
from ratematch.models import Picture
from ratematch.policies import can_look_inside
from ratematch.services import evidence


class MatchPictures(RatematchView):
    """The screenshots of a match."""

    serializer_class = UploadSerializer
    parser_classes = [MultiPartParser]
    pagination_class = None  # type: ignore[assignment]  # DRF's way to say: all at once
    queryset = Picture.objects.none()

    @extend_schema(responses=PictureSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """One's own screenshots, and what the opponent has handed in."""
        view = self.seen(pk, timezone.now())
        if not can_look_inside(view.match, view.viewer):
            raise Forbidden("not_your_match")
        return Response(PictureSerializer(seen_pictures(view), many=True).data)

    @extend_schema(responses={201: PictureSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Attach a screenshot. It is checked in the background: look at its `status`, then submit."""
        upload = self.sent()["picture"]
        picture = evidence.attach_picture(match_id=pk, actor=self.user, upload=upload, now=timezone.now())
        return Response(PictureSerializer(picture).data, status=201)


class MatchPicture(RatematchView):
    """One screenshot of a match."""

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, pk: int, picture: int) -> Response:
        """Take a screenshot back that hasn't been handed in."""
        evidence.remove_picture(match_id=pk, actor=self.user, picture_id=picture, now=timezone.now())
        return Response(status=204)


class PictureFile(RatematchView):
    """A screenshot itself."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, Any]:
        """Whoever accepts only pictures still gets one, and a refusal in JSON."""
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(responses={(200, content_type): OpenApiTypes.BINARY for content_type in CONTENT_TYPES.values()})
    def get(self, request: Request, pk: int) -> FileResponse:
        """The picture, for the two players and moderators."""
        return picture_response(evidence.picture_for(picture_id=pk, viewer=self.user))
