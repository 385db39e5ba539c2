"""The queue: wait, change the condition, leave."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from ratematch.api.serializers.queue import QueueConditionSerializer, QueueSerializer
from ratematch.api.views.base import RatematchView
from ratematch.models import Engagement, Player
from ratematch.selectors import lobby
from ratematch.services import deadlines, queue


class QueueView(RatematchView):
    """The queue, and one's own place in it."""

    serializer_class = QueueConditionSerializer

    @extend_schema(responses=QueueSerializer)
    def get(self, request: Request) -> Response:
        """Whether one waits, since when, and who else does."""
        now = timezone.now()
        if match := self._match():
            deadlines.settle(match, now)
        return self._answer_now(now)

    @extend_schema(responses={201: QueueSerializer})
    def post(self, request: Request) -> Response:
        """Start to wait. If somebody suits, the match is made at once: `match` is its id, and `Location` its address.

        Say every few seconds that you are here (`POST /presence`): an entry whose player is gone leaves the queue.
        """
        now = timezone.now()
        queue.join_queue(actor=self.user, condition=self.sent()["condition"], now=now)
        return self._answer_now(now, status=201)

    @extend_schema(responses=QueueSerializer)
    def patch(self, request: Request) -> Response:
        """Wait under another condition; the time waited so far counts on."""
        now = timezone.now()
        queue.change_condition(actor=self.user, condition=self.sent()["condition"], now=now)
        return self._answer_now(now)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Stop waiting."""
        queue.leave_queue(actor=self.user, now=timezone.now())
        return Response(status=204)

    def _match(self) -> int | None:
        engaged = Engagement.objects.filter(player__user=self.user.pk, match__isnull=False)
        return engaged.values_list("match_id", flat=True).first()

    def _answer_now(self, now: datetime, status: int = 200) -> Response:
        player = Player.objects.filter(user=self.user.pk).first()
        match = self._match()
        headers = {"Location": reverse("api_ratematch_match", args=[match])} if match and status == 201 else None
        body = QueueSerializer(lobby(player, now), context={"match": match}).data
        return Response(body, status=status, headers=headers)
