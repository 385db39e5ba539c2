"""What the tests of the moderators' desk share: signing in, the form of a ruling, and cases of every kind."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.models import User
from accounts.tests.staff import staff_client
from ratematch.models import Case, Contest, Report
from ratematch.rules.fairplay import Category
from ratematch.rules.lifecycle import State
from ratematch.services import penalties, reports
from ratematch.tests import factories
from ratematch.tests.factories import Table

QUEUE = reverse("admin:ratematch_review")
REASON = "The top line of the history names the winner."


def signed_in(user: User) -> Client:
    """A browser of `user`, with a second factor, as the admin wants it of staff."""
    return staff_client(user)


def case_url(table: Table) -> str:
    """The page of a match."""
    return reverse("admin:ratematch_case", args=[table.id])


def page_of(case: Case) -> str:
    """The page of a report or a flag."""
    return reverse("admin:ratematch_case_change", args=[case.pk])


def player_page(player: Any) -> str:
    """A player's page in the admin."""
    return reverse("admin:ratematch_player_change", args=[player.pk])


def send(
    client: Client,
    table: Table,
    step: str,
    outcome: str = "player1",
    reason: str = REASON,
    seen: Any = "",
    penalties: tuple[str, str] = ("", ""),
) -> Any:
    """Send the form of a ruling."""
    data = {
        "step": step,
        "outcome": outcome,
        "reason": reason,
        "seen_ruling": seen,
        "penalty_0": penalties[0],
        "penalty_1": penalties[1],
    }
    return client.post(case_url(table), data)


def text_of(response: Any) -> str:
    """The page without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def stripes(seed: int) -> bytes:
    """A picture whose likeness says something."""
    image = Image.new("L", (90, 80))
    image.putdata([(x // 10 * (7 + seed) + y // 10 * (3 + seed * 5)) * 29 % 256 for y in range(80) for x in range(90)])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def reported(category: Category = Category.ABUSE, text: str = "Swore at me.", seat: int = 1) -> Case:
    """The case of a report: Player 1 of a settled match on Player 2, or with `seat` 0 the other way round."""
    return report_on(Table().to(State.SETTLED), category, text, seat=seat).case


def report_on(table: Table, category: Category = Category.ABUSE, text: str = "Swore at me.", seat: int = 1) -> Report:
    """A report of the player on `seat` by the other one."""
    return reports.report_opponent(
        match_id=table.id, actor=table.user(1 - seat), category=category, text=text, uploads=[], now=table.now
    )


def flagged() -> Case:
    """The case of a flag for leaving again and again, which has cost no points."""
    player = factories.player()
    for _time in range(4):
        table = Table(player, factories.player()).to(State.PLAYING)
        table.row.sides.filter(player=player).update(left_at=table.now)
        table.row.__class__.objects.filter(pk=table.id).update(state="void", deadline_at=None, ended_at=table.now)
        player.engagement.__class__.objects.all().delete()
    with transaction.atomic():
        penalties.note_leaving(player, table.now)
    return Case.objects.get(flag__player=player)


def flagged_by_reports() -> Case:
    """The case of a flag that three opponents' reports of one player raised, and that has cost points."""
    player = factories.player()
    for _time in range(3):
        table = Table(player, factories.player()).to(State.SETTLED)
        report_on(table, Category.FALSE_RESULT, seat=table.row.seat_of(player.user_id))
    return Case.objects.get(flag__player=player)


def contested(*, answered: bool = True) -> Table:
    """A settled match whose loser contests it, with the case that this opens."""
    table = Table().to(State.SETTLED)
    now = timezone.now()
    contest = Contest.objects.create(
        match_id=table.id,
        seat=1,
        text="My line was down.",
        at=now,
        answer_until=now + timedelta(hours=24),
        answer="They had left long before." if answered else "",
        answered_at=now if answered else None,
    )
    Case.objects.create(kind=Case.CONTEST, match_id=table.id, contest=contest, opened_at=now)
    return table
