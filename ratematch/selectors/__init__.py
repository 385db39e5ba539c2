"""Reads, shaped for a page or an answer of the API."""

from ratematch.selectors.free import Chat, RoomView, chat_of, open_rooms, room_view
from ratematch.selectors.ladder import LadderRow, LongLadder, ladder, ladder_pages, ladder_rows, place_of
from ratematch.selectors.lists import ListedMatch, listed, matches_of, open_matches
from ratematch.selectors.match import MatchView, Stake, can_answer, can_contest, can_report, match_view, stakes
from ratematch.selectors.player import CHART_MATCHES, Home, home, rating_chart, strength_bars
from ratematch.selectors.queue import ESTIMATE_NEEDS, LIMITS, Lobby, doing, lobby, waiting_count, waiting_entries

__all__ = [
    "CHART_MATCHES",
    "ESTIMATE_NEEDS",
    "LIMITS",
    "Chat",
    "Home",
    "LadderRow",
    "ListedMatch",
    "Lobby",
    "LongLadder",
    "MatchView",
    "RoomView",
    "Stake",
    "can_answer",
    "can_contest",
    "can_report",
    "chat_of",
    "doing",
    "home",
    "ladder",
    "ladder_pages",
    "ladder_rows",
    "listed",
    "lobby",
    "match_view",
    "matches_of",
    "open_matches",
    "open_rooms",
    "place_of",
    "rating_chart",
    "room_view",
    "stakes",
    "strength_bars",
    "waiting_count",
    "waiting_entries",
]
