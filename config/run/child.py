"""A process of ours: started, watched, started again, stopped with all its own children."""

import contextlib
import ctypes
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

LOUD = re.compile(r"(\d{4}-\d\d-\d\d [\d:,]+ )?(WARNING|ERROR|CRITICAL)\b")
LOG_BYTES = 5_000_000
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 15.0
STOP_WITHIN_S = 5.0
STEADY_AFTER_S = 30.0
"""A process that lived so long starts again without delay."""

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1


def say(text: str) -> None:
    """A line for whoever started us, who may have closed the pipe that we write to."""
    with contextlib.suppress(OSError, ValueError):
        print(f"banzuke: {text}", file=sys.stderr, flush=True)  # noqa: T201


def _end_with_supervisor() -> None:
    """In the new process: get SIGTERM when the supervisor is killed outright. Only Linux has this."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """One process, in a session of its own, so that Ctrl-C reaches it only through `stop`."""

    def __init__(
        self,
        name: str,
        command: list[str],
        log_dir: Path,
        *,
        cwd: Path | None = None,
        stdin: bytes = b"",
        user: str | None = None,
    ) -> None:
        """What to start, not yet the start.

        Args:
            log_dir: its output goes to `<name>.log` there.
            stdin: what it reads at its start: secrets go here, since everybody on the machine can see arguments.
            user: whom it runs as, if not as ourselves; only root can choose.
        """
        self.name, self.command, self.cwd, self.stdin, self.user = name, command, cwd, stdin, user
        self.log_path = log_dir / f"{name}.log"
        self.last_lines: deque[str] = deque(maxlen=20)
        self._log = logging.Logger(name)
        self._log.addHandler(RotatingFileHandler(self.log_path, maxBytes=LOG_BYTES, backupCount=1))
        self._pause_s = FIRST_PAUSE_S
        self._start_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; its output goes to its log, warnings also to our own standard error."""
        self._started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            cwd=self.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=self.user,
            preexec_fn=_end_with_supervisor,  # noqa: PLW1509  # one prctl, bound before any thread was started
        )
        assert self.process.stdin
        assert self.process.stdout
        with contextlib.suppress(BrokenPipeError), self.process.stdin as stdin:
            stdin.write(self.stdin)
        threading.Thread(target=self._keep_log, args=(self.process.stdout,), daemon=True).start()

    def is_dead(self) -> bool:
        """Whether it was started and has ended."""
        return self.process is not None and self.process.poll() is not None

    def age_s(self) -> float:
        """Seconds since it was started."""
        return time.monotonic() - self._started

    def keep_alive(self) -> None:
        """If it has ended, start it again: at once after a long life, else after a pause that doubles each time."""
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return
            self._kill_group()
            self._pause_s = FIRST_PAUSE_S if self.age_s() > STEADY_AFTER_S else min(self._pause_s * 2, LONGEST_PAUSE_S)
            self._start_at = time.monotonic() + self._pause_s
            self.process = None
            say(f"{self.name} ended ({code}) and starts again in {self._pause_s:.0f} s; see {self.log_path}")
        if time.monotonic() >= self._start_at:
            self.start()

    def restart(self) -> None:
        """End it and start it again."""
        self.terminate()
        self.wait_or_kill(time.monotonic() + STOP_WITHIN_S)
        self.start()

    def terminate(self) -> None:
        """Ask it to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait_or_kill(self, until: float) -> None:
        """Wait for its end until `until` (monotonic seconds), then kill it; and what it leaves behind in any case."""
        if self.process is None:
            return
        try:
            self.process.wait(max(until - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            say(f"{self.name} didn't end in time and was killed")
        self._kill_group()
        self.process.wait()
        self.process = None

    def _kill_group(self) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _keep_log(self, output: IO[bytes]) -> None:
        for line in output:
            text = line.decode(errors="replace").rstrip()
            self._log.info("%s", text)
            self.last_lines.append(text)
            if LOUD.match(text):
                say(f"{self.name}: {text}")
