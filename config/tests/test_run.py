"""The supervisor, as a process of its own: it starts everything, keeps it running, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import redis

from config.env import own_secret
from config.run.redis_server import free_port

pytestmark = pytest.mark.once  # it has a database of its own

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = {"valkey-server", "uvicorn", "worker", "beat"}


def environment(var_dir: Path, **values: str) -> dict[str, str]:
    """Ours, without what the suite has set for itself."""
    ours = ("BANZUKE_", "TEST_", "DJANGO_", "PYTEST_", "REDIS_URL", "DATABASE_URL", "VAR_DIR", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"VAR_DIR": str(var_dir), "DEMO": "0", "PORT": str(free_port())} | values


class Running:
    """A supervisor that has said that it is ready."""

    def __init__(self, var_dir: Path, **values: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.run"],
            cwd=ROOT,
            env=environment(var_dir, **values),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.line = self.process.stdout.readline()
        assert self.line.startswith("Banzuke: http://127.0.0.1:"), self.process.communicate()
        self.address = self.line.split()[1]
        self.tree = psutil.Process(self.process.pid).children(recursive=True)

    def part(self, name: str) -> psutil.Process:
        """The process that is this part now."""
        children = psutil.Process(self.process.pid).children()
        return next(child for child in children if name in " ".join(child.cmdline()))

    def parts(self) -> set[str]:
        """Which parts there are now."""
        words = [" ".join(child.cmdline()) for child in psutil.Process(self.process.pid).children()]
        return {part for part in PARTS if any(part in line for line in words)}

    def stop(self, number: int = signal.SIGTERM) -> tuple[str, str]:
        """Send a signal and wait; what else it said, and that nothing of it is left."""
        self.tree += psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(number)
        said = self.process.communicate(timeout=60)
        psutil.wait_procs(self.tree, timeout=20)
        assert [child for child in self.tree if child.is_running()] == []
        return said


def eventually(what: Callable[[], Any]) -> Any:
    """What it answers as soon as it is something; asked again and again for half a minute."""
    for _ in range(300):
        try:
            if found := what():
                return found
        except (StopIteration, psutil.Error, httpx.HTTPError):
            pass
        time.sleep(0.1)
    raise AssertionError("it never came")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(**values: str) -> Running:
        started.append(Running(tmp_path / "var dir", **values))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.stop()
        each.process.communicate()


def test_one_line_all_parts_and_nothing_left_afterwards(run: Callable[..., Running]) -> None:
    site = run()
    assert site.parts() == PARTS
    assert httpx.get(site.address).status_code < 500
    assert site.stop(signal.SIGINT) == ("", "")
    assert site.process.returncode == 0


def test_it_starts_again_on_the_same_data(run: Callable[..., Running], tmp_path: Path) -> None:
    site = run()
    data = tmp_path / "var dir"
    secret, database = (data / "secret_key").read_text(), (data / "banzuke.sqlite3").stat().st_ino
    site.stop()
    again = run()
    assert again.stop()[1] == ""
    assert ((data / "secret_key").read_text(), (data / "banzuke.sqlite3").stat().st_ino) == (secret, database)


def test_a_part_that_dies_starts_again(run: Callable[..., Running]) -> None:
    site = run()
    old = {name: site.part(name) for name in PARTS}
    for part in old.values():
        part.kill()
    eventually(lambda: site.parts() == PARTS and not {site.part(name) for name in PARTS} & set(old.values()))
    assert eventually(lambda: httpx.get(site.address).status_code < 500)
    said = site.stop()[1]
    assert all(f"{name} ended (-9)" in said for name in ("redis", "web", "worker", "beat"))


def test_nothing_is_left_when_the_supervisor_itself_is_killed(run: Callable[..., Running]) -> None:
    run().stop(signal.SIGKILL)


def test_it_ends_although_nobody_listens_any_more(run: Callable[..., Running]) -> None:
    site = run()
    assert site.process.stdout
    assert site.process.stderr
    site.process.stdout.close()
    site.process.stderr.close()
    site.process.stdout = site.process.stderr = None
    site.part("beat").kill()  # it wants to say so
    site.stop()
    assert site.process.returncode == 0


def test_only_one_runs_on_the_same_data(run: Callable[..., Running], tmp_path: Path) -> None:
    run()
    second = refused(tmp_path / "var dir")
    assert "in use" in second


def refused(var_dir: Path, **values: str) -> str:
    """What it says when it doesn't start: one line."""
    ended = subprocess.run(
        [sys.executable, "-m", "config.run"],
        cwd=ROOT,
        env=environment(var_dir, **values),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "70000"),
        ("PORT", "-1"),
        ("HOST", "192.0.2.1"),
        ("HOST", "no such host"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://127.0.0.1:1/0"),
        ("REDIS_URL", "redis://127.0.0.1:x/0"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("DATABASE_URL", "postgres://127.0.0.1:1/x"),
        ("DATABASE_URL", "postgres://u:p@h:port/x"),
        ("DATABASE_URL", "postgres://u:p@[h/x"),
        ("DATABASE_URL", "sqlite:////no/such/folder/x"),
        ("VAR_DIR", "/proc/banzuke"),
        ("DEBUG", "maybe"),
        ("DATABASE_POOL_SIZE", "0"),
        ("WEB_THREADS", "many"),
        ("WEB_THREADS", "0"),
        ("ALLOWED_HOSTS", "https://banzuke.example"),
        ("CSRF_TRUSTED_ORIGINS", "banzuke.example"),
        ("TIME_ZONE", "Mars"),
        ("LOG_LEVEL", "loud"),
        ("EMAIL_URL", "pigeon://"),
        ("EMAIL_URL", "smtp://u:p@h:port"),
        ("EMAIL_VERIFICATION", "sometimes"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    assert refused(tmp_path / "var", **{name: value}).startswith(f"banzuke: {name}: ")


def test_a_secret_is_kept_as_a_whole_or_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "var" / "banzuke"
    secret = own_secret(folder)
    assert own_secret(folder) == secret
    assert len(secret) > 60
    assert [(file.name, file.stat().st_mode & 0o777) for file in folder.iterdir()] == [("secret_key", 0o600)]
    (folder / "secret_key").write_text("")
    anew = own_secret(folder)
    assert len(anew) > 60
    assert own_secret(folder) == anew != secret


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert refused(tmp_path / "var", PORT=port).startswith(f"banzuke: PORT: {port} can't be used")


def test_the_embedded_redis_wants_its_password(run: Callable[..., Running]) -> None:
    port = next(each.laddr.port for each in run().part("valkey-server").net_connections() if each.status == "LISTEN")
    with redis.Redis(port=port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
