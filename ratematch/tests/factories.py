"""Players and matches for tests. Matches are made the way the site makes them, by the services."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from accounts.models import User
from accounts.services import presence
from ratematch.models import Engagement, Match, Player, Side
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import evidence, play, queue, screening

NOW = datetime(2026, 6, 13, 20, 51, 30, tzinfo=UTC)
_numbers = count(1)


def user(name: str = "", **fields: Any) -> User:
    """A user whose page is open."""
    number = next(_numbers)
    name = name or f"player-{number}"
    made = User.objects.create_user(f"{number}@example.org", name, "password", **fields)
    presence.touch(made.pk, active=True, now=NOW)
    return made


def player(name: str = "", rating: int = 1500, **fields: Any) -> Player:
    """A player; `fields` are the player's columns."""
    return Player.objects.create(user=user(name), rating=rating, **fields)


def moderator(name: str = "") -> User:
    """A user who may rule on matches."""
    made = user(name, is_staff=True)
    made.user_permissions.add(Permission.objects.get(codename="rule_match"))
    return made


def chief(name: str = "") -> User:
    """A moderator who may overturn, change the policy and appoint others."""
    made = moderator(name)
    templates = [f"{verb}_reasontemplate" for verb in ("view", "add", "change", "delete")]
    codenames = ("overturn_match", "change_fairplaypolicy", "view_fairplaypolicy", "appoint_moderators", *templates)
    made.user_permissions.add(*Permission.objects.filter(codename__in=codenames))
    return made


def match(one: Player | None = None, two: Player | None = None, *, now: datetime = NOW) -> Match:
    """A match in ROOM, by way of the queue. Seats are random, as they are on the site."""
    one, two = one or player(), two or player()
    for each in (one, two):
        presence.touch(each.user_id, active=True, now=now)
        queue.join_queue(actor=each.user, condition=Engagement.ANY, now=now)
    return Match.objects.with_sides().get(engagements__player=one)


class Table:
    """A match with both its players, and time that moves when it is told to."""

    def __init__(self, one: Player | None = None, two: Player | None = None, *, now: datetime = NOW) -> None:
        self.now = now
        self.id = match(one, two, now=now).pk

    @property
    def row(self) -> Match:
        return Match.objects.with_sides().get(pk=self.id)

    def user(self, seat: int) -> User:
        return self.row.seats[seat].player.user

    def player(self, seat: int) -> Player:
        return Player.objects.get(pk=self.row.seats[seat].player_id)

    def move(self, seat: int, verb: Verb, value: str = "", *, seen: str = "", after_s: float = 1) -> Match:
        """One move by a seat, `after_s` seconds later, from a page that shows the present state."""
        self.now += timedelta(seconds=after_s)
        return play.make_move(
            match_id=self.id, actor=self.user(seat), verb=verb, seen=seen or self.row.state, now=self.now, value=value
        )

    def to(self, state: State) -> Table:
        """Move on to a state by the shortest way."""
        steps: dict[State, list[tuple[Any, ...]]] = {
            State.ROOM: [],
            State.PLAYING: [(0, Verb.SET_ROOM, "K7-204"), (1, Verb.ENTER)],
        }
        steps[State.ABANDONED] = [*steps[State.PLAYING], (1, Verb.LEAVE)]
        steps[State.REPORTING] = [*steps[State.PLAYING], (0, Verb.REPORT), (1, Verb.REPORT)]
        dispute = [(0, Verb.DECLARE, "win"), (1, Verb.DECLARE, "win")]
        steps[State.RECONFIRM] = [*steps[State.REPORTING], *dispute]
        steps[State.EVIDENCE] = [*steps[State.RECONFIRM], *dispute]
        steps[State.SETTLED] = [*steps[State.REPORTING], (0, Verb.DECLARE, "win"), (1, Verb.DECLARE, "loss")]
        for step in steps[state]:
            self.move(*step)
        return self


def in_review(one: int = 1500, two: int = 1500, *, pictures: tuple[bytes, bytes] | None = None) -> Table:
    """A match in REVIEW, whose seats have these ratings, with a picture from each side."""
    table = Table(player(rating=one), player(rating=two))
    for seat, rating in enumerate((one, two)):
        side = table.row.seats[seat]
        Player.objects.filter(pk=side.player_id).update(rating=rating)
        Side.objects.filter(pk=side.pk).update(rating=rating)
    table.to(State.EVIDENCE)
    for seat, picture in enumerate(pictures or (png(), png())):
        attached = evidence.attach_picture(
            match_id=table.id, actor=table.user(seat), upload=upload(picture), now=table.now
        )
        screening.check_picture(picture_id=attached.pk, now=table.now)
        evidence.submit(match_id=table.id, actor=table.user(seat), seen="evidence", now=table.now)
    assert table.row.state == State.REVIEW
    return table


def png(size: tuple[int, int] = (640, 360), colour: str = "#224466") -> bytes:
    """A small real PNG."""
    return _encoded(Image.new("RGB", size, colour), "PNG")


def jpeg(size: tuple[int, int] = (640, 360), colour: str = "#664422") -> bytes:
    """A small real JPEG."""
    return _encoded(Image.new("RGB", size, colour), "JPEG")


def _encoded(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def upload(data: bytes, name: str = "shot.png", content_type: str = "image/png") -> SimpleUploadedFile:
    """A file as a form hands it in."""
    return SimpleUploadedFile(name, data, content_type)
