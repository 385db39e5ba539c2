"""Very many open event streams, each of another user, on one real server process."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from common import live
from config.run.redis_server import free_port
from scripts.bench import crowd
from scripts.bench.report import Figure, say

SITE_WIDE = 20
KB_A_STREAM = 100
"""Target."""
WITHIN_S = 60
VERB = "bench"


class Stream:
    """One browser's end of an event stream. It counts frames and keeps nothing."""

    async def open(self, port: int, cookie: str) -> Stream:
        """Connect, and read until the stream has begun."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET /live/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
        self.writer.write(request.encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await self.reader.readuntil(b"\n\n")  # the block that says where the stream begins
        return self

    async def count(self, wanted: int) -> int:
        """Read until `wanted` events have come."""
        seen = 0
        while seen < wanted:
            seen += f"event: {VERB}\n".encode() in await self.reader.readuntil(b"\n\n")
        return seen

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


def run(quick: bool) -> None:
    """Open them, look at the server's memory, publish, and look at its CPU when all has arrived."""
    count = 100 if quick else 1000
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard != resource.RLIM_INFINITY else 8192, hard))
    users = [player.user for player in crowd.players(count, timezone.now())]
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--no-access-log", "--log-level", "warning", "--backlog", "2048", "--timeout-graceful-shutdown", "3"]
    server = subprocess.Popen(command, cwd=settings.BASE_DIR)
    try:
        asyncio.run(_measure(server.pid, port, users, crowd.cookies(users)))
    finally:
        server.terminate()
        server.wait(20)


async def _measure(pid: int, port: int, users: list, cookies: list[str]) -> None:
    await _answers(port)
    for stream in await _open(port, cookies[:50]):  # so that threads and code are there before memory is looked at
        stream.close()
    await asyncio.sleep(1)

    say(f"streams: opening {len(users):,}")
    before = _memory_kb(pid)
    streams = await _open(port, cookies)
    await asyncio.sleep(1)
    kb = (_memory_kb(pid) - before) / len(streams)
    text = f"{kb:.0f} kB a stream"
    Figure("Streams", f"{len(streams):,} open in one process", text, f"< {KB_A_STREAM} kB", kb < KB_A_STREAM).print()

    say(f"streams: {len(users):,} events, one a user, and {SITE_WIDE} for all")
    wanted = 1 + SITE_WIDE
    cpu, start = _cpu_s(pid), time.perf_counter()
    readers = [asyncio.create_task(stream.count(wanted)) for stream in streams]
    await asyncio.to_thread(_publish, users)
    await asyncio.wait(readers, timeout=WITHIN_S)
    taken, cpu = time.perf_counter() - start, _cpu_s(pid) - cpu
    all_came = sum(reader.done() and reader.result() == wanted for reader in readers)
    deliveries = len(streams) * wanted
    text = f"{all_came:,} of {len(streams):,} got all of theirs; {cpu / deliveries * 1e6:.0f} µs of CPU a delivery, "
    text += f"{deliveries / taken:,.0f} a second"
    Figure("Streams", f"{deliveries:,} deliveries", text, "all delivered", all_came == len(streams)).print()
    for stream in streams:
        stream.close()


async def _answers(port: int) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


async def _open(port: int, cookies: list[str], at_once: int = 50) -> list[Stream]:
    streams: list[Stream] = []
    for first in range(0, len(cookies), at_once):
        some = cookies[first : first + at_once]
        streams += await asyncio.gather(*(Stream().open(port, cookie) for cookie in some))
    return streams


def _publish(users: list) -> None:
    every = len(users) // SITE_WIDE
    for number, user in enumerate(users):
        live.publish([live.user_channel(user.pk)], VERB, id=number)
        if number % every == 0:
            live.publish([live.SITE], VERB, id=number)


def _memory_kb(pid: int) -> int:
    """What the process holds in memory. Linux only."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def _cpu_s(pid: int) -> float:
    """CPU seconds that the process has used. Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
