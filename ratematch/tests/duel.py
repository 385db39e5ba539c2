"""Two players in two browsers, for tests. Time moves by moving stored deadlines."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.services import presence
from ratematch.models import Match, Player, Side
from ratematch.tasks import sweep
from ratematch.tests import factories


class Duel:
    """Two players in two browsers. `one` is Player 1's page, `two` Player 2's."""

    def __init__(self, visit, rating_one=1500, rating_two=1500, **options):
        players = [
            factories.player(name, rating) for name, rating in (("kawasemi", rating_one), ("tobira-04", rating_two))
        ]
        pages = {}
        for player in players:
            page = visit(player.user, **options).new_page()
            page.goto("/matches/")
            page.click("button:has-text('Find an opponent')")
            pages[player.pk] = page
        for page in pages.values():
            page.wait_for_url("**/matches/*/")
        self.id = Match.objects.get().pk
        self.one, self.two = (pages[side.player_id] for side in Side.objects.filter(match=self.id).order_by("seat"))

    @property
    def row(self):
        return Match.objects.with_sides().get(pk=self.id)

    def rating(self, seat):
        return Player.objects.get(pk=self.row.seats[seat].player_id).rating

    def meet(self, number="K7-204"):
        self.one.fill("#room", number)
        self.one.click("button:has-text('Send the number')")
        self.two.click("button:has-text('Enter room')")
        for page in (self.one, self.two):
            heading(page, "The game is on")

    def report(self, first, second=None):
        first.click("button:has-text('Report the result')")
        first.click("dialog[open] button[value=go]")
        first.wait_for_selector(".acts")
        if second:
            self.join_report(second)

    def join_report(self, page):
        heading(page, "says that the game is over")
        page.click("button:has-text('Report the result')")
        page.wait_for_selector(".acts")

    def time_runs_out(self):
        """The stored deadline passes, and the worker's next sweep sees it."""
        for side in self.row.seats:
            presence.touch(side.player.user_id, active=True, now=timezone.now())
        Match.objects.filter(pk=self.id).update(deadline_at=timezone.now() - timedelta(seconds=1))
        sweep.delay()


def heading(page, text):
    page.wait_for_selector(f'h1:has-text("{text}")')


def claim(page, text):
    page.click(f".act:has-text('{text}')")
