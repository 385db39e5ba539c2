"""Addresses of the accounts API, below /api/v1/."""

from django.urls import path

from accounts.api import views

urlpatterns = [
    path("me", views.MeView.as_view()),
    path("users/<int:pk>", views.UserView.as_view(), name="api_user"),
    path("notices", views.NoticeList.as_view()),
    path("notices/<int:pk>/read", views.NoticeReadView.as_view()),
    path("notices/read-all", views.NoticeReadAllView.as_view()),
    path("presence", views.PresenceView.as_view()),
    path("blocks", views.BlockList.as_view()),
    path("blocks/<int:user>", views.BlockView.as_view()),
    path("events", views.EventsView.as_view()),
]
