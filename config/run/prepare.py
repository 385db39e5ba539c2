"""What has to be so before the site starts: settings that hold, Redis and database that answer, tables, demo data."""

import fcntl
import io
import os
import shlex
import sys
from datetime import timedelta
from pathlib import Path
from typing import IO

import django
import psycopg
import redis
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from config.env import Env, stop

DEVELOPMENT = "config.settings.development"


def settings_hold() -> None:
    """Load all settings; a wrong value ends the process with one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", DEVELOPMENT)
    django.setup()


def only_once(var_dir: Path) -> IO[str]:
    """A lock on this folder's data, as long as the answer is kept. Ends the process when another holds it."""
    try:
        var_dir.mkdir(parents=True, exist_ok=True)
        lock = (var_dir / "run.lock").open("a")
    except OSError as error:
        stop("VAR_DIR", f"can't be written: {error}")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stop("VAR_DIR", f"{var_dir} is in use: Banzuke already runs on it")
    return lock


def redis_answers() -> None:
    """Ends the process when the server of REDIS_URL doesn't."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        stop("REDIS_URL", f"no answer: {error}")


def database_is_current() -> None:
    """Bring the tables up to date. Ends the process when the database can't be reached."""
    try:
        if connection.vendor == "postgresql":  # not by the pool, which would try for long and complain of each try
            psycopg.connect(**connection.get_connection_params() | {"connect_timeout": 5}).close()
        connection.ensure_connection()
    except (DatabaseError, psycopg.Error) as error:
        stop("DATABASE_URL", f"no answer: {' '.join(str(error).split())}")
    call_command("migrate", verbosity=0, interactive=False)


def demo_accounts() -> str:
    """Load the demo data into a site that nobody uses yet, unless DEMO=0. Answers how to sign in with it."""
    from ratematch.demo import people  # tables can be imported once Django is set up

    wanted = Env().bool("DEMO", default=settings.SETTINGS_MODULE == DEVELOPMENT)
    if wanted and not get_user_model().objects.exists():
        call_command("demo", stdout=io.StringIO())
    if not people.are_there():
        return ""
    one, two = (person.email for person in people.PEOPLE[:2])
    moderator = f"{people.MODERATOR}@{people.DOMAIN}"
    code = f"{shlex.quote(sys.executable)} manage.py demo_code {moderator}"
    return f"Demo: {one}, {two}, moderator {moderator}, password {people.PASSWORD}, the moderator's code: {code}"


def worker_is_silent(seconds: float) -> bool:
    """Whether the worker's last sweep is longer ago than that. A database that doesn't answer is no silence."""
    from accounts.services.heartbeat import WORKER, last_beat

    try:
        beat_at = last_beat(WORKER)
    except DatabaseError:
        return False
    finally:
        connection.close()
    return beat_at is None or timezone.now() - beat_at > timedelta(seconds=seconds)
