"""Pages and scripts in a real browser: looks, live updates, clocks, forms."""

import re

import pytest
from django.utils import timezone

from accounts.models import ApiToken, Presence, User
from accounts.services import notices, tokens
from accounts.tests.factories import UserFactory
from common import live
from testing.accessibility import sideways, small_targets, violations

pytestmark = [pytest.mark.browser, pytest.mark.once]

OPEN_PAGES = ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/fair-play/", "/privacy/",
              "/status/", "/tables/", "/xiangqi/", "/poker/", "/nothing-here/"]  # fmt: skip
OWN_PAGES = ["/", "/accounts/settings/", "/accounts/email/", "/accounts/password/change/", "/accounts/tokens/",
             "/accounts/webhooks/", "/accounts/2fa/", "/accounts/notifications/", "/accounts/sessions/",
             "/accounts/blocked/", "/accounts/data/", "/inbox/", "/accounts/logout/"]  # fmt: skip


@pytest.fixture
def user(live_site):
    return UserFactory(display_name="Linden")


def watch_live(page):
    """Keep in the page what live events came."""
    page.evaluate(
        """window.came = []; for (const verb of ["match", "notice", "resync"])
        document.body.addEventListener(`live:${verb}`, (event) => came.push([verb, event.detail]))"""
    )


def wait_until_reading(page):
    """Until the stream of this browser is open, whichever tab reads it."""
    page.wait_for_function("() => navigator.locks.query().then((all) => all.held.length === 1)")


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "light"),
        (1280, "dark"),
        pytest.param(360, "dark", marks=pytest.mark.long),
        pytest.param(1280, "light", marks=pytest.mark.long),
    ],
)
def test_looks(visit, user, width, scheme):
    found = []
    for who, pages in ((None, OPEN_PAGES), (user, [*OWN_PAGES, user.get_absolute_url()])):
        page = visit(who, viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
        complaints = []
        page.on("console", lambda message, to=complaints: to.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error, to=complaints: to.append(str(error)))
        for address in pages:
            page.goto(address)
            found += [f"{address}: {line}" for line in violations(page) + small_targets(page)]
            found += [f"{address}: {sideways(page)} px too wide"] if sideways(page) > 0 else []
        found += [text for text in complaints if "404" not in text]
    assert found == []


def test_sign_up_by_hand(visit):
    page = visit().new_page()
    page.goto("/")
    page.click("main >> text=Sign up")
    page.fill("[name=email]", "new@example.org")
    page.fill("[name=display_name]", "松間")
    page.fill("[name=password1]", "a long enough one")
    page.click("main button")
    page.wait_for_url("/")
    page.click("summary[aria-label='Account: 松間']")
    assert page.is_visible("text=Sign out")
    page.keyboard.press("Escape")
    assert page.is_hidden("text=Sign out")
    assert User.objects.get().time_zone == "Asia/Tokyo"
    page.click("summary[aria-label='Language: English']")
    page.click("button[lang=ja]")
    page.wait_for_selector("html[lang=ja]")
    assert User.objects.get().language == "ja"


def test_the_bell_counts_by_itself(visit, user):
    page = visit(user).new_page()
    page.goto("/accounts/settings/")
    wait_until_reading(page)
    page.wait_for_selector("[aria-label='Inbox, nothing unread']")
    live.publish([live.user_channel(user.pk)], "match", id=0)
    notices.notify([user.pk], "ratematch.match_made", facts={}, url="/fair-play/", now=timezone.now())
    page.wait_for_selector("[aria-label='Inbox, 1 unread']")
    assert "Opponent found" in page.inner_text("#toasts")
    page.click("#toasts a")
    page.wait_for_url("/fair-play/")


def test_tabs_share_one_stream_and_none_is_lost_when_the_reader_goes(visit, user):
    context = visit(user)
    first, second = context.new_page(), context.new_page()
    streams = {page: [] for page in (first, second)}
    for page, urls in streams.items():
        page.on("request", lambda request, to=urls: "/live/" in request.url and to.append(request.url))
        page.goto("/fair-play/")
        watch_live(page)
    wait_until_reading(first)
    live.publish([live.user_channel(user.pk)], "match", id=12)
    for page in (first, second):
        page.wait_for_function("() => came.some(([verb, facts]) => verb === 'match' && facts.id === 12)")
    assert (len(streams[first]), len(streams[second])) == (1, 0)
    first.close()
    live.publish([live.user_channel(user.pk)], "match", id=13)
    second.wait_for_function("() => came.some(([verb, facts]) => verb === 'match' && facts.id === 13)")
    assert len(streams[second]) == 1
    assert re.search(r"last_event_id=\d+-\d+$", streams[second][0])


def test_an_open_page_is_presence(visit, user):
    page = visit(user).new_page()
    with page.expect_response("**/presence/") as answer:
        page.goto("/fair-play/")
    assert answer.value.status == 204
    assert Presence.objects.get().user == user


def test_a_clock_counts_down_shows_in_the_title_and_ends_once(visit):
    page = visit().new_page()
    page.clock.install()
    page.goto("/fair-play/")
    page.evaluate(
        """window.ends = 0; document.addEventListener("clock:zero", () => ends++);
        document.querySelector("main").innerHTML = `<div class="status-clock"><time class="clock" data-seconds="61"
        data-title data-say>1:01</time><progress max="120" value="61"></progress></div>`"""
    )
    page.clock.run_for(2000)
    page.wait_for_function("() => document.title.startsWith('(0:59)')")
    assert page.get_attribute("time", "aria-label") == "59 s left"
    assert page.inner_text("#say") == "1 min 0 s left"
    assert page.evaluate("document.querySelector('progress').value") == 59
    page.clock.run_for(70_000)
    page.wait_for_function("() => ends === 1")
    assert page.inner_text("time") == "0:00"
    assert page.evaluate("ends") == 1


def test_a_second_press_does_nothing_and_a_wait_shows(visit, user):
    page = visit(user).new_page()
    page.goto("/accounts/settings/")
    sent = []

    def nothing_yet(route):
        sent.append(route.request)
        route.fulfill(status=204)  # the browser stays on the page, as while it waits

    page.route("**/accounts/settings/", nothing_yet)
    button = page.locator("main form button")
    button.click()
    page.wait_for_selector("main form button[aria-busy=true]")
    assert button.inner_text() == "Sending"
    button.click(force=True)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert len(sent) == 1


def test_a_costly_press_asks_first(visit, user):
    other = UserFactory(display_name="Quarry8")
    page = visit(user).new_page()
    page.goto(other.get_absolute_url())
    page.click("main >> button:text-is('Block')")
    assert page.is_visible("text=Block Quarry8?")
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert not user.blocks.exists()
    page.click("main >> button:text-is('Block')")
    page.click("dialog button[value=go]")
    page.wait_for_selector("text=Unblock")
    assert user.blocks.get().blocked == other


def test_a_refreshed_part_keeps_what_is_being_written(visit, user):
    page = visit(user).new_page()
    page.goto("/accounts/settings/")
    page.evaluate(
        """const form = document.querySelector("main form"); form.id = "part";
        const live = {"hx-get": location.pathname, "hx-trigger": "live:resync from:body", "hx-select": "main form",
        "hx-swap": "outerHTML", "hx-params": "none"}; for (const name in live) form.setAttribute(name, live[name]);
        htmx.process(form)"""
    )
    page.fill("[name=display_name]", "half a na")
    with page.expect_response("**/accounts/settings/"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('live:resync', {detail: {}}))")
    page.wait_for_selector("main form:not(#part)")
    assert page.input_value("[name=display_name]") == "half a na"


def test_revoking_a_token_asks_first(visit, user):
    _token, _secret = tokens.create(actor=user, name="my bot", scopes=["read"], days=30, now=timezone.now())
    page = visit(user).new_page()
    page.goto("/accounts/tokens/")
    page.click("button:has-text('Revoke')")
    assert violations(page) == []
    page.click("dialog[open] button[value=stay]")
    assert ApiToken.objects.exists()
    page.click("button[data-confirm]:has-text('Revoke')")
    page.click("dialog[open] button[value=go]")
    page.wait_for_selector("text=No tokens.")
    assert not ApiToken.objects.exists()
