"""What moderators find beside the dispute: a report, a contest, chat, and texts to begin a reason with."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from ratematch.demo import screens
from ratematch.demo.sitting import Sitting
from ratematch.models import Match, Picture, ReasonTemplate
from ratematch.rules.lifecycle import State
from ratematch.services import cases, chat, contests, reports, screening

TEMPLATES = {
    "Picture decides": "The screenshot shows this match, its time and its result; the other side has shown nothing.",
    "No picture of this match": "Neither picture shows this match. What can't be shown can't be decided: void.",
    "Please be civil": "Keep to the game in chat. The next insult costs you the right to write.",
}

SAID = (
    (0, "よろしくお願いします"),
    (1, "hi, good luck"),
    (1, "that was my win, look at your screen"),
    (0, "こちらの画面では勝ちになっています"),
)


def talk(sitting: Sitting) -> None:
    """The two of the open dispute have said something to each other."""
    match = Match.objects.with_sides().get(pk=sitting.id)
    for number, (seat, text) in enumerate(SAID):
        at = match.made_at + timedelta(minutes=2 + number)
        chat.say_in_match(match_id=match.pk, actor=match.seats[seat].player.user, text=text, now=at)


def report(reporter: User, text: str, category: str, now: datetime) -> int:
    """`reporter` reports whom they met last; answers the case."""
    match = Match.objects.filter(state=State.SETTLED, sides__player__user=reporter).latest("pk")
    filed = reports.report_opponent(
        match_id=match.pk, actor=reporter, category=category, text=text, uploads=[], now=now
    )
    return filed.case.pk


def penalise(case: int, moderator: User, category: str, reason: str, now: datetime) -> None:
    """A moderator has seen to a report."""
    cases.decide(case_id=case, actor=moderator, verdict="penalised", category=category, reason=reason, now=now)


def contest(sitting: Sitting, loser: User, winner: User, now: datetime) -> None:
    """Who lost by silence shows that it was otherwise; the winner has yet to answer."""
    picture = screens.result(loser.display_name, winner.display_name, score="3 - 1", took="11:48", room="C31-77")
    upload = SimpleUploadedFile("result.png", picture, "image/png")
    text = "My phone lost its connection right after the game, so I could not declare. This is the final screen."
    contests.contest(match_id=sitting.id, actor=loser, text=text, uploads=[upload], now=now)
    for row in Picture.objects.filter(contest__match=sitting.id, status=Picture.NEW):
        screening.check_picture(picture_id=row.pk, now=now)


def templates() -> None:
    """Texts that moderators use again and again."""
    ReasonTemplate.objects.bulk_create(ReasonTemplate(title=title, text=text) for title, text in TEMPLATES.items())
