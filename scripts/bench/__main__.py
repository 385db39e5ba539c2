"""Run all parts, or those named, and print one table.

    python -m scripts.bench [--quick] [--write] [part ...]

`--quick` measures little and takes a minute: it shows that the bench works, not how fast the site is. `--write` also
puts the table into docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from config.run.redis_server import RedisServer, private_url
from scripts.bench.report import Figure, reference_ms, say
from testing.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent.parent
DOC = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"
PARTS = {
    "pages": [SQLITE, POSTGRESQL],
    "pairs": [SQLITE, POSTGRESQL],
    "clocks": [SQLITE, POSTGRESQL],
    "streams": [SQLITE],
    "load": [SQLITE, POSTGRESQL],
    "million": [SQLITE, POSTGRESQL],
    "battles": [SQLITE],
    "levels": [SQLITE],
    "kernel": [SQLITE],
}
Table = dict[tuple[str, str], dict[str, Figure]]


class Bench:
    """The servers that all parts share, and what was found so far."""

    def __init__(self, stack: ExitStack, quick: bool) -> None:
        self.quick = quick
        self.folder = Path(tempfile.mkdtemp(prefix="banzuke-bench-"))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.redis = RedisServer(self.folder / "redis", self.folder, private_url(), keep=False)
        stack.callback(lambda: self.redis.wait_or_kill(time.monotonic() + 5))
        stack.callback(self.redis.terminate)
        self.redis.start()
        self.postgres = Postgres()
        stack.callback(self.postgres.remove)
        if not self.redis.wait_until_ready():
            raise SystemExit(f"bench: no Redis-protocol server: {list(self.redis.last_lines)}")
        self.table: Table = {}
        self.reference = [reference_ms()]
        self.settings = os.environ | {
            "DJANGO_SETTINGS_MODULE": "scripts.bench.settings",
            "BANZUKE_BEAT": "0",
            "SECRET_KEY": "only for the bench, and as long as a real one would be",
            "REDIS_URL": self.redis.url,
            "PYTHONPATH": str(ROOT),
        }
        self._collect_static()

    def _collect_static(self) -> None:
        env = self.settings | {"VAR_DIR": str(self.folder), "DATABASE_URL": "sqlite://:memory:"}
        command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
        subprocess.run(command, env=env, cwd=ROOT, check=True)

    def run(self, part: str, database: str) -> None:
        """Run one part in a process of its own, on an empty database."""
        began = time.monotonic()
        say(f"{part} on {database}")
        name = f"{part}_{database}".lower()
        if database == SQLITE:
            url = f"sqlite:///{self.folder}/{name}.sqlite3"
        else:
            with psycopg.connect(self.postgres.url, autocommit=True) as connection:
                connection.execute(f'CREATE DATABASE "{name}"')
            url = self.postgres.url.rpartition("/")[0] + f"/{name}"
        env = self.settings | {"VAR_DIR": str(self.folder), "DATABASE_URL": url}
        command = [sys.executable, "-m", "scripts.bench.part", part, *(["--quick"] if self.quick else [])]
        process = subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        for line in process.stdout:
            figure = Figure(**json.loads(line))
            say(f"  {figure.part}, {figure.what}: {figure.text}")
            self.table.setdefault((figure.part, figure.what), {})[database] = figure
        if process.wait():
            raise SystemExit(f"bench: {part} on {database} failed")
        self.reference.append(reference_ms())
        say(f"{part} on {database}: {time.monotonic() - began:.0f} s; reference loop {self.reference[-1]:.1f} ms")

    def print(self) -> str:
        """The table as Markdown, with what is needed to judge it."""
        first, *later = self.reference
        drift = ", ".join(f"{100 * ms / first:.0f}" for ms in later)
        lines = [
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()}, {os.cpu_count()} cores "
            f"({_processor()}), load at the end {os.getloadavg()[0]:.1f}. Reference loop: {first:.1f} ms of CPU at "
            f"the start; after each part, in percent of that: {drift}.",
        ]
        if self.quick:
            lines.append("\n**A quick run: too little was measured to say anything.**")
        section = ""
        for (part, what), by_database in self.table.items():
            if part != section:
                section = part
                lines += ["", f"| {part} | SQLite | PostgreSQL | target |", "| --- | --- | --- | --- |"]
            target = next(iter(by_database.values())).target
            cells = [_cell(by_database.get(database)) for database in (SQLITE, POSTGRESQL)]
            lines.append(f"| {what} | {' | '.join(cells)} | {target} |")
        return "\n".join(lines)


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return ""
    return f"**missed:** {figure.text}" if figure.met is False else figure.text


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _write(table: str) -> None:
    before, _, rest = DOC.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    DOC.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m scripts.bench", description="Measure the site.")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="measure little, to see that it works")
    parser.add_argument("--write", action="store_true", help=f"put the table into {DOC.relative_to(ROOT)}")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    began = time.monotonic()
    with ExitStack() as stack:
        bench = Bench(stack, options.quick)
        for part in options.parts or PARTS:
            for database in PARTS[part]:
                bench.run(part, database)
        table = bench.print()
    print(table)
    if options.write:
        _write(table)
    say(f"done in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
