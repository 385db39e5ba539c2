"""The hub: who is told what, and what is said when telling is not possible."""

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings

from common import hub as hubs
from common.hub import Event, Hub, Subscription
from common.live import STREAM, publish
from common.redis import client
from config.run.redis_server import RedisServer, private_url


def on_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test, in a thread: playwright's own event loop may already run in this one. `hub` is started."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, with_hub(fixtures)).result()

    async def with_hub(fixtures: dict[str, Any]) -> None:
        if "hub" in fixtures:
            await fixtures["hub"].start()
        await test(**fixtures)
        if "hub" in fixtures:
            await fixtures["hub"].stop()

    return run


@pytest.fixture
def hub() -> Hub:
    return Hub(settings.REDIS_URL)


async def told(subscription: Subscription) -> str:
    """What comes next: `verb facts`."""
    async with asyncio.timeout(20):
        return words(await subscription.queue.get())


def words(event: Event | None) -> str:
    if event is None:
        return "end"
    _id, verb, data = event.frame.decode().strip().split("\n")
    return f"{verb.removeprefix('event: ')} {data.removeprefix('data: ')}"


def ids() -> list[str]:
    """The ids of all that is kept, oldest first."""
    with redis.Redis.from_url(settings.REDIS_URL) as undecoded:
        return [entry[0].decode() for entry in undecoded.xrange(STREAM)]


@on_a_loop
async def test_each_event_reaches_those_who_listen_to_one_of_its_channels_once(hub: Hub) -> None:
    with hub.subscribe(["user:1", "site"]) as one, hub.subscribe(["user:2", "site"]) as two:
        publish(["user:1", "site"], "match", id=1)
        publish(["user:2"], "match", id=2)
        publish(["user:3"], "match", id=3)
        publish(["site"], "ladder")
        assert [await told(one) for _ in range(2)] == ['match {"id": 1}', "ladder {}"]
        assert [await told(two) for _ in range(3)] == ['match {"id": 1}', 'match {"id": 2}', "ladder {}"]


@on_a_loop
async def test_a_reader_who_is_too_slow_is_told_to_look_again_and_goes_on_from_there(hub: Hub) -> None:
    with hub.subscribe(["site"]) as slow, hub.subscribe(["site"]) as quick:
        for number in range(hubs.QUEUE_SIZE + 1):
            publish(["site"], "match", id=number)
            await told(quick)
        publish(["site"], "match", id=-1)
        await told(quick)
        assert [await told(slow) for _ in range(2)] == ["resync {}", 'match {"id": -1}']
        assert slow.queue.empty()


@on_a_loop
async def test_what_was_missed_is_told_again_to_its_own_channels_only(hub: Hub) -> None:
    for number in range(4):
        publish([f"user:{number % 2}"], "match", id=number)
    seen = ids()[0]
    assert [words(event) for event in await hub.missed(frozenset(["user:0"]), seen)] == ['match {"id": 2}']
    assert await hub.missed(frozenset(["user:0"]), ids()[-1]) == []


@pytest.mark.parametrize("last_id", ["", "nonsense", "1-0", "99999999999999-0", "1-2-3", "-", "$", "\n", "1-١"])
@on_a_loop
async def test_an_id_that_means_nothing_here_is_answered_by_looking_again(hub: Hub, last_id: str) -> None:
    publish(["site"], "match", id=1)
    assert [words(event) for event in await hub.missed(frozenset(["site"]), last_id)] == ["resync {}"]


@on_a_loop
async def test_what_is_no_longer_kept_or_too_much_is_answered_by_looking_again(hub: Hub, monkeypatch: Any) -> None:
    for number in range(4):
        publish(["site"], "match", id=number)
    first, second, *_rest = ids()
    monkeypatch.setattr(hubs, "REPLAY_MAX", 2)
    assert [words(event) for event in await hub.missed(frozenset(["site"]), first)] == ["resync {}"]
    assert len(await hub.missed(frozenset(["site"]), second)) == 2
    client().xtrim(STREAM, maxlen=2, approximate=False)
    assert [words(event) for event in await hub.missed(frozenset(["site"]), second)] == ["resync {}"]
    client().delete(STREAM)
    assert [words(event) for event in await hub.missed(frozenset(["site"]), second)] == ["resync {}"]


@pytest.mark.parametrize(
    "entry",
    [
        {"nothing": "of ours"},
        {"to": "site", "verb": "match", "facts": "{not json"},
        {"to": "site", "verb": "match\ndata: forged", "facts": "{}"},
        {"to": "site", "verb": b"\xff", "facts": "{}"},
        {"to": b"\xff", "verb": "match", "facts": "{}"},
        {"to": "site", "verb": "match", "facts": b"\xff"},
        {"to": "site", "verb": "match", "facts": "[" * 100_000},
        {"to": "", "verb": "", "facts": ""},
    ],
)
@on_a_loop
async def test_an_entry_that_nobody_can_read_is_passed_over(hub: Hub, entry: dict[Any, Any]) -> None:
    publish(["site"], "first")
    with hub.subscribe(["site"]) as reader:
        client().xadd(STREAM, entry)
        publish(["site"], "last")
        heard = [await told(reader)]
        while heard[-1] != "last {}":
            heard.append(await told(reader))
    assert set(heard) <= {"first {}", "last {}"}
    assert [words(event) for event in await hub.missed(frozenset(["site"]), ids()[0])] == ["last {}"]


@on_a_loop
async def test_readers_outlive_the_server_and_look_again_when_it_is_back(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, tmp_path, private_url(), keep=True)
    hub = Hub(server.url)
    await hub.start()  # before there is a server
    with hub.subscribe(["site"]) as reader:
        for _ in range(2):
            await asyncio.to_thread(_start, server)
            assert await told(reader) == "resync {}"
            with redis.Redis.from_url(server.url) as publisher:
                publisher.xadd(STREAM, {"to": "site", "verb": "match", "facts": "{}"})
            assert await told(reader) == "match {}"
            server.terminate()
            server.wait_or_kill(time.monotonic() + 5)
        assert [words(event) for event in await hub.missed(reader.channels, "1-0")] == ["resync {}"]
        await hub.stop()
        assert await told(reader) == "end"


def _start(server: RedisServer) -> None:
    server.start()
    assert server.wait_until_ready()
