"""Addresses of the pages, under /matches/."""

from django.urls import path

from ratematch.views import fairplay, lists, match, queue

app_name = "ratematch"
urlpatterns = [
    path("", queue.lobby, name="lobby"),
    path("join/", queue.join, name="join"),
    path("leave/", queue.leave, name="leave"),
    path("condition/", queue.condition, name="condition"),
    path("history/", lists.history, name="history"),
    path("ladder/", lists.ladder, name="ladder"),
    path("rules/", lists.rules, name="rules"),
    path("fair-play/", fairplay.fair_play, name="fair_play"),
    path("players/<int:pk>/", lists.player, name="player"),
    path("<int:pk>/", match.match, name="match"),
    path("<int:pk>/move/", match.move, name="move"),
    path("<int:pk>/pictures/", match.attach, name="attach"),
    path("<int:pk>/pictures/<int:picture>/remove/", match.remove, name="remove"),
    path("<int:pk>/report/", fairplay.report, name="report"),
    path("<int:pk>/submit/", match.submit, name="submit"),
    path("pictures/<int:pk>/", match.picture, name="picture"),
]
