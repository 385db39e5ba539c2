"""What rated matches offer to the export of a user's data: what the player did, said and handed in.

Of others only what the player could see anyway. What points add up to, and when, is nobody's to read (§4).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from accounts.hooks import Part
from accounts.models import User
from ratematch.models import ChatLine, Contest, FreeRoom, Penalty, Picture, Player, RatingChange, Report, Side

RECORD = ["rating", "wins", "losses", "draws", "streak", "best_streak", "last_rated_at"]
OWN_SIDE = ["seat", "rating", "pressed_at", "claim", "claimed_at", "reclaim", "reclaimed_at", "answer", "answered_at",
            "remark", "left_at", "result"]  # fmt: skip
OF_MATCH = ["made_at", "state", "cause", "outcome", "ending", "ended_at", "room_number"]
CHANGE = ["match", "before", "computed", "factor", "applied", "after", "at"]


def export(user: User) -> Iterator[Part]:
    """The parts of `user` as a player; nothing for whoever never was one."""
    player = Player.objects.filter(user=user).first()
    if player is None:
        return
    yield Part("ratematch/record.json", {name: getattr(player, name) for name in RECORD})
    sides = Side.objects.filter(player=player).select_related("match").prefetch_related("match__sides__player__user")
    yield Part("ratematch/matches.json", [_match(side) for side in sides.order_by("pk")])
    yield Part(
        "ratematch/ratings.json", list(RatingChange.objects.filter(player=player).order_by("pk").values(*CHANGE))
    )
    reports = Report.objects.filter(reporter=player).order_by("pk")
    yield Part("ratematch/reports.json", list(reports.values("match", "line", "category", "text", "at")))
    penalties = Penalty.objects.filter(player=player).order_by("pk")
    yield Part("ratematch/penalties.json", list(penalties.values("category", "reason", "at", "withdrawn_at")))
    yield Part("ratematch/contests.json", list(_contests(player)))
    lines = ChatLine.objects.filter(author=player).order_by("pk")
    yield Part("ratematch/chat.json", list(lines.values("match", "room", "text", "at")))
    rooms = FreeRoom.objects.filter(host=player).order_by("pk")
    yield Part("ratematch/free_matches.json", list(rooms.values("id", "title", "comment", "opened_at", "closed_at")))
    yield from _pictures(player)


def _match(side: Side) -> dict[str, Any]:
    match = side.match
    other = next(other for other in match.sides.all() if other.pk != side.pk)
    facts = {"id": match.pk, "opponent": {"id": other.player.user_id, "display_name": str(other.player)}}
    return facts | {name: getattr(match, name) for name in OF_MATCH} | {name: getattr(side, name) for name in OWN_SIDE}


def _contests(player: Player) -> Iterator[dict[str, Any]]:
    """What the player wrote to contest a result, or in answer to that."""
    seats = _seats(player)
    for row in Contest.objects.filter(match__sides__player=player).order_by("pk"):
        if row.seat == seats[row.match_id]:
            yield {"match": row.match_id, "text": row.text, "at": row.at}
        elif row.answered_at:
            yield {"match": row.match_id, "answer": row.answer, "at": row.answered_at}


def _seats(player: Player) -> dict[int, int]:
    """The player's seat in each match."""
    return dict(Side.objects.filter(player=player).values_list("match", "seat"))


def _pictures(player: Player) -> Iterator[Part]:
    seats = _seats(player)
    own = Picture.objects.filter(match__sides__player=player, status=Picture.READY).order_by("pk")
    for picture in own.iterator():
        if picture.seat == seats[picture.match_id] and picture.file.storage.exists(str(picture.file.name)):
            suffix = PurePath(str(picture.file.name)).suffix
            name = f"ratematch/pictures/match-{picture.match_id}-{picture.pk}{suffix}"
            yield Part(name, open=lambda file=picture.file: file.storage.open(file.name, "rb"))  # type: ignore[misc]
