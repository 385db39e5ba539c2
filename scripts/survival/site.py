"""The real site in a folder of its own, started by `python -m config.run`, with a quick heartbeat."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from config.run.child import Child
from config.run.redis_server import free_port

ROOT = Path(__file__).resolve().parents[2]
CLOCK_S = 60
HEARTBEAT_EVERY_S, OUTAGE_AFTER_S = 1, 5
PARTS = {"web": "uvicorn", "worker": " worker ", "beat": " beat ", "redis": "valkey-server"}
"""What is in the command line of each process of the supervisor."""

SETTINGS = """
from config.settings.development import *
from config.settings.development import RATEMATCH

RATEMATCH = RATEMATCH | {{"DURATIONS_S": {clocks}, "REMATCH_WAIT_S": 0}}
HEARTBEAT_EVERY_S = {heartbeat}
OUTAGE_AFTER_S = {outage}
API_RATE = {{"user": (100_000, 60), "anon": (100_000, 60)}}
"""


def configure(folder: Path, database: str) -> None:
    """Write the settings of the site into `folder`, and point this process and all that it starts to them."""
    clocks = dict.fromkeys(
        ("room", "playing", "abandoned", "press", "declare", "both_silent", "reconfirm", "evidence"), CLOCK_S
    )
    settings = SETTINGS.format(clocks=clocks, heartbeat=HEARTBEAT_EVERY_S, outage=OUTAGE_AFTER_S)
    (folder / "survive_settings.py").write_text(settings)
    for name in ("DATABASE_URL", "REDIS_URL", "HOST", "DEBUG", "BANZUKE_BEAT", "ALLOWED_HOSTS"):
        os.environ.pop(name, None)
    if database:
        os.environ["DATABASE_URL"] = database
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "survive_settings",
        "VAR_DIR": str(folder / "var"),
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "PORT": str(free_port()),
        "DEMO": "0",
    }
    sys.path[:0] = [str(folder), str(ROOT)]


class Site:
    """The supervisor and what it has started."""

    def __init__(self, folder: Path) -> None:
        self.url = f"http://127.0.0.1:{os.environ['PORT']}"
        self._supervisor = Child("site", [sys.executable, "-m", "config.run"], folder, cwd=ROOT)

    @property
    def log(self) -> list[str]:
        """The last lines that the supervisor wrote."""
        return list(self._supervisor.last_lines)

    @property
    def pid(self) -> int:
        """The supervisor's."""
        assert self._supervisor.process
        return self._supervisor.process.pid

    def start(self) -> None:
        """Start it, and wait until it is served and swept. Raises RuntimeError when it isn't."""
        self._supervisor.start()
        wait_until(lambda: set(self.parts()) == set(PARTS) and self.answers(), 60, "the site to start")

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self._supervisor.terminate()
        self._supervisor.wait_or_kill(time.monotonic() + 20)

    def answers(self) -> bool:
        """Whether an answer of the API comes back."""
        try:
            return httpx.get(f"{self.url}/api/v1/ratematch/ladder", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def parts(self) -> dict[str, int]:
        """The processes that the supervisor has started, by name."""
        return {
            name: pid
            for pid, parent, command in _processes()
            for name, mark in PARTS.items()
            if parent == self.pid and mark in command
        }

    def redis_url(self) -> str:
        """Where the site's own Redis is: the supervisor has told its children so."""
        environment = Path(f"/proc/{self.parts()['web']}/environ").read_bytes().split(b"\0")
        return next(line for line in environment if line.startswith(b"REDIS_URL=")).partition(b"=")[2].decode()

    def descendants(self) -> set[int]:
        """All processes of the site but the supervisor."""
        found, seen = {self.pid}, 0
        while len(found) > seen:
            seen = len(found)
            found |= {pid for pid, parent, _ in _processes() if parent in found}
        return found - {self.pid}

    def kill(self, *names: str) -> None:
        """SIGKILL for these parts, and wait until they are gone."""
        pids = [self.parts()[name] for name in names]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not any(_is_alive(pid) for pid in pids), 10, f"{names} to die")

    def kill_all(self) -> set[int]:
        """SIGKILL for the supervisor and each process that it has started; answers all pids that were alive."""
        everybody = self.descendants() | {self.pid}
        for pid in (self.pid, *self.parts().values()):
            os.kill(pid, signal.SIGKILL)
        wait_until(self._supervisor.is_dead, 10, "the supervisor to die")
        return everybody

    def keep_dead(self, names: tuple[str, ...], until: float) -> None:
        """SIGKILL for these parts each time that the supervisor has started them again, until then (monotonic)."""
        while time.monotonic() < until:
            for name, pid in self.parts().items():
                if name in names:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.2)

    def signal_group(self, name: str, number: int) -> None:
        """A signal for a part and all that it has started."""
        os.killpg(self.parts()[name], number)


def alive(pids: set[int]) -> set[int]:
    """Those of `pids` that still run."""
    return {pid for pid in pids if _is_alive(pid)}


def wait_until(true: Callable[[], object], seconds: float, what: str, every_s: float = 0.1) -> float:
    """Look again and again until it is true; answers after how many seconds. Raises RuntimeError when it never is."""
    start = time.monotonic()
    while not true():
        if time.monotonic() - start > seconds:
            raise RuntimeError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(every_s)
    return time.monotonic() - start


def _processes() -> list[tuple[int, int, str]]:
    """Pid, parent's pid and command line of all processes that aren't dead."""
    table = subprocess.run(["ps", "-axww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 3) for line in table.stdout.splitlines()]
    return [(int(row[0]), int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")]


def _is_alive(pid: int) -> bool:
    return any(pid == row[0] for row in _processes())
