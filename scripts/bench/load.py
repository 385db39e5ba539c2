"""Players' programs that all play at once, through the API of one web process with one worker: nothing may be lost."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import psutil
from django.core.management import call_command
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from accounts.services import tokens
from config.run.redis_server import free_port
from ratematch.models import Match, Side
from ratematch.rules.lifecycle import State
from scripts.bench.report import Figure, percentile, say

API = "/api/v1/ratematch"
PLAYERS, SECONDS = 50, 120
THINKS_S = 1.0
"""Between one press and the next."""
LOOKS_AGAIN_S = 5.0
"""A program that waits looks by itself after so long, as a page does."""
ENDED = (State.SETTLED, State.VOID)


class Program:
    """One player: queues, plays to an agreed end, queues again, told by its event stream when to look."""

    def __init__(self, http: httpx.AsyncClient, user: User, times: dict[str, list[float]]) -> None:
        _token, plain = tokens.create(actor=user, name="load", scopes=["read", "play"], days=1, now=timezone.now())
        self.headers = {"Authorization": f"Bearer {plain}"}
        self.http, self.times = http, times
        self.matches: set[int] = set()
        self.told: set[int] = set()
        self.events = 0
        self.refused: Counter[str] = Counter()
        self._news = asyncio.Event()

    async def play(self, until: float) -> None:
        """Until then (monotonic), and to the end of the match that runs."""
        async with self._listening():
            while time.monotonic() < until:
                answer = await self._call("POST", f"{API}/queue", {"condition": "any"})
                match = answer.get("match")
                while match is None and time.monotonic() < until:
                    await self._wait_for_news()
                    match = (await self._call("GET", f"{API}/queue"))["match"]
                if match is None:
                    await self._call("DELETE", f"{API}/queue")
                    match = (await self._call("GET", f"{API}/queue"))["match"]
                if match is not None:
                    await self._finish(match)

    async def _finish(self, match: int) -> None:
        self.matches.add(match)
        while True:
            seen = await self._call("GET", f"{API}/matches/{match}")
            if seen["state"] in ENDED:
                return
            if move := _choose(seen["inside"]):
                await self._call("POST", f"{API}/matches/{match}/moves", {"state": seen["state"], **move})
                await asyncio.sleep(THINKS_S)
            else:
                await self._wait_for_news()

    async def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """A call that has an answer, timed. A refusal is one: both may press at once. A failure ends the bench."""
        start = time.perf_counter()
        answer = await self.http.request(method, path, headers=self.headers, json=body)
        self.times["reads" if method == "GET" else "moves"].append(time.perf_counter() - start)
        if answer.status_code >= 500:
            raise SystemExit(f"bench: {method} {path}: {answer.status_code} {answer.text[:300]}")
        told = answer.json() if answer.content else {}
        if answer.status_code >= 400:
            self.refused[told["code"]] += 1
        return told

    async def _wait_for_news(self) -> None:
        try:
            async with asyncio.timeout(LOOKS_AGAIN_S):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        async with self.http.stream("GET", "/api/v1/events", headers=self.headers, timeout=None) as answer:
            answer.raise_for_status()
            reader = asyncio.create_task(self._read(answer))
            try:
                yield
            finally:
                reader.cancel()

    async def _read(self, answer: httpx.Response) -> None:
        verb = ""
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                verb = line.removeprefix("event: ")
            elif line.startswith("data: ") and verb in ("match", "queue"):
                self.events += 1
                self.told.update([json.loads(line.removeprefix("data: "))["id"]] if verb == "match" else [])
                self._news.set()


def _choose(inside: Any) -> dict[str, str] | None:
    """The next press: Player 1 opens the room and wins."""
    possible = inside["possible"]
    if "set_room_number" in possible and not inside["room_number"]:
        return {"verb": "set_room_number", "room_number": "LOAD-1"}
    if "enter_room" in possible and inside["room_number"]:
        return {"verb": "enter_room"}
    if "declare" in possible:
        return {"verb": "declare", "claim": "win" if inside["you"] == "player1" else "loss"}
    return {"verb": "report_result"} if "report_result" in possible else None


def run(quick: bool) -> None:
    """Start web, worker and beat; play; stop; and look whether all is there."""
    players, seconds = (10, 10) if quick else (PLAYERS, SECONDS)
    users = [User.objects.create_user(f"{number}@example.org", f"load-{number}") for number in range(players)]
    connection.close()
    with _site() as (url, web, worker):
        start = time.monotonic()
        programs, times = asyncio.run(_play(url, users, seconds))
        took = time.monotonic() - start
        web_s, worker_s = _cpu_s(web), _cpu_s(worker)
    _check(programs)
    asked = sum(map(len, times.values()))
    settled = Match.objects.filter(state=State.SETTLED).count()
    part = f"{players} players for {seconds} s"
    Figure(part, "requests", f"{asked:,} ({asked / took:.0f} a second), none failed").print()
    for what, values in times.items():
        text = f"{1000 * percentile(values, 0.5):.0f} ms, 95 % within {1000 * percentile(values, 0.95):.0f} ms"
        Figure(part, f"{what}, as a program waits for them", text).print()
    Figure(part, "matches settled, each once", f"{settled} ({60 * settled / took:.0f} a minute)").print()
    events = sum(program.events for program in programs)
    Figure(part, "events, every match to both", f"{events:,}").print()
    Figure(
        part, "CPU of web, of the worker", f"{100 * web_s / took:.0f} %, {100 * worker_s / took:.0f} % of a core"
    ).print()


async def _play(url: str, users: list[User], seconds: float) -> tuple[list[Program], dict[str, list[float]]]:
    times: dict[str, list[float]] = {"reads": [], "moves": []}
    limits = httpx.Limits(max_connections=None, keepalive_expiry=2)  # less than the server, so that none is cut off
    async with httpx.AsyncClient(base_url=url, timeout=30, limits=limits) as http:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # tokens are made before anything runs
        programs = [Program(http, user, times) for user in users]
        until = time.monotonic() + seconds
        await asyncio.gather(*(program.play(until) for program in programs))
    return programs, times


def _check(programs: list[Program]) -> None:
    """End the bench if anything was lost or done twice."""
    played = set().union(*(program.matches for program in programs))
    if strays := set(Match.objects.exclude(state=State.SETTLED).values_list("pk", flat=True)):
        raise SystemExit(f"bench: matches that weren't settled: {sorted(strays)}")
    if played != set(Match.objects.values_list("pk", flat=True)):
        raise SystemExit("bench: players know other matches than the database")
    once = Side.objects.filter(result__in=["win", "loss"]).count()
    rows = Match.objects.annotate(rows=Count("rating_changes")).exclude(rows=2).count()
    if once != 2 * len(played) or rows:
        raise SystemExit(f"bench: {len(played)} matches, {once} results, {rows} without their two rating rows")
    if untold := [program.matches - program.told for program in programs if not program.matches <= program.told]:
        raise SystemExit(f"bench: matches that a stream didn't tell of: {untold}")
    say(f"load: refusals, all of them answers: {dict(sum((program.refused for program in programs), Counter()))}")
    call_command("check_integrity", stdout=StringIO())


@contextmanager
def _site() -> Iterator[tuple[str, psutil.Process, psutil.Process]]:
    """One web process, one worker and beat; answers the address and the first two."""
    port = free_port()
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    schedule = Path(tempfile.mkdtemp(prefix="banzuke-load-")) / "beat"
    commands = [
        [*(sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), "--no-access-log")],
        [*celery, "worker", "-c2", "-lWARNING", "--without-mingle", "--without-gossip"],
        [*celery, "beat", "-lWARNING", "--pidfile=", f"--schedule={schedule}"],
    ]
    env = os.environ | {"BANZUKE_BEAT": "1"}
    started = [psutil.Popen(command, env=env, stdout=subprocess.DEVNULL) for command in commands]
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_whole(url)
        yield url, started[0], started[1]
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(20)


def _wait_until_whole(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit("bench: the site doesn't get ready")


def _cpu_s(process: psutil.Process) -> float:
    """User and system time of a process and its children, seconds."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)
