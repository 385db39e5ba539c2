"""Addresses of the pages, under /matches/."""

from django.urls import path

from ratematch import views

app_name = "ratematch"
urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("join/", views.join, name="join"),
    path("leave/", views.leave, name="leave"),
    path("condition/", views.condition, name="condition"),
    path("history/", views.history, name="history"),
    path("ladder/", views.ladder, name="ladder"),
    path("rules/", views.rules, name="rules"),
    path("players/<int:pk>/", views.player, name="player"),
    path("<int:pk>/", views.match, name="match"),
    path("<int:pk>/move/", views.move, name="move"),
    path("<int:pk>/pictures/", views.attach, name="attach"),
    path("<int:pk>/pictures/<int:picture>/remove/", views.remove, name="remove"),
    path("<int:pk>/submit/", views.submit, name="submit"),
    path("pictures/<int:pk>/", views.picture, name="picture"),
]
