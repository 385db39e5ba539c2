"""The demo data: what a stranger finds on a fresh site must hold together like anything else."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import TestCase, override_settings
from django.utils import timezone

from accounts.models import Notice, User
from accounts.services import heartbeat, presence
from ratematch.demo import people
from ratematch.models import Case, Engagement, Match, MatchEvent, Picture, Player, RatingChange, Ruling, Side
from ratematch.policies import can_moderate
from ratematch.rules import elo
from ratematch.rules.lifecycle import Ending, State

TABLES = (User, Notice, Player, Match, Side, MatchEvent, RatingChange, Ruling, Picture, Engagement)
LEFT_OUT = {Ending.NEVER_REPORTED}
"""Three hours of nothing would push the evening's other matches into the night."""


def run(*args: str) -> str:
    said = StringIO()
    call_command("demo", *args, stdout=said)
    return said.getvalue()


def rows() -> list[int]:
    return [table.objects.count() for table in TABLES]


@pytest.mark.once
class DemoTest(TestCase):
    """Loaded once for all; each test looks at it."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.said = run()

    def test_it_says_how_to_sign_in(self) -> None:
        for name in ("kawasemi", people.MODERATOR, people.ADMIN):
            email = f"{name}@demo.invalid"
            assert email in self.said
            assert User.objects.get(email=email).check_password(people.PASSWORD)
        assert people.PASSWORD in self.said

    def test_a_second_run_changes_nothing(self) -> None:
        before = rows()
        assert "there already" in run()
        assert rows() == before

    def test_all_that_must_hold_holds(self) -> None:
        call_command("check_integrity", stdout=StringIO())

    def test_every_rating_is_the_end_of_its_history(self) -> None:
        for player in Player.objects.all():
            changes = list(player.rating_changes.order_by("pk"))
            assert len(changes) >= 10
            assert changes[0].before == elo.INITIAL
            assert [row.before for row in changes[1:]] == [row.after for row in changes[:-1]]
            assert [row.at for row in changes] == sorted(row.at for row in changes)
            assert player.rating == changes[-1].after

    def test_every_record_is_the_sum_of_its_results(self) -> None:
        for player in Player.objects.all():
            results = list(player.sides.values_list("result", flat=True))
            counted = [results.count(word) for word in ("win", "loss", "draw")]
            assert [player.wins, player.losses, player.draws] == counted

    def test_the_ladder_is_alive(self) -> None:
        ratings = sorted(Player.objects.values_list("rating", flat=True))
        assert len(ratings) == len(people.PEOPLE)
        assert ratings[-1] - ratings[0] > 100

    def test_every_way_to_end_occurs(self) -> None:
        seen = set(Match.objects.exclude(ending="").values_list("ending", flat=True))
        assert seen == set(Ending) - LEFT_OUT
        assert Ruling.objects.filter(match__rating_changes__corrects__isnull=False).exists()

    def test_nobody_is_held_or_online(self) -> None:
        assert not Engagement.objects.exists()
        assert not Match.objects.filter(deadline_at__isnull=False).exists()
        assert not presence.online_ids(timezone.now())

    def test_one_case_waits_with_both_screenshots(self) -> None:
        case = Match.objects.with_sides().get(state=State.REVIEW)
        assert {str(side.player) for side in case.seats} == {"nagi_hare", "Quarry8"}
        assert case.chat.count() == 4
        pictures = list(case.pictures.all())
        assert [picture.status for picture in pictures] == [Picture.READY] * 2
        assert {picture.file.name[-4:] for picture in pictures} == {".png", ".jpg"}
        moderator = User.objects.get(display_name=people.MODERATOR)
        assert can_moderate(moderator)
        assert not moderator.is_superuser

    def test_cases_of_each_kind_wait(self) -> None:
        waiting = Case.objects.open().values_list("kind", flat=True)
        assert {"review", "report", "contest"} <= set(waiting)

    def test_only_kawasemi_has_something_to_read(self) -> None:
        unread = Notice.objects.filter(read_at=None).values_list("user__display_name", "kind")
        assert sorted(unread) == [
            ("kawasemi", "ratematch.contested"),
            ("kawasemi", "ratematch.ended"),
            ("kawasemi", "ratematch.queue_dropped"),
            ("kawasemi", "ratematch.ruled"),
        ]


@pytest.mark.django_db
@override_settings(SETTINGS_MODULE="config.settings.production")
def test_it_keeps_off_real_sites() -> None:
    with pytest.raises(CommandError, match="real site"):
        run()
    assert rows() == [0] * len(TABLES)


@pytest.mark.django_db
def test_it_waits_for_the_worker_to_stop() -> None:
    heartbeat.beat(heartbeat.WORKER, timezone.now() - timedelta(seconds=3))
    with pytest.raises(CommandError, match="worker"):
        run()
    assert rows() == [0] * len(TABLES)
