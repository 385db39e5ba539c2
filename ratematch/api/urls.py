"""Addresses of the API of rated matches, below /api/v1/ratematch/."""

from django.urls import path

from ratematch.api.views import fairplay, free, matches, pictures, players, queue, talk

urlpatterns = [
    path("queue", queue.QueueView.as_view()),
    path("matches", matches.MatchList.as_view()),
    path("matches/<int:pk>", matches.MatchDetail.as_view(), name="api_ratematch_match"),
    path("matches/<int:pk>/moves", matches.MatchMoves.as_view()),
    path("matches/<int:pk>/submit", matches.MatchSubmit.as_view()),
    path("matches/<int:pk>/events", matches.MatchEvents.as_view()),
    path("matches/<int:pk>/pictures", pictures.MatchPictures.as_view()),
    path("matches/<int:pk>/pictures/<int:picture>", pictures.MatchPicture.as_view()),
    path("matches/<int:pk>/report", fairplay.MatchReport.as_view()),
    path("matches/<int:pk>/chat", talk.MatchChat.as_view()),
    path("matches/<int:pk>/contest", talk.MatchContest.as_view()),
    path("matches/<int:pk>/contest/answer", talk.MatchContestAnswer.as_view()),
    path("queue/watch", talk.QueueWatch.as_view()),
    path("free-rooms", free.RoomList.as_view()),
    path("free-rooms/<int:pk>", free.RoomDetail.as_view(), name="api_free_room"),
    path("free-rooms/<int:pk>/join", free.RoomJoin.as_view()),
    path("free-rooms/<int:pk>/moves", free.RoomMoves.as_view()),
    path("free-rooms/<int:pk>/chat", talk.RoomChat.as_view()),
    path("chat-lines/<int:pk>/report", talk.LineReport.as_view()),
    path("reports", fairplay.ReportList.as_view()),
    path("pictures/<int:pk>", pictures.PictureFile.as_view()),
    path("ladder", players.Ladder.as_view()),
    path("players/me", players.OwnPlayer.as_view()),
    path("players/<int:pk>", players.PlayerDetail.as_view()),
    path("players/<int:pk>/ratings", players.PlayerRatings.as_view()),
]
