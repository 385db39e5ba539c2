"""Addresses of the pages, under /matches/."""

from django.urls import path

from ratematch.views import chat, contest, fairplay, free, lists, match, phone, queue

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
    path("free/", free.rooms, name="free"),
    path("free/<int:pk>/", free.room, name="free_room"),
    path("free/<int:pk>/join/", free.join, name="free_join"),
    path("free/<int:pk>/move/", free.move, name="free_move"),
    path("free/<int:pk>/chat/", chat.in_room, name="room_chat"),
    path("watch/", queue.watch, name="watch"),
    path("chat/<int:pk>/report/", chat.report_line, name="report_line"),
    path("upload/<str:token>/", phone.upload, name="phone_upload"),
    path("<int:pk>/chat/", chat.in_match, name="match_chat"),
    path("<int:pk>/contest/", contest.contest, name="contest"),
    path("<int:pk>/phone/", phone.code, name="phone"),
    path("<int:pk>/report/", fairplay.report, name="report"),
    path("<int:pk>/submit/", match.submit, name="submit"),
    path("pictures/<int:pk>/", match.picture, name="picture"),
]
