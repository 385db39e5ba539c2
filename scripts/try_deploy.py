"""Try what is under deploy/, as it is written there: nginx, granian, uvicorn, worker, beat, PostgreSQL and Redis.

    .venv/bin/python -m scripts.try_deploy

Needs nginx and openssl. Names, folders and ports are replaced by ones that do no harm; everything else is taken from
the files. Prints what it saw, and ends with 1 if that isn't what it should be.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
import httpx
import psycopg
import redis

from config.run.child import Child
from config.run.redis_server import RedisServer, free_port, private_url
from testing.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent
UNITS = ("web", "live", "worker", "beat")
failures: list[str] = []


def saw(what: str, good: object) -> None:
    """Print one finding."""
    print(f"{'ok  ' if good else 'BAD '} {what}", flush=True)
    if not good:
        failures.append(what)


def main() -> int:
    """Start all, look, stop all."""
    folder = Path(tempfile.mkdtemp(prefix="banzuke-try-"))
    folder.chmod(0o755)  # nginx's workers read the static files
    ports = {"80": free_port(), "443": free_port(), "8001": free_port(), "8002": free_port()}
    database, server = Postgres(), RedisServer(folder / "redis", folder, private_url(), keep=True)
    children: list[Child] = [server]
    try:
        server.start()
        saw("Redis answers", server.wait_until_ready())
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE banzuke")
        site = f"https://localhost:{ports['443']}"
        os.environ.update(environment(site, url_of(database), server.url, folder / "var"))
        for command in ("check --deploy --fail-level ERROR", "migrate -v0", "collectstatic -v0 --no-input"):
            manage(command)
        manage("demo --yes-really")
        children += [unit(name, folder, ports) for name in UNITS]
        children.append(nginx(folder, ports))
        for child in children[1:]:
            child.start()
        look(site, ports, server, database, children)
    finally:
        for child in reversed(children):
            began = time.monotonic()
            child.terminate()
            child.wait_or_kill(began + 15)
            saw(f"{child.name} stops in {time.monotonic() - began:.1f} s", time.monotonic() - began < 10)
        database.remove()
        if failures:
            print(f"logs are kept in {folder}")
        else:
            shutil.rmtree(folder)
    return 1 if failures else 0


def url_of(database: Postgres) -> str:
    """The site's own database on it."""
    return database.url.removesuffix("postgres") + "banzuke"


def environment(site: str, database_url: str, redis_url: str, var_dir: Path) -> dict[str, str]:
    """deploy/env.example with values that work here."""
    lines = (ROOT / "deploy/env.example").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return values | {
        "SECRET_KEY": "only for this try, and long enough to please the deployment check, 1234567890",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "ALLOWED_HOSTS": "localhost",
        "CSRF_TRUSTED_ORIGINS": site,
        "VAR_DIR": str(var_dir),
        "EMAIL_URL": "consolemail://",
        "EMAIL_VERIFICATION": "optional",
    }


def manage(command: str) -> None:
    subprocess.run([sys.executable, "manage.py", *command.split()], cwd=ROOT, check=True)


def unit(name: str, folder: Path, ports: dict[str, int]) -> Child:
    """What a systemd unit starts."""
    text = (ROOT / f"deploy/systemd/banzuke-{name}.service").read_text().replace("\\\n", " ")
    start = re.search(r"^ExecStart=(.*)$", text, re.M)
    assert start
    command = start[1].replace("/srv/banzuke/.venv/bin/", f"{shlex.quote(str(Path(sys.executable).parent))}/")
    for port in ("8001", "8002"):
        command = command.replace(f"--port {port}", f"--port {ports[port]}")
    for directory in re.findall(r"^RuntimeDirectory=(.*)$", text, re.M):  # systemd makes it, below /run
        (folder / directory).mkdir()
    own = [line.replace("=/run/", f"={folder}/") for line in re.findall(r"^Environment=(.*)$", text, re.M)]
    return Child(name, ["env", *own, *shlex.split(command)], folder, cwd=ROOT)


def nginx(folder: Path, ports: dict[str, int]) -> Child:
    """nginx with deploy/nginx.conf."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    make = f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout {key} -out {certificate}"
    subprocess.run(make.split(), check=True, capture_output=True)
    site = (ROOT / "deploy/nginx.conf").read_text().replace("banzuke.example;", "localhost;")
    site = re.sub(r"(ssl_certificate ).*?;", rf"\1{certificate};", site)
    site = re.sub(r"(ssl_certificate_key ).*?;", rf"\1{key};", site)
    site = site.replace("/srv/banzuke/var/static/", f"{folder}/var/static/")
    site = site.replace("https://$host$", f"https://$host:{ports['443']}$")
    for port, free in ports.items():
        site = re.sub(rf"(listen (?:\[::\]:)?|127\.0\.0\.1:){port}\b", rf"\g<1>{free}", site)
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr warn; worker_processes 2; events {{}}\n"
        f"http {{ include /etc/nginx/mime.types; access_log off; gzip on; {temporary}\n{site}}}\n"
    )
    return Child("nginx", ["nginx", "-c", str(folder / "nginx.conf"), "-e", "stderr"], folder)


def look(site: str, ports: dict[str, int], server: RedisServer, database: Postgres, children: list[Child]) -> None:
    """Visit the site as a browser and a program do."""
    visitor = httpx.Client(base_url=site, verify=False, timeout=20, http2=False, headers={"Referer": site})  # noqa: S501
    saw("the site comes up", eventually(lambda: visitor.get("/").status_code == 200))
    saw("plain HTTP is sent to HTTPS", httpx.get(f"http://localhost:{ports['80']}/").status_code == 301)

    web, live = (f"http://127.0.0.1:{ports[port]}" for port in ("8001", "8002"))
    saw("the site is whole", eventually(lambda: httpx.get(f"{web}/health/ready").status_code == 200))
    saw("both kinds of processes live", {httpx.get(f"{part}/health/live").status_code for part in (web, live)} == {200})
    saw("figures are asked on this machine", "banzuke_request_seconds_count" in httpx.get(f"{web}/metrics").text)
    saw("and of the process of streams", "banzuke_streams_open" in httpx.get(f"{live}/metrics").text)
    saw("and are nobody else's", visitor.get("/metrics").status_code == 404)

    home = visitor.get("/")
    saw(
        "HSTS and a content security policy are set",
        {"strict-transport-security", "content-security-policy"} <= set(home.headers),
    )
    style = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', home.text)
    saw("pages name static files by their content", style)
    if style:
        sheet = visitor.get(style[1])
        saw("static files come from disk, for ever", "immutable" in sheet.headers["cache-control"])
        saw("and compressed", sheet.headers.get("content-encoding") == "gzip")

    visitor.get("/accounts/login/")
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from ratematch.demo import people

    form = {"login": people.PEOPLE[0].email, "password": people.PASSWORD}
    signed_in = visitor.post("/accounts/login/", data=form | {"csrfmiddlewaretoken": visitor.cookies["csrftoken"]})
    saw("a player signs in", signed_in.status_code == 302 and "sessionid" in visitor.cookies)
    saw("its cookie is secure", "secure" in signed_in.headers.get("set-cookie", "").lower())

    with visitor.stream("GET", "/live/") as stream:
        lines = stream.iter_lines()
        next(lines)
        with redis.Redis.from_url(server.url) as publisher:
            publisher.xadd("live", {"to": "site", "verb": "trial", "facts": "{}"})
        began = time.monotonic()
        for line in lines:
            if line == "event: trial":
                break
        saw(f"a live update arrives in {1000 * (time.monotonic() - began):.0f} ms", time.monotonic() - began < 1)
    saw("programs need a token for it", visitor.get("/api/v1/events").status_code == 401)
    saw("the API answers", visitor.get("/api/v1/schema/").status_code == 200)

    large = visitor.post("/", content=b"0" * 45_000_000)
    saw("45 MB are refused by nginx", large.status_code == 413)
    saw("the worker sweeps", eventually(lambda: is_fresh(database, "worker")))
    saw("pages say that they can be reached", is_fresh(database, "web"))

    began = time.monotonic()
    answers = [visitor.get("/matches/").status_code for _ in range(200)]
    rate = len(answers) / (time.monotonic() - began)
    saw(f"200 pages of the lobby, one after another: {rate:.0f} a second", set(answers) <= {200, 302})

    web = next(child for child in children if child.name == "web")
    assert web.process
    workers = subprocess.run(["pgrep", "-P", str(web.process.pid)], capture_output=True, text=True, check=True)
    subprocess.run(["kill", "-9", workers.stdout.split()[0]], check=True)
    saw("one web process is killed: pages go on", {visitor.get("/").status_code for _ in range(20)} == {200})
    with psycopg.connect(url_of(database)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'banzuke'").fetchone() or (
            0,
        )
    saw(f"{count} database connections for all processes", count < 60)


def is_fresh(database: Postgres, part: str) -> Any:
    with psycopg.connect(url_of(database)) as connection:
        query = "SELECT 1 FROM accounts_heartbeat WHERE part = %s AND beat_at > now() - interval '10 s'"
        return connection.execute(query, [part]).fetchone()


def eventually(what: Callable[[], object]) -> bool:
    """Whether it comes true within half a minute."""
    for _ in range(150):
        try:
            if what():
                return True
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    return False


if __name__ == "__main__":
    sys.exit(main())
