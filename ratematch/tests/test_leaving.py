"""A player leaves the site: when that has to wait, what stays of the games, and that no fair-play level is shed."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, KeptForAddress, Leaving, Notice, User
from accounts.services import leaving, presence
from accounts.wording import notice_text
from ratematch.models import Engagement, LevelChange, Match, Penalty, Player, RatingChange
from ratematch.rules.fairplay import Category
from ratematch.rules.lifecycle import Outcome, State, Verb
from ratematch.services import chat, free, levels, penalties, queue, rulings
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table, in_review
from ratematch.tests.test_concurrency import at_once

pytestmark = pytest.mark.django_db


def gone(user):
    return User.objects.get(pk=user.pk).deleted_at is not None


def sign_up(email, name="Linden again"):
    fields = {"email": email, "display_name": name, "password1": "a long enough one"}
    assert Client().post("/accounts/signup/", fields).status_code == 302
    return User.objects.get(email=email)


class TestWaiting:
    def test_for_a_match_that_needs_the_player(self):
        table = Table().to(State.REPORTING)
        user = table.user(0)
        assert not leaving.ask(actor=user, now=table.now)
        assert leaving.holds(user.pk) == ["A match still needs you."]
        table.move(0, Verb.DECLARE, "win")
        table.move(1, Verb.DECLARE, "loss")
        assert leaving.carry_out_one_due(table.now + leaving.TRIED_EVERY)
        assert gone(user)
        assert not gone(table.user(1))

    def test_for_a_ruling(self):
        table = in_review()
        user = table.user(0)
        assert not leaving.ask(actor=user, now=table.now)
        assert leaving.holds(user.pk) == ["A moderator still has to rule on one of your matches."]
        chief = factories.moderator()
        rulings.rule(
            match_id=table.id, moderator=chief, outcome=Outcome.DRAW, reason="x", seen_ruling=None, now=table.now
        )
        assert leaving.carry_out_one_due(table.now)
        assert gone(user)

    def test_for_a_free_match(self):
        player = factories.player()
        free.open_room(actor=player.user, title="Anybody?", comment="", now=NOW)
        assert not leaving.ask(actor=player.user, now=NOW)
        assert leaving.holds(player.user_id) == ["You are in a free match."]

    def test_a_place_in_the_queue_is_let_go_of(self):
        player = factories.player()
        queue.join_queue(actor=player.user, condition=Engagement.ANY, now=NOW)
        assert leaving.ask(actor=player.user, now=NOW)
        assert not Engagement.objects.exists()

    def test_the_page_says_why(self):
        table = Table()
        client = Client()
        client.force_login(table.user(0))
        client.post("/accounts/reauthenticate/", {"password": "password"})
        assert "A match still needs you." in client.get(reverse("delete_account")).content.decode()
        page = client.post(reverse("delete_account"), follow=True).content.decode()
        assert "A match still needs you." in page
        assert "Keep my account" in page
        assert Leaving.objects.get().user == table.user(0)


class TestWhatStays:
    def test_games_and_ratings_under_another_name(self, client):
        table = Table(factories.player("Linden"), factories.player("Quarry8")).to(State.SETTLED)
        seat = next(side.seat for side in table.row.seats if str(side.player) == "Linden")
        user, other = table.user(seat), table.user(1 - seat)
        rows = RatingChange.objects.count()
        assert any("Linden" in notice_text(notice) for notice in Notice.objects.filter(user=other))
        assert leaving.ask(actor=user, now=table.now)
        assert RatingChange.objects.count() == rows
        assert Match.objects.get().state == State.SETTLED
        client.force_login(other)
        pages = [reverse("ratematch:match", args=[table.id]), "/inbox/", table.player(1 - seat).get_absolute_url()]
        for page in pages:
            text = client.get(page).content.decode()
            assert (page, "Linden" in text, "Deleted player" in text) == (page, False, True)
        assert client.get(table.player(seat).get_absolute_url()).status_code == 200

    def test_a_name_goes_from_what_a_free_match_and_its_chat_told(self):
        host, guest = factories.player("Linden"), factories.player("Maple")
        room = free.open_room(actor=host.user, title="Warm up", comment="", now=NOW)
        free.join_room(room_id=room.pk, actor=guest.user, now=NOW)
        presence.touch(host.user_id, active=True, now=NOW)
        later = NOW + timedelta(minutes=10)
        chat.say_in_room(room_id=room.pk, actor=guest.user, text="Hello", now=later)
        free.make_move(room_id=room.pk, actor=guest.user, verb="close_room", seen="room", now=later)
        told = Notice.objects.filter(user=host.user)
        assert {notice.kind for notice in told if "Maple" in notice_text(notice)} >= {
            "ratematch.room_joined",
            "ratematch.chat",
        }
        leaving.ask(actor=guest.user, now=later)
        assert not any("Maple" in notice_text(notice) for notice in told.all())

    def test_nobody_is_blocked_by_or_blocks_who_is_gone(self):
        one, two = factories.player(), factories.player()
        Block.objects.create(user=one.user, blocked=two.user)
        leaving.ask(actor=two.user, now=NOW)
        assert not Block.objects.exists()


class TestLevels:
    @pytest.fixture
    def bad(self):
        """A player at level C, since two weeks ago."""
        player, now = factories.player("Linden"), timezone.now()
        for _time in range(2):
            penalties.penalise(player, Category.FALSE_RESULT, now=now - timedelta(days=14))
        player.refresh_from_db()
        assert player.level == "C"
        return player

    def test_who_comes_back_has_it_again(self, bad):
        address, until = bad.user.email, Penalty.objects.first().expires_at
        leaving.ask(actor=bad.user, now=timezone.now())
        assert address not in str(list(KeptForAddress.objects.values()))
        back = Player.objects.get(user=sign_up(address))
        assert (back.level, back.level_until, back.rating) == ("C", until, 1200)
        assert LevelChange.objects.get(player=back).cause == LevelChange.RETURN
        assert levels.current(back, until).level == "A"

    def test_who_leaves_again_sheds_nothing_and_gets_it_once(self, bad):
        address = bad.user.email
        leaving.ask(actor=bad.user, now=timezone.now())
        leaving.ask(actor=sign_up(address), now=timezone.now())
        third = Player.objects.get(user=sign_up(address))
        assert (third.level, third.penalties.count(), KeptForAddress.objects.count()) == ("C", 2, 1)

    def test_somebody_else_gets_nothing(self, bad):
        leaving.ask(actor=bad.user, now=timezone.now())
        assert not Player.objects.filter(user=sign_up("somebody.else@example.org")).exists()

    def test_what_has_expired_is_not_kept(self, bad):
        address = bad.user.email
        leaving.ask(actor=bad.user, now=timezone.now() + timedelta(days=20))
        assert not KeptForAddress.objects.exists()
        assert not Player.objects.filter(user=sign_up(address)).exists()

    def test_who_changes_to_the_address_gets_it_and_who_leaves_an_address_leaves_it_there(self, bad):
        old = bad.user.email
        leaving.ask(actor=bad.user, now=timezone.now())
        fresh = factories.player("fresh")
        EmailAddress.objects.create(user=fresh.user, email=fresh.user.email, verified=True, primary=True)
        first_address = fresh.user.email
        change_address(fresh.user, old)
        fresh.refresh_from_db()
        assert (fresh.level, User.objects.get(pk=fresh.user_id).email) == ("C", old)
        change_address(fresh.user, "third@example.org")
        change_address(fresh.user, old)
        assert fresh.penalties.count() == 2  # once, however often
        assert not Player.objects.filter(user=sign_up(first_address)).exists()


def change_address(user, address):
    """On the page, and by the link in the mail."""
    client = Client()
    client.force_login(user)
    mail.outbox.clear()
    client.post("/accounts/email/", {"email": address, "action_add": ""})
    link = next(line for line in mail.outbox[-1].body.splitlines() if "confirm-email" in line)
    client.post(link.split("testserver")[1])
    assert User.objects.get(pk=user.pk).email == address
    user.refresh_from_db()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_who_leaves_while_being_paired_is_in_a_match_or_gone():
    for _round in range(5):
        one, two = factories.player(), factories.player()
        for player in (one, two):
            presence.touch(player.user_id, active=True, now=NOW)
            Engagement.objects.create(player=player, expires_at=NOW + timedelta(minutes=9), joined_at=NOW)
        results = at_once(lambda: queue.pair_waiting(NOW), lambda who=one: leaving.ask(actor=who.user, now=NOW))
        assert not any(isinstance(result, Exception) for result in results), results
        paired = Engagement.objects.filter(player=one, match__isnull=False).exists()
        assert paired is not gone(one.user)
        Engagement.objects.all().delete()
