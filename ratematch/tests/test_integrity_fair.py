"""`check_integrity` on levels, cases and free matches: nothing in what the services made, and each damage named."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.test import TestCase
from django.utils import timezone

from ratematch.integrity import fairness
from ratematch.models import Case, Engagement, FreeRoom, LevelChange, Player
from ratematch.services import cases, free, penalties
from ratematch.tests import factories
from ratematch.tests.test_contests import contest, rule, silent_report
from ratematch.tests.test_reports import report

CHECKS = (fairness.standings, fairness.level_changes, fairness.cases, fairness.rooms)


def found() -> list[str]:
    """What these checks find, as the command prints it."""
    now = timezone.now()
    return [f"{table} {pk}: {what}" for check in CHECKS for table, pk, what in check(now)]


class FairIntegrityTest(TestCase):
    """One site with levels, cases and rooms of every kind; each damage is done to it and taken back."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.now = now = timezone.now()
        cls.accused = factories.player()
        moderator = factories.moderator()
        filed = report(cls.accused, factories.player(), now=now)
        cases.decide(
            case_id=filed.case.pk, actor=moderator, verdict="penalised", category="matching", reason="x", now=now
        )
        cls.open_report = report(cls.accused, factories.player(), now=now)
        penalties.penalise_player(
            player_id=cls.accused.pk, actor=moderator, category="chat", reason="x", now=now - timedelta(days=1)
        )
        cls.review = factories.in_review()
        ruled = silent_report(now - timedelta(days=3))
        contest(ruled, 1)
        rule(ruled, "void", now - timedelta(days=1))
        cls.contested = silent_report(now - timedelta(hours=1))
        contest(cls.contested, 1)
        host, cls.guest = factories.player(), factories.player()
        cls.open_room = free.open_room(actor=factories.user(), title="Open", comment="", now=now)
        cls.room = free.open_room(actor=host.user, title="Joined", comment="", now=now)
        free.join_room(room_id=cls.room.pk, actor=cls.guest.user, now=now)

    def test_nothing_is_found_in_what_the_services_made(self) -> None:
        assert found() == []

    def test_points_that_have_just_expired_are_no_damage(self) -> None:
        Player.objects.filter(pk=self.accused.pk).update(level_until=self.now - timedelta(seconds=1))
        assert found() == []

    def test_each_damage_is_named(self) -> None:
        for name, damage, words in self.damages():
            with self.subTest(name):
                with transaction.atomic():
                    damage()
                    lines = found()
                    transaction.set_rollback(True)
                assert any(re.search(words, line) for line in lines), f"{words!r} isn't in {lines}"

    def damages(self) -> list[tuple[str, Callable[[], object], str]]:
        """Name, what is done, and what must then be among the lines."""
        player = Player.objects.filter(pk=self.accused.pk)
        log = LevelChange.objects.filter(player=self.accused).order_by("pk")
        others = Player.objects.filter(pk=self.guest.pk)
        review = Case.objects.filter(match=self.review.id)
        closed = {"closed_at": self.now, "verdict": "ruled"}
        rooms = FreeRoom.objects.filter(pk=self.room.pk)
        held = Engagement.objects.filter(room=self.room)
        late = timezone.now() - timedelta(minutes=30)
        return [
            ("level", lambda: player.update(level="B"), "its level is B, by its penalties C"),
            ("until", lambda: player.update(level_until=self.now + timedelta(days=90)), "its level is looked at again"),
            ("out of nothing", lambda: others.update(level="D"), "its level is D, but no change of it was logged"),
            ("log", lambda: log.filter(pk=log.last().pk).update(before="D"), "it goes on from D, but the level was"),
            (
                "log's end",
                lambda: log.last().delete(),
                "its level is C, but its log ends in|no change of it was logged",
            ),
            ("no review", lambda: review.update(**closed), "it waits for a ruling without a case"),
            (
                "nothing to rule",
                lambda: review.update(match=self.contested.id),
                "is open, but match .* doesn't wait for a ruling",
            ),
            (
                "contest closed",
                lambda: Case.objects.filter(contest__match=self.contested.id).update(**closed),
                "it is closed, but the contest of match .* has no ruling",
            ),
            (
                "contest ruled",
                lambda: Case.objects.filter(contest__ruling__isnull=False).update(closed_at=None, verdict=""),
                "it is open, but the contest of match .* has its ruling",
            ),
            ("no case", lambda: Case.objects.filter(report=self.open_report).delete(), "report .*: it has no case"),
            ("host", lambda: held.filter(player=self.room.host).delete(), "but doesn't hold its host"),
            ("guest", lambda: held.filter(player=self.guest).delete(), "but doesn't hold its guest"),
            ("somebody else", lambda: held.filter(player=self.guest).update(room=self.open_room), "who isn't in it"),
            (
                "closed",
                lambda: rooms.update(state="closed", closed_at=self.now, deadline_at=None),
                "holds the player, who isn't in it",
            ),
            ("stuck", lambda: rooms.update(deadline_at=late), "it is stuck in room"),
        ]
