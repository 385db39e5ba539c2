"""What is begun on a match's page stays when the page fetches itself again."""

from __future__ import annotations

import pytest

from ratematch.models import Picture
from ratematch.rules.lifecycle import State
from ratematch.tests import factories
from ratematch.tests.duel import Duel, heading

pytestmark = [pytest.mark.browser, pytest.mark.once]


def refresh(page):
    """Have the page fetch itself again, as it does every 20 s, and wait until it has."""
    page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("htmx:afterRequest", ({detail}) =>
                /^\\/matches\\/\\d+\\/$/.test(detail.requestConfig.path) && setTimeout(done));
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
