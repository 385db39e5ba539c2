"""Pages that are open: they know only what the event stream tells them to look at."""

import contextlib
import json
import threading
import time
from collections.abc import Sequence

import httpx

from survival.players import API, Player

AGAIN_AFTER_S = 0.3

Position = tuple[int, ...]


class Watcher(threading.Thread):
    """One open event stream that is taken up again with Last-Event-ID, and what its reader knows of each match.

    It reads a match when an event names it, and all of its matches when told to `resync`, as a page does; never else.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(name=f"watcher {player.user}", daemon=True)
        self.player = player
        self.states: dict[int, str] = {}
        self.events = self.resyncs = self.connections = 0
        self.problems: list[str] = []
        self.received: set[Position] = set()
        self.told_to_look_up_to: Position = (0, 0)
        self._first: Position | None = None
        self._last_id = ""
        self._over = threading.Event()

    def stop(self) -> None:
        """Stop reading, at the latest at the next ping."""
        self._over.set()

    def run(self) -> None:
        while not self._over.is_set():
            with contextlib.suppress(httpx.TransportError):
                self._read_stream()
            time.sleep(AGAIN_AFTER_S)

    def _read_stream(self) -> None:
        headers = self.player.headers | ({"Last-Event-ID": self._last_id} if self._last_id else {})
        url = f"{self.player.http.base_url}/api/v1/events"
        with httpx.stream("GET", url, headers=headers, timeout=httpx.Timeout(5, read=30)) as stream:
            if stream.status_code != 200:
                if stream.status_code < 500:
                    self.problems.append(f"{self.name}: the stream was refused with {stream.status_code}")
                return
            self.connections += 1
            frame: dict[str, str] = {}
            for line in stream.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    frame[name] = value
                    continue
                self._take(frame)
                frame = {}
                if self._over.is_set():
                    return

    def _take(self, frame: dict[str, str]) -> None:
        verb = frame.get("event", "")
        if position := frame.get("id"):
            at = numbers(position)
            if verb not in ("", "resync") and at <= numbers(self._last_id):
                self.problems.append(f"{self.name}: {verb} {position} came after {self._last_id}")
            self._first = self._first or at
            self._last_id = position
            if verb:
                self.received.add(at)
            if verb == "resync":
                self.told_to_look_up_to = at
        if verb == "match":
            self.events += 1
            self._look(json.loads(frame["data"])["id"])
        elif verb == "resync":
            self.resyncs += 1
            for row in self.player.call("GET", f"{API}/matches?mine=true&limit=200").json()["results"]:
                self.states[row["id"]] = row["state"]

    def missed(self, stream: Sequence[tuple[Position, str, set[str]]]) -> list[str]:
        """What is in the stream (position, verb, channels) for this reader, and never came."""
        mine = {"site", f"user:{self.player.user.pk}"}
        # A resync of the hub's own, unlike one that was published, stands for whatever came before it.
        published = {at for at, verb, _ in stream if verb == "resync"}
        excused = (0, 0) if self.told_to_look_up_to in published else self.told_to_look_up_to
        return [
            f"{self.name} never got {verb} {at}"
            for at, verb, channels in stream
            if self._first and max(self._first, excused) < at and channels & mine and at not in self.received
        ]

    def _look(self, match: int) -> None:
        self.states[match] = self.player.read(match)["state"]


def numbers(position: str) -> Position:
    """An event's id, as numbers that compare."""
    return tuple(int(part) for part in position.split("-")) if position else (0, 0)
