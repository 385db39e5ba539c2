"""Start everything, keep it running, stop everything."""

import contextlib
import http.client
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from config.run import address, prepare, redis_server
from config.run.child import Child, say

READY_WITHIN_S = 60
STOP_WITHIN_S = 8
SILENT_AFTER_S = 30
"""A worker that lives but hasn't swept for so long is started again: it can fall silent when Redis restarts."""
TICK_S = 0.25
LOOK_AT_WORKER_EVERY_S = 5

stopping = threading.Event()


def main() -> int:
    """Run until Ctrl-C, SIGTERM or a hang-up. Returns the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop_soon)
    here = address.from_environment()
    own_redis = redis_server.private_url() if not os.environ.get("REDIS_URL") else ""
    if own_redis:
        os.environ["REDIS_URL"] = own_redis
    os.environ.setdefault("SITE_URL", str(here.reachable))
    prepare.settings_hold()
    with prepare.only_once(settings.VAR_DIR):
        logs = settings.VAR_DIR / "log"
        logs.mkdir(exist_ok=True)
        children: list[Child] = []
        try:
            return _run(here, own_redis, logs, children)
        finally:
            _stop_all(children)


def _run(here: address.Address, own_redis: str, logs: Path, children: list[Child]) -> int:
    if own_redis:
        server = redis_server.RedisServer(settings.VAR_DIR / "redis", logs, own_redis, keep=True)
        children.append(server)
        server.start()
        if not server.wait_until_ready():
            return _failed(server)
    prepare.redis_answers()
    prepare.database_is_current()
    accounts = prepare.demo_accounts()
    if stopping.is_set():
        return 0
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    web = Child("web", _uvicorn(here), logs)
    worker = Child("worker", [*celery, "worker", "-c2", "-lWARNING", "--without-mingle", "--without-gossip"], logs)
    beat = Child("beat", [*celery, "beat", "-lWARNING", "--pidfile="], logs)
    for child in (web, worker, beat):
        children.append(child)
        child.start()
    if not _wait_for(lambda: _is_served(here.reachable), web):
        return 0 if stopping.is_set() else _failed(web)
    with contextlib.suppress(BrokenPipeError):
        print(f"Banzuke: {here.reachable}/ {accounts}".rstrip(), flush=True)  # noqa: T201
    _watch(children, worker, beat)
    return 0


def _uvicorn(here: address.Address) -> list[str]:
    listen = ["--host", here.host, "--port", str(here.port), "--timeout-graceful-shutdown", "3"]
    quiet = ["--no-access-log", "--no-server-header", "--no-proxy-headers", "--log-level", "warning"]
    return [sys.executable, "-m", "uvicorn", "config.asgi:application", *listen, *quiet]


def _is_served(here: address.Address) -> bool:
    """Whether a page comes back; what it says is not our matter."""
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
    connection = http.client.HTTPConnection(here.host, here.port, timeout=10)
    try:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _wait_for(ready: Callable[[], bool], child: Child) -> bool:
    until = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < until and not child.is_dead() and not stopping.is_set():
        if ready():
            return True
        stopping.wait(TICK_S)
    return False


def _watch(children: list[Child], worker: Child, beat: Child) -> None:
    """Keep all children alive until we are told to stop."""
    look_at = time.monotonic()
    while not stopping.wait(TICK_S):
        for child in children:
            child.keep_alive()
        if time.monotonic() >= look_at:
            look_at = time.monotonic() + LOOK_AT_WORKER_EVERY_S
            if worker.age_s() > SILENT_AFTER_S and prepare.worker_is_silent(SILENT_AFTER_S):
                say(f"no sweep for {SILENT_AFTER_S} s: worker and beat start again")
                for child in (worker, beat):
                    child.restart()


def _failed(child: Child) -> int:
    """Say why a child that is needed didn't come up."""
    say(f"{child.name} doesn't start; the end of {child.log_path}:")
    for line in child.last_lines:
        say(f"  {line}")
    return 1


def _stop_all(children: list[Child]) -> None:
    """Stop the others before Redis, which stands first: they need it to end well."""
    until = time.monotonic() + STOP_WITHIN_S
    others = [child for child in children if not isinstance(child, redis_server.RedisServer)]
    for group in (others, [child for child in children if child not in others]):
        for child in group:
            child.terminate()
        for child in group:
            child.wait_or_kill(until)
        until = time.monotonic() + STOP_WITHIN_S


def _stop_soon(number: int, stack: Any) -> None:
    """Finish the step at hand, then stop; at a second signal, give up at once."""
    stopping.set()
    signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
