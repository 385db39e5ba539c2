"""The listening end of live updates: one connection to the Redis stream a process, one bounded queue a subscriber.

Nobody has to be told everything: whoever may have missed something is told `resync` and looks at all of its page
again. A slow reader, a server that was away and an id that is no longer kept have the same harmless end.
"""

import asyncio
import contextlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from common.live import STREAM

log = logging.getLogger(__name__)

QUEUE_SIZE = 100
REPLAY_MAX = 1_000
BLOCK_S = 5
LONGEST_BACKOFF_S = 5.0

VERB = re.compile(r"[a-z][a-z0-9_.]*")
POSITION = re.compile(rb"(\d{1,20})-(\d{1,20})")

Position = tuple[int, int]


class Event(NamedTuple):
    """One thing that happened: where in the stream, for which channels, and its frame as it goes over the wire."""

    position: Position
    to: frozenset[str]
    frame: bytes

    @property
    def is_resync(self) -> bool:
        """Made by the hub for this reader, whatever its channels."""
        return not self.to


class Subscription:
    """What one open stream is still owed, from `since` on. `None` in the queue ends it."""

    def __init__(self, channels: Iterable[str], since: Position) -> None:
        self.channels = frozenset(channels)
        self.since = since
        self.queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE_SIZE)

    def offer(self, event: Event) -> None:
        """Queue an event; when the reader is too slow, one `resync` in place of all that waits."""
        if self.queue.full():
            self._empty()
            event = resync(event.position)
        self.queue.put_nowait(event)

    def end(self) -> None:
        """Let the stream end as soon as its reader looks."""
        self._empty()
        self.queue.put_nowait(None)

    def _empty(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()


class Hub:
    """Reads the stream and hands each event to those who listen to one of its channels."""

    position: Position = (0, 0)

    def __init__(self, url: str) -> None:
        """Args: url: the Redis-protocol server, as in settings.REDIS_URL."""
        self._url = url
        self._listeners: defaultdict[str, set[Subscription]] = defaultdict(set)

    async def start(self) -> None:
        """Begin to listen. That the server is away is no error: the hub waits for it."""
        # No retries inside the library: they would hide a broken connection, and with it what was missed meanwhile.
        self._redis: Any = Redis.from_pool(
            BlockingConnectionPool.from_url(
                self._url, max_connections=4, socket_timeout=BLOCK_S + 5, retry=Retry(NoBackoff(), 0)
            )
        )
        with contextlib.suppress(Exception):
            await self._find_position()
        self._task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """End all streams, stop listening and close the connections."""
        self.end_streams()
        while not self._task.done():  # the library now and then takes a cancellation for a timeout of its own
            self._task.cancel()
            await asyncio.wait([self._task], timeout=0.1)
        await self._redis.aclose()

    def end_streams(self) -> None:
        """Let every open stream end."""
        for subscription in self._everybody():
            subscription.end()

    @contextlib.contextmanager
    def subscribe(self, channels: Iterable[str]) -> Iterator[Subscription]:
        """Events for any of `channels` go into the subscription's queue until the block is left."""
        subscription = Subscription(channels, self.position)
        for channel in subscription.channels:
            self._listeners[channel].add(subscription)
        try:
            yield subscription
        finally:
            for channel in subscription.channels:
                self._listeners[channel].discard(subscription)
                if not self._listeners[channel]:
                    del self._listeners[channel]

    async def missed(self, channels: frozenset[str], last_id: str) -> list[Event]:
        """What came for `channels` after `last_id`, or one `resync` when that can't be told for certain."""
        try:
            since = _position(last_id.encode())
            async with self._redis.pipeline() as ask:
                ask.xrange(STREAM, count=1)
                ask.xrevrange(STREAM, count=1)
                ask.xrange(STREAM, min=f"({last_id}", count=REPLAY_MAX + 1)
                oldest, newest, entries = await ask.execute()
        except (RedisError, OSError, ValueError) as error:
            log.info("live updates after %.40r can't be replayed: %r", last_id, error)
            return [resync(self.position)]
        first, last = _position(oldest[0][0]) if oldest else None, _position(newest[0][0]) if newest else (0, 0)
        if first is None or not first <= since <= last or len(entries) > REPLAY_MAX:
            return [resync(last)]
        return [event for event in map(_parse, entries) if event and event.to & channels]

    async def _listen(self) -> None:
        failures = 0
        while True:
            try:
                if failures:
                    await self._find_position()
                    failures = 0
                for entry in await self._read():
                    self.position = _position(entry[0])
                    if event := _parse(entry):
                        for subscription in set().union(*(self._listeners.get(name, ()) for name in event.to)):
                            subscription.offer(event)
            except Exception as error:  # a listener that ended would leave every page silent
                log.warning("live updates can't be read: %r", error)
                await asyncio.sleep(min(0.1 * 2**failures, LONGEST_BACKOFF_S))
                failures += 1

    async def _read(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        after = "{}-{}".format(*self.position)
        answer = await self._redis.xread({STREAM: after}, count=1_000, block=BLOCK_S * 1000)
        return [entry for _, entries in answer for entry in entries]

    async def _find_position(self) -> None:
        """Go on from the last id that was read; from the newest there is when that id means nothing any more.

        What was published while the server was away is nowhere, so those who listen look again in any case.
        """
        newest = await self._redis.xrevrange(STREAM, count=1)
        last = _position(newest[0][0]) if newest else (0, 0)
        if self.position == (0, 0) or self.position > last:
            self.position = last
        for subscription in self._everybody():
            subscription.offer(resync(self.position))

    def _everybody(self) -> set[Subscription]:
        return set().union(*self._listeners.values())


def resync(position: Position) -> Event:
    """The advice to look at everything again; what came up to `position` needs no telling any more."""
    return Event(position, frozenset(), _frame(position, "resync", {}))


def start_frame(position: Position) -> bytes:
    """A block without an event: it only tells the reader from where to resume, should the stream break at once."""
    return b"id: %d-%d\n\n" % position


def _frame(position: Position, verb: str, facts: Any) -> bytes:
    return f"id: {position[0]}-{position[1]}\nevent: {verb}\ndata: {json.dumps(facts)}\n\n".encode()


def _position(text: bytes) -> Position:
    """An entry's id, `12-3`, as numbers that compare. Raises ValueError for anything else."""
    match = POSITION.fullmatch(text)
    if not match:
        raise ValueError(text)
    return int(match[1]), int(match[2])


def _parse(entry: tuple[bytes, dict[bytes, bytes]]) -> Event | None:
    """A stream entry as an event; None, and a line in the log, for one that nobody can read."""
    position, fields = _position(entry[0]), entry[1]
    try:
        verb, facts, to = fields[b"verb"].decode(), json.loads(fields[b"facts"]), fields[b"to"].decode()
        if not VERB.fullmatch(verb):
            raise ValueError(verb)
        return Event(position, frozenset(to.split()), _frame(position, verb, facts))
    except (KeyError, ValueError, RecursionError) as error:
        log.warning("live update %s can't be read: %r", entry[0], error)
        return None
