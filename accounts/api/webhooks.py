"""The API of webhooks. Each view parses, calls one service and prints. The events themselves: docs/webhooks.md."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.models import ApiToken, WebhookDelivery, WebhookEndpoint
from accounts.services.webhooks import endpoints


class WebhookSerializer(serializers.ModelSerializer[WebhookEndpoint]):
    """Where events are sent, and which."""

    url = serializers.CharField(max_length=500, help_text="https, on the public network, port 443 or from 1024.")
    events = serializers.ListField(child=serializers.CharField(max_length=60), help_text="Kinds: docs/webhooks.md.")
    active = serializers.BooleanField(required=False, help_text="Set it to switch off, or on again.")
    disabled_for = serializers.SerializerMethodField(help_text="`owner`, `failing` or `gone`, while it is off.")

    class Meta:
        model = WebhookEndpoint
        fields = ["id", "url", "events", "active", "disabled_for", "failing_since", "made_at"]
        read_only_fields = ["failing_since", "made_at"]

    def get_disabled_for(self, endpoint: WebhookEndpoint) -> str | None:
        return endpoint.disabled_for or None


class NewWebhookSerializer(WebhookSerializer):
    """A webhook with its secret, which is shown this once."""

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]
        read_only_fields = [*WebhookSerializer.Meta.read_only_fields, "secret"]


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One event for one webhook, and what came of it."""

    status = serializers.ChoiceField([WebhookDelivery.WAITING, WebhookDelivery.DELIVERED, WebhookDelivery.FAILED])
    answer = serializers.IntegerField(allow_null=True, help_text="The HTTP status of the last try.")
    problem = serializers.CharField(allow_blank=True, help_text="Why the last try had none: a code.")

    class Meta:
        model = WebhookDelivery
        fields = ["id", "message_id", "kind", "status", "tries", "tried_at", "answer", "problem", "due_at", "at"]


class WebhookScope(ApiView):
    """What all of these need: a token that may see where a user's events go."""

    read_scope = write_scope = ApiToken.WEBHOOKS


class WebhookList(ListModelMixin, WebhookScope):
    """One's webhooks."""

    serializer_class = WebhookSerializer
    queryset = WebhookEndpoint.objects.none()

    def get_queryset(self) -> QuerySet[WebhookEndpoint]:
        return WebhookEndpoint.objects.filter(user=self.user.pk)

    def get(self, request: Request) -> Response:
        """One's webhooks, the newest first."""
        return self.list(request)

    @extend_schema(responses={201: NewWebhookSerializer})
    def post(self, request: Request) -> Response:
        """Add a webhook. Its `secret` is in this answer only."""
        wanted = self.get_serializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        endpoint = endpoints.add(actor=self.user, now=timezone.now(), **wanted.validated_data)
        return Response(NewWebhookSerializer(endpoint).data, status=201)


class WebhookView(WebhookScope):
    """One webhook."""

    serializer_class = WebhookSerializer

    def get(self, request: Request, pk: int) -> Response:
        """A webhook of one's own."""
        return Response(self.get_serializer(get_object_or_404(WebhookEndpoint, pk=pk, user=self.user)).data)

    def patch(self, request: Request, pk: int) -> Response:
        """Change it; what isn't named stays. `"active": true` switches it on again after failures."""
        wanted = self.get_serializer(data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        endpoint = endpoints.change(actor=self.user, endpoint_id=pk, now=timezone.now(), **wanted.validated_data)
        return Response(self.get_serializer(endpoint).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it, with all that is known of what was sent."""
        endpoints.remove(actor=self.user, endpoint_id=pk)
        return Response(status=204)


class WebhookRotateView(WebhookScope):
    """A webhook's secret."""

    serializer_class = NewWebhookSerializer

    @extend_schema(request=None)
    def post(self, request: Request, pk: int) -> Response:
        """Have another secret made; it is in this answer only. For a day events are signed with both."""
        return Response(self.get_serializer(endpoints.rotate(actor=self.user, endpoint_id=pk, now=timezone.now())).data)


class WebhookPingView(WebhookScope):
    """Trying a webhook out."""

    serializer_class = DeliverySerializer

    @extend_schema(request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Have an event `ping` sent; what came of it is among the deliveries."""
        delivery = endpoints.ping(actor=self.user, endpoint_id=pk, now=timezone.now())
        return Response(self.get_serializer(delivery).data, status=202)


class DeliveryList(ListModelMixin, WebhookScope):
    """What was sent to a webhook."""

    serializer_class = DeliverySerializer
    queryset = WebhookDelivery.objects.none()

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        return get_object_or_404(WebhookEndpoint, pk=self.kwargs["pk"], user=self.user).deliveries.all()

    def get(self, request: Request, pk: int) -> Response:
        """What was and is to be sent to a webhook, the newest first. Kept for 30 days."""
        return self.list(request)


class DeliveryResendView(WebhookScope):
    """One delivery."""

    serializer_class = DeliverySerializer

    @extend_schema(request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Send it again, under the same `message_id`."""
        again = endpoints.resend(actor=self.user, endpoint_id=pk, delivery_id=delivery, now=timezone.now())
        return Response(self.get_serializer(again).data, status=202)
