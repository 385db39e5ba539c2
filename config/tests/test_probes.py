"""Health, metrics, and the request's id."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import subprocess
import sys
from datetime import timedelta
from logging.config import DictConfigurator
from queue import Queue

import httpx
import pytest
import structlog
from celery import current_app, shared_task
from celery.contrib.testing.worker import start_worker
from django.conf import settings as site
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.services import heartbeat
from accounts.tests.factories import UserFactory, api_client
from common.redis import client as redis_client
from config import logs, metrics, probes, tracing
from config.run.child import LOUD
from ratematch.models import Match
from ratematch.rules.lifecycle import State
from ratematch.tests.factories import Table

LOOPBACK = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1:8001"}


@pytest.fixture
def whole(db):
    """A site with a worker that has just swept."""
    heartbeat.beat(heartbeat.WORKER, timezone.now())


def ready(client):
    answer = client.get(probes.READY)
    return answer.status_code, answer.json()


def test_live_asks_nothing_and_nobody(client):
    """No database, no host name, no redirect: a monitor may ask by address."""
    answer = client.get(probes.LIVE, headers={"host": "10.0.0.7:8001"})
    assert (answer.status_code, answer.json(), answer["Cache-Control"]) == (200, {"status": "ok"}, "no-store")
    assert client.post(probes.LIVE).status_code == 405


def test_ready_when_all_is_well(client, whole):
    code, body = ready(client)
    assert (code, body["status"]) == (200, "ok")
    assert list(body["parts"]) == ["database", "redis", "deadlines", "worker"]


def test_a_silent_worker(client, db):
    assert ready(client)[0] == 503
    heartbeat.beat(heartbeat.WORKER, timezone.now() - timedelta(seconds=31))
    code, body = ready(client)
    assert (code, body["status"], body["parts"]["worker"]["ok"]) == (503, "failing", False)
    assert body["parts"]["worker"]["silent_s"] >= 31


def test_an_overdue_deadline(client, whole):
    table = Table(now=timezone.now())
    assert ready(client)[0] == 200
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() - timedelta(seconds=40))
    code, body = ready(client)
    assert (code, body["parts"]["deadlines"]["ok"]) == (503, False)
    assert body["parts"]["deadlines"]["oldest_overdue_s"] >= 40


def test_during_our_own_outage_no_deadline_is_overdue(client, whole):
    table = Table(now=timezone.now())
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() - timedelta(seconds=40))
    heartbeat.beat(heartbeat.WEB, timezone.now() - timedelta(minutes=5))
    assert ready(client)[1]["parts"]["deadlines"]["ok"]


def test_no_redis(client, whole, monkeypatch):
    away = redis_client().__class__.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.2)
    monkeypatch.setattr(probes, "client", lambda: away)
    code, body = ready(client)
    assert (code, body["parts"]["redis"]) == (503, {"ok": False})


@pytest.mark.skipif(connection.vendor != "sqlite", reason="one database that is away is enough")
def test_no_database(tmp_path):
    """In a process of its own: the answer has no word of the database's, which could hold its address."""
    code = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "answer = Client().get('/health/ready')\n"
        "print(answer.status_code, answer.content.decode())\n"
    )
    env = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/none/at/all.sqlite3", "VAR_DIR": str(tmp_path)}
    env |= {"DJANGO_SETTINGS_MODULE": "config.settings.development", "PYTHONPATH": str(site.BASE_DIR)}
    seen = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)  # noqa: S603
    status, _, body = seen.stdout.partition(" ")
    assert (status, json.loads(body)["parts"]["database"]) == ("503", {"ok": False})
    assert "none" not in body


def test_metrics_are_for_this_machine_or_a_token(client, db, settings):
    assert client.get(probes.METRICS, **LOOPBACK).status_code == 200
    assert client.get(probes.METRICS, REMOTE_ADDR="::1", HTTP_HOST="[::1]:8001").status_code == 200
    for other in (
        {"REMOTE_ADDR": "10.0.0.7"},
        {"HTTP_X_FORWARDED_FOR": "10.0.0.7"},
        {"HTTP_X_REAL_IP": "10.0.0.7"},
        {"HTTP_HOST": "evil.example"},
        {"HTTP_HOST": ""},
    ):
        assert client.get(probes.METRICS, **LOOPBACK | other).status_code == 404
    bearer = {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer long enough"}
    assert client.get(probes.METRICS, **bearer).status_code == 404
    settings.METRICS_TOKEN = "long enough"
    assert client.get(probes.METRICS, **bearer).status_code == 200
    assert client.get(probes.METRICS, **bearer | {"HTTP_AUTHORIZATION": "Bearer wrong"}).status_code == 404
    assert client.get(probes.METRICS, **bearer | {"HTTP_AUTHORIZATION": ""}).status_code == 404


def test_metrics_say_how_the_site_is(client, db):
    now = timezone.now()
    table = Table(now=now).to(State.PLAYING)
    Match.objects.filter(pk=table.id).update(deadline_at=now - timedelta(seconds=40))
    client.get("/")
    text = client.get(probes.METRICS, **LOOPBACK).content.decode()
    figures = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert figures["banzuke_matches", ("state", "playing")] == 1
    assert figures["banzuke_overdue_deadlines",] == 1
    assert figures["banzuke_oldest_overdue_seconds",] >= 40
    assert figures["banzuke_queue_length",] == 0
    assert figures["banzuke_webhook_backlog",] == 0
    assert figures["banzuke_streams_open",] == 0
    home = (("method", "GET"), ("route", ""), ("status", "200"))
    assert figures["banzuke_request_seconds_count", *home] >= 1
    assert "@example.org" not in text


def test_more_rows_make_no_more_queries(db, django_assert_num_queries):
    now = timezone.now()
    Table(now=now)
    with CaptureQueriesContext(connection) as queries:
        metrics.page(now)
    Table(now=now)
    with django_assert_num_queries(len(queries)):
        metrics.page(now)


def test_an_open_stream_is_counted(live_site, client):
    token = api_client(UserFactory())._credentials["HTTP_AUTHORIZATION"]
    headers = {"Authorization": token, "X-Request-ID": "stream-1"}
    with httpx.stream("GET", f"{live_site}/api/v1/events", headers=headers) as answer:
        assert answer.headers["x-request-id"] == "stream-1"
        lines = answer.iter_lines()
        next(lines)
        assert "banzuke_streams_open 1.0" in httpx.get(f"{live_site}/metrics").text
    refused = httpx.get(f"{live_site}/api/v1/events", headers={"X-Request-ID": "stream-2"})
    assert (refused.headers["x-request-id"], refused.json()["request_id"]) == ("stream-2", "stream-2")


def test_every_answer_has_the_requests_id(client, db):
    assert client.get("/", headers={"x-request-id": "abc-1.2_3"})["X-Request-ID"] == "abc-1.2_3"
    made = client.get("/")["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", made)
    for odd in ("a b", "x" * 65, "{}", "番付", ""):
        given = client.get("/", headers={"x-request-id": odd})["X-Request-ID"]
        assert re.fullmatch("[0-9a-f]{32}", given)
    problem = api_client().get("/api/v1/me", headers={"x-request-id": "me-1"})
    assert (problem.status_code, problem.json()["request_id"], problem["X-Request-ID"]) == (401, "me-1", "me-1")
    assert structlog.contextvars.get_contextvars() == {}


@pytest.fixture
def lines(request):
    """What is written to the log while the test runs, in the form that the test asks for."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    made = logs.settings_for("INFO", request.param)
    handler.setFormatter(DictConfigurator(made).configure_formatter(dict(made["formatters"]["line"])))
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: stream.getvalue().splitlines()
    root.removeHandler(handler)


@pytest.mark.parametrize("lines", ["json"], indirect=True)
def test_a_line_is_an_object_with_the_requests_id(client, db, lines, settings):
    user = UserFactory(email="secret.person@example.org")
    client.get(f"/players/{user.pk}/?q=hidden", headers={"x-request-id": "abc"})
    line = next(json.loads(line) for line in lines() if "banzuke.request" in line)
    assert line["request_id"] == "abc"
    assert (line["event"], line["level"], line["status"], line["method"]) == ("request", "info", 200, "GET")
    assert line["route"] == "players/<int:pk>/"
    assert "hidden" not in json.dumps(line)


@pytest.mark.parametrize("lines", ["json", "text"], indirect=True)
def test_nobodys_address_and_no_key_is_written(lines):
    try:
        raise ValueError("can't mail to someone@example.org with bz_0123456789abcdef")
    except ValueError:
        logging.getLogger("test").exception("whsec_QUJDQUJDQUJD of someone.else@mail.example.org")
    text = "\n".join(lines())
    assert "ValueError" in text
    assert "example.org" not in text
    assert "0123456789" not in text
    assert "QUJD" not in text


@pytest.mark.parametrize("lines", ["text"], indirect=True)
def test_people_get_lines_that_the_supervisor_understands(lines):
    with structlog.contextvars.bound_contextvars(request_id="abc"):
        logging.getLogger("common.hub").warning("words of %s", "mine")
    assert LOUD.match(lines()[0])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d [\d:]{8},\d{3} WARNING common.hub words of mine request_id=abc", lines()[0])


seen: Queue[str] = Queue()


@shared_task(name="config.tests.note_request_id")
def note_request_id() -> None:
    seen.put(structlog.contextvars.get_contextvars()["request_id"])


@pytest.mark.django_db(transaction=True)
def test_a_task_has_the_id_of_the_request_that_woke_it():
    import config.celery  # noqa: F401  # connects the signals, as every process of the site does

    with structlog.contextvars.bound_contextvars(request_id="woke-1"):
        note_request_id.delay()
    own = note_request_id.delay()
    with start_worker(current_app, perform_ping_check=False, loglevel="WARNING", shutdown_timeout=20):
        assert {seen.get(timeout=20), seen.get(timeout=20)} == {"woke-1", own.id}
    assert tracing.FORM.fullmatch(own.id)
