"""The tables of rated and free matches. What must never happen is made impossible here, by constraints."""

from ratematch.models.cases import Case, CaseLook, CaseQuerySet, Contest, ReasonTemplate
from ratematch.models.engagements import Engagement
from ratematch.models.evidence import Picture, picture_path, private_storage
from ratematch.models.fairplay import CATEGORY_NAMES, FairPlayPolicy, Flag, LevelChange, Penalty, Report
from ratematch.models.free import ChatLine, FreeRoom, Mute, Watch
from ratematch.models.matches import Match, MatchEvent, MatchQuerySet, Ruling, Side
from ratematch.models.players import Player, RatingChange

__all__ = [
    "CATEGORY_NAMES",
    "Case",
    "CaseLook",
    "CaseQuerySet",
    "ChatLine",
    "Contest",
    "Engagement",
    "FairPlayPolicy",
    "Flag",
    "FreeRoom",
    "LevelChange",
    "Match",
    "MatchEvent",
    "MatchQuerySet",
    "Mute",
    "Penalty",
    "Picture",
    "Player",
    "RatingChange",
    "ReasonTemplate",
    "Report",
    "Ruling",
    "Side",
    "Watch",
    "picture_path",
    "private_storage",
]
