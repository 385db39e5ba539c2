"""`check_integrity` finds nothing in what the services have made, and names each damage that is done on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.db.models import F
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratematch.integrity import CHECKS
from ratematch.models import (
    Engagement,
    Match,
    MatchEvent,
    Picture,
    Player,
    RatingChange,
    Ruling,
    Side,
    private_storage,
)
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import queue, rulings
from ratematch.tests import factories


def found() -> list[str]:
    """What all checks find, as the command prints it."""
    now = timezone.now()
    return [f"{table} {pk}: {what}" for check in CHECKS.values() for table, pk, what in check(now)]


class IntegrityTest(TestCase):
    """One site with matches of every kind; each damage is done to it and taken back."""

    settled: Match
    overturned: Match
    void: Match
    playing: Match
    abandoned: Match

    @classmethod
    def setUpTestData(cls) -> None:
        now = timezone.now()
        cls.players = [factories.player(rating=1200) for _ in range(12)]
        cls.settled = factories.Table(*cls.players[:2]).to(State.SETTLED).row
        review = factories.in_review(1200, 1200)
        moderator = factories.user(is_staff=True, is_superuser=True)
        for outcome in ("player1", "player2", "draw"):
            last = Ruling.objects.values_list("pk", flat=True).last()
            rulings.rule(
                match_id=review.id, moderator=moderator, outcome=outcome, reason="r", seen_ruling=last, now=now
            )
        cls.overturned, cls.moderator = review.row, moderator
        left = factories.Table(*cls.players[2:4])
        left.move(0, Verb.LEAVE, after_s=130)
        cls.void = left.row
        cls.playing = factories.Table(*cls.players[4:6], now=now).to(State.PLAYING).row
        cls.abandoned = factories.Table(*cls.players[8:10], now=now).to(State.ABANDONED).row
        cls.in_review = factories.in_review(1200, 1200).row
        queue.join_queue(actor=cls.players[6].user, condition=Engagement.ANY, now=now)

    def test_nothing_is_found_in_what_the_services_made(self) -> None:
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
        row = RatingChange.objects.filter(match=self.settled, applied__gt=0).get()
        fixed = RatingChange.objects.filter(match=self.overturned, corrects__isnull=False).first()
        first = RatingChange.objects.filter(match=self.overturned, corrects=None).first()
        assert fixed is not None
        again = RatingChange.objects.get(match=self.overturned, player=fixed.player, ruling__outcome="draw")
        assert first is not None
        ruling = Ruling.objects.latest("pk")
        winner, side = row.player, Side.objects.get(match=self.settled, player=row.player)
        picture = Picture.objects.filter(match=self.in_review).first()
        assert picture is not None
        events = MatchEvent.objects.filter(match=self.settled)
        late = timezone.now() - timedelta(minutes=30)

        def on(model: object, **columns: object) -> Callable[[], object]:
            return lambda: type(model)._default_manager.filter(pk=model.pk).update(**columns)  # type: ignore[attr-defined]

        def moved() -> None:
            columns = {"before": 1200, "computed": 16, "applied": 16, "after": 1216, "result": 1}
            RatingChange.objects.create(match=self.abandoned, player=self.players[8], **columns)

        player, change = f"player {winner.pk}: ", f"ratingchange {row.pk}: "
        return [
            ("rating", on(winner, rating=1300), player + "the rating is 1300, but its history ends at 1216"),
            ("no history", on(self.players[7], rating=1500), "the rating is 1500 without any history"),
            ("before", on(row, before=F("before") + 5, after=F("after") + 5), change + "it begins at 1205"),
            ("sum", on(row, computed=17), change + "1200 and 17 don't come to 1216"),
            ("stake", on(row, computed=17, applied=17, after=1217), change + "the change is 17, by the rules it is 16"),
            ("factor", on(row, factor=Decimal("0.5")), change + "the change is 16, by the rules it is 8"),
            ("odd factor", on(row, factor=Decimal("0.7")), change + "its factor is 0.7"),
            ("result", on(row, result=None), change + "the change is 16, by the rules it is 0"),
            ("whose", on(row, player=self.players[7]), change + "match .* isn't one of player"),
            ("correction", on(fixed, computed=F("computed") + 1), f"ratingchange {fixed.pk}: the correction is"),
            ("its factor", on(fixed, factor=Decimal("0.5")), f"ratingchange {fixed.pk}: its factor is 0.5"),
            ("its ruling", on(fixed, ruling=None), f"ratingchange {fixed.pk}: it corrects without a ruling"),
            ("corrects", on(first, corrects=row), f"ratingchange {first.pk}: it corrects, but is its"),
            ("first row", on(again, corrects=fixed), f"ratingchange {again.pk}: it corrects row {fixed.pk} and not"),
            ("wins", on(winner, wins=2), player + "wins is 2, by the matches 1"),
            ("losses", on(winner, losses=2), player + "losses is 2, by the matches 0"),
            ("draws", on(winner, draws=2), player + "draws is 2"),
            ("streak", on(winner, streak=0), player + "streak is 0, by the matches 1"),
            ("best", on(winner, best_streak=3), player + "best is 3, by the matches 1"),
            ("recent", on(winner, recent="l"), player + "recent is 'l', by the matches 'w'"),
            ("last", on(winner, last_rated_at=timezone.now()), player + "last_rated_at"),
            ("unplayed", on(self.players[7], wins=1), "it has a record without any match"),
            ("sides", lambda: self.playing.sides.filter(seat=1).delete(), "it has 1 sides, not 2"),
            ("outcome", on(self.settled, outcome="void"), "it is settled with the outcome 'void'"),
            ("void", on(self.void, outcome="draw"), "it is void with the outcome 'draw'"),
            ("ending", on(self.settled, ending=""), "it is settled with the ending ''"),
            ("side's result", on(side, result="loss"), f"side {side.pk}: its result is 'loss'"),
            ("turned", on(self.settled, outcome="draw"), f"side {side.pk}: its result is 'win', by the outcome"),
            ("unmoved", on(row, match=self.playing), f"side {side.pk}: match .* has moved no rating"),
            ("too early", moved, "it moved a rating for .* which hasn't ended"),
            ("other result", on(row, result=Decimal("0.5")), change + "it is for 0.5, but the side's result is 'win'"),
            ("no first", on(first, corrects=fixed), "has moved this side's rating 0 times"),
            ("not held", self.playing.engagements.all().delete, "needs player .*, but nothing holds"),
            ("held", lambda: self.playing.sides.update(needed=False), "holds the player, but doesn't need them"),
            (
                "held elsewhere",
                lambda: self.playing.engagements.update(match=self.settled),
                "holds the player, but doesn't need them",
            ),
            ("needs", lambda: self.void.sides.update(needed=True), "it needs 2 players in void"),
            ("needs one", lambda: self.abandoned.sides.update(needed=True), "it needs 2 players in abandoned"),
            ("stuck", on(self.playing, deadline_at=late), "it is stuck in playing: its clock ran out at"),
            ("waits", lambda: Engagement.objects.waiting().update(expires_at=late), "the player still waits"),
            (
                "log",
                lambda: events.filter(verb="enter_room").delete(),
                "it goes on from 'playing', but match .* was in",
            ),
            ("log's end", lambda: events.order_by("-pk")[0].delete(), "it is settled, but its log ends in reporting"),
            ("no log", lambda: events.all().delete(), "it has no log"),
            ("ruling", on(ruling, outcome="player1"), f"ruling {ruling.pk}: it says player1, match .* draw"),
            ("ruling gone", on(self.settled, ending="ruled"), "it was ended by a ruling that isn't there"),
            (
                "replaced",
                on(ruling, match=self.settled),
                f"ruling {ruling.pk}: it replaces .*, the one before it is None",
            ),
            ("own match", on(ruling, moderator=winner.user, match=self.settled), "the moderator is one of the two"),
            ("elsewhere", on(row, ruling=ruling), f"ratingchange {row.pk}: ruling {ruling.pk} is on another match"),
            ("measures", on(picture, sha256=""), "it was checked, but file or measures are missing"),
            ("reason", on(picture, status="refused"), "a refusal and its reason don't go together"),
            ("unchecked", on(picture, status="new", received_at=late), "it has waited for its check since"),
            ("nothing shown", lambda: self.in_review.pictures.all().delete(), "it has handed in nothing"),
            ("file", on(picture, file="evidence/gone.png"), "its file evidence/gone.png isn't there"),
        ]

    def test_a_lost_file_is_found(self) -> None:
        picture = Picture.objects.filter(match=self.overturned).first()
        assert picture is not None
        kept = picture.file.read()
        private_storage().delete(str(picture.file.name))
        assert [line.partition(": ")[0] for line in found()] == [f"ratematch_picture {picture.pk}"]
        private_storage().save(str(picture.file.name), ContentFile(kept))

    def test_a_late_write_of_an_earlier_end_is_no_damage(self) -> None:
        """The sweep's time is that of its start, so a match may be written after one that ended later."""
        Engagement.objects.waiting().delete()
        one, now = self.players[10], timezone.now()
        ended_at = factories.Table(one, self.players[11], now=now).to(State.SETTLED).row.ended_at
        drawn = factories.Table(one, self.players[3], now=now).to(State.REPORTING)
        drawn.move(0, Verb.DECLARE, "draw")
        drawn.move(1, Verb.DECLARE, "draw")
        assert ended_at is not None
        Match.objects.filter(pk=drawn.id).update(ended_at=ended_at - timedelta(seconds=3))
        Player.objects.filter(sides__match=drawn.id).update(last_rated_at=ended_at - timedelta(seconds=3))
        assert found() == []

    def test_more_matches_make_no_more_queries(self) -> None:
        with CaptureQueriesContext(connection) as before:
            found()
        Engagement.objects.waiting().delete()
        for one, two in (self.players[0:3:2], self.players[1:4:2]):
            factories.Table(one, two).to(State.SETTLED)
        with self.assertNumQueries(len(before)):
            found()
