"""What every test may count on: a real Redis-protocol server, one of two real databases, and, where there is a
Chromium, a real browser on a real site.

BANZUKE_TEST_DB=postgres runs the suite on PostgreSQL: that of TEST_DATABASE_URL, or one of its own. TEST_REDIS_URL
names a Redis that may be emptied, in place of one of our own. With REQUIRE_BROWSER=1, no Chromium is an error.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from common.redis import client
from config.run.redis_server import RedisServer, private_url
from testing import chromium

os.environ["BANZUKE_BEAT"] = "0"

cleanups = pytest.StashKey[list[Callable[[], object]]]()


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers before anything uses them: one PostgreSQL, and a Redis for each process that runs tests."""
    if os.environ.get("REQUIRE_BROWSER") == "1" and not chromium.find():
        raise pytest.UsageError(f"REQUIRE_BROWSER=1, but {chromium.HOW_TO_GET_ONE}")
    to_clean = config.stash.setdefault(cleanups, [])
    if not hasattr(config, "workerinput"):  # pytest-xdist's processes share the folder of the one that started them
        to_clean.append(lambda: shutil.rmtree(settings.VAR_DIR, ignore_errors=True))
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") and not os.environ.get("TEST_DATABASE_URL"):
        _start_postgres(config)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        settings.REDIS_URL = settings.CELERY_BROKER_URL = os.environ["REDIS_URL"] = _redis_url(config)
        settings.CACHES["default"]["LOCATION"] = settings.REDIS_URL


def _start_postgres(config: pytest.Config) -> None:
    from testing.postgres import Postgres

    server = Postgres()
    config.stash[cleanups].append(server.remove)
    os.environ["TEST_DATABASE_URL"] = server.url  # the processes of pytest-xdist find it there
    settings.DATABASES["default"]["PORT"] = urlsplit(server.url).port


def _redis_url(config: pytest.Config) -> str:
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    if given := os.environ.get("TEST_REDIS_URL"):
        return urlsplit(given)._replace(path=worker.replace("gw", "/")).geturl()
    folder = Path(tempfile.mkdtemp(prefix="banzuke-redis-"))
    server = RedisServer(folder, folder, private_url(), keep=False)
    server.start()

    def remove() -> None:
        server.terminate()
        server.wait_or_kill(time.monotonic() + 5)
        shutil.rmtree(folder)

    config.stash[cleanups].append(remove)
    if not server.wait_until_ready():
        raise pytest.UsageError(f"no Redis-protocol server: {list(server.last_lines)}")
    return server.url


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    to_clean = config.stash.get(cleanups, [])
    while to_clean:
        to_clean.pop()()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave what knows no database, rules and computer players, to the run on SQLite."""
    pure = collection_path.parent.name == "tests" and collection_path.name in ("rules", "ai")
    return True if pure and settings.DATABASES["default"]["ENGINE"].endswith("postgresql") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what can't run here."""
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    for item in items:
        if not sqlite and item.get_closest_marker("once"):
            item.add_marker(pytest.mark.skip(reason="it runs on SQLite only, which is enough"))
        if sqlite and item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: BANZUKE_TEST_DB=postgres"))
        if item.get_closest_marker("browser") and not chromium.find():
            item.add_marker(pytest.mark.skip(reason=chromium.HOW_TO_GET_ONE))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say aloud when browser tests were left out."""
    if not chromium.find():
        terminalreporter.section("browser tests were left out", yellow=True)
        terminalreporter.write_line(chromium.HOW_TO_GET_ONE)


@pytest.fixture(autouse=True)
def _empty_redis() -> None:
    client().flushdb()


@pytest.fixture
def live_site(transactional_db: None) -> Iterator[str]:
    """The address of the whole site, served over HTTP from this test's database."""
    from testing.site import served

    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium, driven by playwright. Take `browser.new_context()` for each visitor."""
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright's event loop lives in the thread that tests run in
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        yield chrome
        chrome.close()


@pytest.fixture
def visit(browser: Any, live_site: str) -> Iterator[Callable[..., Any]]:
    """A function that makes a browser of one visitor, signed in if a user is given: by hand, or, as each code of an
    authenticator app works once only, staff by the cookie of a session with a second factor.
    """
    contexts = []

    def visit(user: Any = None, **options: Any) -> Any:
        options = {"locale": "en", "timezone_id": "Asia/Tokyo"} | options
        context = browser.new_context(base_url=live_site, **options)
        contexts.append(context)
        if user and user.is_staff:
            from accounts.tests.staff import staff_client

            cookie = staff_client(user).cookies[settings.SESSION_COOKIE_NAME]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_site}])
        elif user:
            page = context.new_page()
            page.goto("/accounts/login/")
            page.fill("[name=login]", user.email)
            page.fill("[name=password]", "password")
            page.click("main button")
            page.wait_for_url("/")
            page.close()
        return context

    yield visit
    for context in contexts:
        context.close()
