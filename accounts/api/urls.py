"""Addresses of the accounts API, below /api/v1/."""

from django.urls import path

from accounts.api import views, webhooks

urlpatterns = [
    path("me", views.MeView.as_view()),
    path("users/<int:pk>", views.UserView.as_view(), name="api_user"),
    path("notices", views.NoticeList.as_view()),
    path("notices/<int:pk>/read", views.NoticeReadView.as_view()),
    path("notices/read-all", views.NoticeReadAllView.as_view()),
    path("presence", views.PresenceView.as_view()),
    path("blocks", views.BlockList.as_view()),
    path("blocks/<int:user>", views.BlockView.as_view()),
    path("notifications", views.NotificationList.as_view()),
    path("notifications/<slug:group>", views.NotificationView.as_view()),
    path("webhooks", webhooks.WebhookList.as_view()),
    path("webhooks/<int:pk>", webhooks.WebhookView.as_view()),
    path("webhooks/<int:pk>/secret", webhooks.WebhookRotateView.as_view()),
    path("webhooks/<int:pk>/ping", webhooks.WebhookPingView.as_view()),
    path("webhooks/<int:pk>/deliveries", webhooks.DeliveryList.as_view()),
    path("webhooks/<int:pk>/deliveries/<int:delivery>/resend", webhooks.DeliveryResendView.as_view()),
    path("events", views.EventsView.as_view()),
]
