"""Whole matches, played in two real browsers, with a real worker; a third browser rules. Time moves by moving stored
deadlines."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ratematch.models import Match, Player
from ratematch.rules.lifecycle import Ending, Outcome, State
from ratematch.tests import factories
from ratematch.tests.duel import Duel, claim, heading
from testing.accessibility import sideways, small_targets, violations

pytestmark = pytest.mark.browser


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
    desk.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)")
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


@pytest.mark.once
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


@pytest.mark.once
@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "light"),
        (1280, "dark"),
        pytest.param(360, "dark", marks=pytest.mark.long),
        pytest.param(1280, "light", marks=pytest.mark.long),
    ],
)
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
