"""The whole site over HTTP, and in a browser."""

import httpx
import pytest

from accounts.tests.factories import UserFactory, api_client


def test_a_page_and_a_stream_come_from_one_port(live_site: str) -> None:
    assert httpx.get(f"{live_site}/api/v1/").status_code < 500
    program = api_client(UserFactory())._credentials["HTTP_AUTHORIZATION"]
    with httpx.stream("GET", f"{live_site}/api/v1/events", headers={"Authorization": program}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert next(answer.iter_lines()) == "retry: 1000"


@pytest.mark.browser
def test_a_browser_gets_a_page(live_site, browser) -> None:
    page = browser.new_context(base_url=live_site).new_page()
    page.goto("/accounts/login/")
    assert page.locator("form").count()
