"""CPU and queries of pages and of API reads, as multiples of a bare view."""

from __future__ import annotations

from datetime import timedelta
from statistics import median

from django.db import connection
from django.utils import timezone

from accounts.models import ApiToken
from accounts.services import tokens
from ratematch.models import Engagement
from scripts.bench import crowd
from scripts.bench.report import Figure, say
from scripts.bench.web import Request, by_cookie, by_token

MATCH, LADDER, API = 6, 8, 8
"""Targets, in bare views."""


def run(quick: bool) -> None:
    """Measure in rounds, each with the bare view in it, so that a noisy moment hits all alike."""
    bare, requests = _prepare()
    # Another reader of the database, as there is on every site. An SQLite file is tidied up by the last one that leaves
    # it, and without this one each request here would have to pay for that.
    other = connection.copy()
    other.cursor().execute("SELECT 1 FROM django_session")
    rounds, times = (5, 3) if quick else (25, 6)
    for request, _target in [(bare, None), *requests]:
        request.cpu_ms(5)
    say(f"pages: {rounds} rounds of {len(requests)} pages")
    bare_ms: list[float] = []
    taken: dict[str, list[tuple[float, float]]] = {request.path: [] for request, _target in requests}
    for _ in range(rounds):
        bare_now = bare.cpu_ms(4 * times)
        bare_ms.append(bare_now)
        for request, _target in requests:
            taken[request.path].append((request.cpu_ms(times), bare_now))
    Figure("Page", "a bare view", f"{median(bare_ms):.2f} ms, {len(bare.queries())} queries").print()
    for request, target in requests:
        ratio = median(cost / bare_now for cost, bare_now in taken[request.path])
        text = f"{ratio:.1f} × ({median(cost for cost, _ in taken[request.path]):.1f} ms, "
        text += f"{len(request.queries())} queries)"
        goal = f"≤ {target} ×" if target else ""
        part = "API" if request.path.startswith("/api/") else "Page"
        Figure(part, request.what, text, goal, ratio <= target if target else None).print()


def _prepare() -> tuple[Request, list[tuple[Request, float | None]]]:
    now = timezone.now()
    say("pages: 1,000 players, 53 matches played through the services")
    busy, idle, *others = crowd.players(1000, now)
    for number in range(25):
        at = now - timedelta(hours=30 - number)
        finished = crowd.match(busy, others[number], at, 6)
        crowd.match(idle, others[number], at, 6)
    reporting_one, reporting_two = others[50], others[51]
    running = crowd.match(busy, others[52], now, 2)
    reporting = crowd.match(reporting_one, reporting_two, now, 5)
    crowd.wait([(player, Engagement.NEAR) for player in others[100:130]], now)

    mine, spare, reporter = map(by_cookie, crowd.cookies([busy.user, idle.user, reporting_one.user]))
    keys = [
        by_token(tokens.create(actor=player.user, name="bench", scopes=ApiToken.SCOPES, days=1, now=now)[1])
        for player in (busy, idle)
    ]
    api = "/api/v1"
    return Request("bare", "/bare/", mine), [
        (Request("match, being played, one's own", f"/matches/{running.pk}/", mine), MATCH),
        (Request("match, results being reported, one's own", f"/matches/{reporting.pk}/", reporter), MATCH),
        (Request("match, finished, one's own", f"/matches/{finished.pk}/", mine), MATCH),
        (Request("lobby, 30 waiting", "/matches/", spare), None),
        (Request("ladder, 50 players", "/matches/ladder/", mine), LADDER),
        (Request("a player, 25 matches", f"/matches/players/{busy.pk}/", mine), None),
        (Request("home, one open match", "/", mine), None),
        (Request("match, being played, one's own", f"{api}/ratematch/matches/{running.pk}", keys[0]), API),
        (Request("match, finished, one's own", f"{api}/ratematch/matches/{finished.pk}", keys[0]), API),
        (Request("ladder, 50 players", f"{api}/ratematch/ladder", keys[0]), API),
        (Request("queue, 30 waiting", f"{api}/ratematch/queue", keys[1]), API),
        (Request("oneself as a player", f"{api}/ratematch/players/me", keys[0]), API),
        (Request("oneself", f"{api}/me", keys[0]), API),
    ]
