"""Reports in JSON: only one's own, and no word of what came of them beyond that somebody has looked."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ratematch.api.serializers.matches import TextField
from ratematch.models import Report
from ratematch.rules.fairplay import Category
from ratematch.services.reports import TEXT_MAX

CATEGORIES = [category.value for category in Category]


class FileReportSerializer(serializers.Serializer[Any]):
    """What one reports of the opponent."""

    category = serializers.ChoiceField(CATEGORIES)
    text = TextField(max_length=TEXT_MAX, help_text="What happened.")
    pictures = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        default=list,
        max_length=20,
        help_text="Up to three screenshots, as multipart/form-data.",
    )


class ReportSerializer(serializers.ModelSerializer[Report]):
    """A report of one's own."""

    match = serializers.IntegerField(source="match_id", allow_null=True)
    line = serializers.IntegerField(source="line_id", allow_null=True, help_text="The chat line that it is about.")
    reported = serializers.IntegerField(source="reported_id", help_text="A player's id.")
    category = serializers.ChoiceField(CATEGORIES)
    closed = serializers.SerializerMethodField(help_text="Whether a moderator has looked at it.")

    class Meta:
        model = Report
        fields = ["id", "match", "line", "reported", "category", "text", "at", "closed"]

    def get_closed(self, report: Report) -> bool:
        return report.case.closed_at is not None
