"""Whole matches, played in two real browsers, with a real worker; a third browser rules. Time moves by moving stored
deadlines."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from celery.contrib.testing.worker import start_worker
from django.urls import reverse
from django.utils import timezone

from accounts.services import presence
from ratematch.models import Match, Picture, Player, Side
from ratematch.rules.lifecycle import Ending, Outcome, State
from ratematch.tasks import sweep
from ratematch.tests import factories
from testing.accessibility import sideways, small_targets, violations

pytestmark = pytest.mark.browser


@pytest.fixture
def worker(live_site):
    """A real Celery worker on the real broker."""
    with start_worker(current_app, perform_ping_check=False, shutdown_timeout=20):
        yield


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


def test_agreed_match_from_queue_to_rating(visit, worker):
    duel = Duel(visit, 1600, 1600)
    duel.one.fill("#room", "K7 204")
    duel.one.click("button:has-text('Send the number')")
    duel.one.wait_for_selector("#room-e")
    assert duel.one.input_value("#room") == "K7 204"  # what was typed stays
    duel.one.fill("#room", "K7-204")
    duel.one.click("button:has-text('Send the number')")
    duel.two.wait_for_selector("#room-number:has-text('K7-204')")
    duel.two.click("button:has-text('The room number is wrong')")
    duel.one.wait_for_selector("text=said that the room number is wrong")
    duel.one.fill("#room", "K7-205")
    duel.one.click("button:has-text('Correct the number')")
    duel.two.wait_for_selector("#room-number:has-text('K7-205')")
    duel.two.click("button:has-text('Enter room')")
    heading(duel.one, "The game is on")
    duel.report(duel.one, duel.two)
    claim(duel.one, "I won")
    duel.two.wait_for_selector(".act:has-text('Agrees with them')")
    claim(duel.two, "I lost")
    heading(duel.one, "You won")
    heading(duel.two, "You lost")
    assert "+16" in duel.one.inner_text(".big-move")
    assert duel.one.title().startswith("○ You won")
    assert [duel.rating(seat) for seat in (0, 1)] == [1616, 1584]


def test_disputed_match_is_ruled_by_a_third(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.report(duel.one, duel.two)
    for _again in (1, 2):
        claim(duel.one, "I won")
        duel.two.wait_for_selector(".claim:has-text('They won')")
        claim(duel.two, "I won")
        if _again == 1:
            for page in (duel.one, duel.two):
                heading(page, "Your claims differ")
    for page, data, name in ((duel.one, factories.png(), "a.png"), (duel.two, factories.jpeg(), "b.jpg")):
        heading(page, "Show how it ended")
        page.set_input_files("#picture", {"name": name, "mimeType": "image/png", "buffer": data})
        page.fill("#remark", "The top row")
        page.click("button:has-text('Hand in as evidence')")
        page.wait_for_selector("h1:has-text('Waiting for'), h1:has-text('A moderator decides')")
    for page in (duel.one, duel.two):
        heading(page, "A moderator decides")
    moderator = factories.moderator("kunugi")
    desk = visit(moderator).new_page()
    desk.goto(reverse("admin:ratematch_review"))
    desk.click(f"a[href='{reverse('admin:ratematch_case', args=[duel.id])}']")
    desk.wait_for_selector("[name=reason]")
    assert desk.locator("img").count() >= 2
    assert desk.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    desk.check("[name=outcome][value=player2]")
    desk.click("button:has-text('Check the ruling')")
    assert "reason" in desk.inner_text("main .err")
    desk.fill("[name=reason]", "The history row shows that Player 2 won.")
    desk.click("button:has-text('Check the ruling')")
    desk.click("button:has-text('Rule')")
    heading(duel.one, "You lost")
    heading(duel.two, "You won")
    assert "The history row shows" in duel.one.inner_text("main")
    assert (duel.row.outcome, duel.row.ending) == (Outcome.PLAYER2, Ending.RULED)
    assert [duel.rating(seat) for seat in (0, 1)] == [1484, 1516]


def test_opponent_who_never_answers(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.report(duel.one)
    duel.time_runs_out()
    heading(duel.one, "Prove the result")
    heading(duel.two, "Have you a screenshot?")
    duel.one.set_input_files("#picture", {"name": "a.png", "mimeType": "image/png", "buffer": factories.png()})
    duel.one.click("button:has-text('Hand in as evidence')")
    heading(duel.one, "Waiting for")
    duel.one.goto("/matches/")  # free to queue at once
    duel.one.click("button:has-text('Find an opponent')")
    heading(duel.one, "Looking for an opponent")
    duel.time_runs_out()
    heading(duel.two, "A moderator decides")
    assert duel.row.state == State.REVIEW


def test_opponent_who_falls_silent_after_the_claim(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.report(duel.one, duel.two)
    claim(duel.one, "I won")
    duel.two.wait_for_selector("text=At zero their claim stands")
    assert "−16" in duel.two.inner_text(".then")
    duel.time_runs_out()
    heading(duel.two, "You lost")
    assert duel.row.ending == Ending.SILENT_REPORT
    assert "didn't declare in time" in duel.one.inner_text("main")


def test_opponent_who_leaves_during_play(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.two.click("button:has-text('Leave match')")
    duel.two.click("dialog[open] button[value=stay]")
    duel.two.click("button:has-text('Leave match')")
    duel.two.click("dialog[open] button[value=go]")
    heading(duel.one, "has left the match")
    duel.one.click("button:has-text('Leave match')")
    duel.one.click("dialog[open] button[value=go]")
    for page in (duel.one, duel.two):
        heading(page, "This match is void")
    assert duel.row.ending == Ending.NOT_FINISHED


def test_room_that_nobody_enters_and_leaving_in_time(visit, worker):
    duel = Duel(visit)
    assert duel.one.is_visible("text=Leaving opens in")
    assert not duel.one.is_visible("button:has-text('Leave match')")
    Match.objects.filter(pk=duel.id).update(made_at=timezone.now() - timedelta(minutes=2))
    duel.one.reload()
    duel.one.click("button:has-text('Leave match')")
    duel.one.click("dialog[open] button[value=go]")
    heading(duel.two, "This match is void")


def test_late_click_says_how_the_match_stands_now(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.report(duel.one, duel.two)
    claim(duel.one, "I won")
    duel.two.wait_for_selector(".act:has-text('Agrees with them')")
    duel.two.context.set_offline(True)
    duel.time_runs_out()
    heading(duel.one, "You won")
    duel.two.context.set_offline(False)
    claim(duel.two, "I lost") if duel.two.is_visible(".act") else None
    heading(duel.two, "You lost")


def refresh(page):
    """Have the page fetch itself again, as it does every 20 s, and wait until it has."""
    page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("htmx:afterRequest", ({detail}) =>
                detail.requestConfig.path.startsWith("/matches/") && setTimeout(done));
            document.body.dispatchEvent(new CustomEvent("live:resync", {bubbles: true}));
        })"""
    )


def test_refresh_keeps_what_is_begun(visit, worker):
    duel = Duel(visit)
    duel.meet()
    page = duel.one
    page.click("summary:has-text('Attach screenshots in advance')")
    page.set_input_files("#picture", {"name": "a.png", "mimeType": "image/png", "buffer": factories.png()})
    page.focus("#picture")
    page.evaluate("document.querySelector('#match').dataset.old = ''")
    refresh(page)
    assert not page.locator("#match[data-old]").count()
    assert page.evaluate("[document.activeElement.id, picture.files[0].name]") == ["picture", "a.png"]
    assert page.is_visible("#picture")
    page.focus("button:has-text('Leave match')")
    refresh(page)
    assert "Leave match" in page.evaluate("document.activeElement.textContent")
    duel.report(duel.two)
    heading(page, "says that the game is over")
    page.click("button:has-text('Report the result')")
    page.wait_for_selector(".acts")
    page.click("#match form.form button:has-text('Attach')")
    page.wait_for_selector(".pics .evi")
    assert Picture.objects.get().seat == 0
    page.click("summary:has-text('Attach screenshots in advance')")
    refresh(page)
    assert not page.is_visible(".pics .evi")  # closed by hand stays closed


def test_refresh_waits_for_an_input_method(visit, worker):
    page = Duel(visit).one
    page.evaluate("document.querySelector('#match').dataset.old = ''")
    page.focus("#room")
    page.dispatch_event("#room", "compositionstart")
    refresh(page)
    assert page.locator("#match[data-old]").count()
    page.dispatch_event("#room", "compositionend")
    page.wait_for_selector("#match:not([data-old])")
    assert page.evaluate("document.activeElement.id") == "room"


def test_refresh_waits_for_the_answer_to_a_press(visit, worker):
    page = Duel(visit).one
    held = []
    page.route("**/move/", lambda route: held.append(route))  # playwright marks the function
    page.fill("#room", "K7 204")
    with page.expect_request("**/move/"):
        page.click("button:has-text('Send the number')")
    refresh(page)
    held[0].continue_()
    page.wait_for_selector("#room-e")  # a refresh in between would have lost the refusal


def test_question_stays_open_while_the_opponent_moves(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.one.click("button:has-text('Leave match')")
    with duel.one.expect_response(lambda answer: answer.request.resource_type == "xhr"):
        duel.report(duel.two)
    refresh(duel.one)
    assert duel.one.is_visible("dialog[open]")
    duel.one.click("dialog[open] button[value=go]")
    duel.one.wait_for_selector(".notice-error")
    heading(duel.one, "says that the game is over")
    assert duel.row.state == State.REPORTING


def test_question_that_is_answered_no_lets_the_refresh_through(visit, worker):
    duel = Duel(visit)
    duel.meet()
    duel.one.click("button:has-text('Leave match')")
    with duel.one.expect_response(lambda answer: answer.request.resource_type == "xhr"):
        duel.report(duel.two)
    duel.one.press("dialog[open]", "Escape")
    heading(duel.one, "says that the game is over")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_looks_of_every_state(visit, worker, width, scheme):
    duel = Duel(visit, viewport={"width": width, "height": 800}, color_scheme=scheme)
    found = []

    def look(where):
        for page in (duel.one, duel.two):
            page.wait_for_load_state("networkidle")
            found.extend(f"{where}: {line}" for line in violations(page) + small_targets(page))
            found.extend([f"{where}: {sideways(page)} px too wide"] if sideways(page) > 0 else [])

    look("room")
    duel.meet()
    look("playing")
    duel.one.click("button:has-text('Report the result')")
    look("dialog")
    duel.one.click("dialog[open] button[value=go]")
    heading(duel.two, "says that the game is over")
    look("reporting")
    duel.join_report(duel.two)
    claim(duel.one, "I won")
    duel.two.wait_for_selector(".claim:has-text('They won')")
    look("claims")
    claim(duel.two, "We drew")
    heading(duel.one, "Your claims differ")
    look("reconfirm")
    duel.time_runs_out()
    heading(duel.one, "Show how it ended")
    duel.one.set_input_files("#picture", {"name": "a.png", "mimeType": "image/png", "buffer": b"GIF89a" + bytes(90)})
    duel.one.click("button:has-text('Hand in as evidence')")
    duel.one.wait_for_selector("#picture-e")
    look("evidence")
    duel.time_runs_out()
    heading(duel.one, "This match is void")
    look("void")
    for address in (
        "/matches/",
        "/matches/ladder/",
        "/matches/rules/",
        f"/matches/players/{Player.objects.first().pk}/",
        "/",
    ):
        duel.one.goto(address)
        duel.two.goto(address)
        look(address)
    assert found == []
