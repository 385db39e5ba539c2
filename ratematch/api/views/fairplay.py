"""Reports: of an opponent, and one's own list of them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import JSONParser
from ratematch.api.serializers.fairplay import FileReportSerializer, ReportSerializer
from ratematch.api.views.base import RatematchView
from ratematch.models import Report
from ratematch.services import reports


class MatchReport(RatematchView):
    """Reporting the opponent."""

    serializer_class = FileReportSerializer
    parser_classes = [MultiPartParser, JSONParser]

    @extend_schema(responses={201: ReportSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Report the other player of a match that is over. Once a match; a moderator reads it."""
        form = self.sent()
        report = reports.report_opponent(
            match_id=pk,
            actor=self.user,
            category=form["category"],
            text=form["text"],
            uploads=form["pictures"],
            now=timezone.now(),
        )
        return Response(ReportSerializer(report).data, status=201)


class ReportList(ListModelMixin, RatematchView):
    """One's own reports."""

    serializer_class = ReportSerializer
    queryset = Report.objects.none()

    def get_queryset(self) -> QuerySet[Report]:
        return Report.objects.filter(reporter__user=self.user).select_related("case")

    def get(self, request: Request) -> Response:
        """What one has reported, the newest first."""
        return self.list(request)
