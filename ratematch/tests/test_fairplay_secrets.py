"""Points, thresholds and how levels move are secret (rules §4): nothing that players or others can read has them.

The policy of these tests has numbers that occur nowhere else, so that any trace of them can be found; then everything
is read: every page, every answer of the API, every notice, and every event that is published.
"""

import json
import re

import pytest
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.tests.factories import api_client
from common.live import STREAM
from common.redis import client as redis
from ratematch.api.urls import urlpatterns as api_patterns
from ratematch.models import FairPlayPolicy, LevelChange, Player
from ratematch.rules.fairplay import Category
from ratematch.rules.lifecycle import State
from ratematch.services import cases, chat, penalties, reports
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db

POINTS = {category.value: 10_101 + number for number, category in enumerate(Category)}
POLICY = POINTS | {
    "b_from": 10_201,
    "c_from": 10_901,
    "d_from": 30_301,
    "lasts_days": 10_401,
    "reports": 10_501,
    "reports_days": 10_601,
    "leaves": 10_701,
    "leaves_days": 10_801,
}
SECRETS = re.compile(r"\b(?:10|30)[,.]?[1-9]0[1-9]\b|\b20[,.]?2\d\d\b|points_|b_from|threshold", re.IGNORECASE)
"""The numbers of the policy, and sums of two of them, in any writing; and the words of its columns."""


@pytest.fixture
def site():
    """A settled match whose Player 1 is at level C, by reports, penalties, a mute and a withdrawn one."""
    FairPlayPolicy.objects.update_or_create(pk=1, defaults=POLICY)
    now = timezone.now()
    table = Table(now=now).to(State.SETTLED)
    accused, moderator = table.player(0), factories.moderator()
    report = reports.report_opponent(
        match_id=table.id, actor=table.user(1), category="abuse", text="Insults.", uploads=[], now=now
    )
    cases.decide(
        case_id=report.case.pk, actor=moderator, verdict="penalised", category="abuse", reason="Seen.", now=now
    )
    first = penalties.penalise_player(
        player_id=accused.pk, actor=moderator, category="disconnect", reason="Seen.", now=now
    )
    penalties.withdraw_penalty(penalty_id=first.pk, actor=factories.chief(), reason="Mistaken.", now=now)
    penalties.penalise_player(player_id=accused.pk, actor=moderator, category="chat", reason="Seen.", now=now)
    chat.say_in_match(match_id=table.id, actor=table.user(1), text="Good game", now=now)
    accused.refresh_from_db()
    assert (accused.level, LevelChange.objects.count() > 0) == ("C", True)
    return table


def pages(table):
    """Every address of a page of ratematch and of the accounts that can be read, about this match and player."""
    for pattern in get_resolver("config.urls").url_patterns:
        prefix = str(pattern.pattern)
        if prefix.startswith(("admin", "api", "live", "static")):
            continue
        for address in _addresses(pattern, ""):
            player = "players/" in address
            path = "/" + re.sub(r"<int:\w+>", str(table.player(0).pk if player else table.id), address)
            if "<" not in path and "logout" not in path:
                yield path


def _addresses(pattern, prefix):
    here = prefix + str(pattern.pattern).removeprefix("^").removesuffix("$")
    if hasattr(pattern, "url_patterns"):
        for inner in pattern.url_patterns:
            yield from _addresses(inner, here)
    elif "(" not in here:
        yield here


def test_no_page_tells(site, client):
    viewers = {"player": site.user(0), "opponent": site.user(1), "stranger": factories.user(), "nobody": None}
    read = 0
    for who, user in viewers.items():
        for address in pages(site):
            if user:
                client.force_login(user)
            else:
                client.logout()
            page = client.get(address)
            if page.status_code != 200 or page.streaming:
                continue
            read += 1
            assert not SECRETS.search(_without_tokens(page.content.decode())), (who, address)
    assert read > 60


def _without_tokens(page):
    return re.sub(r'value="[^"]{30,}"|nonce="[^"]+"', "", page)


def test_no_answer_of_the_api_tells(site):
    clients = {
        "player": api_client(site.user(0)),
        "opponent": api_client(site.user(1)),
        "third party": api_client(factories.user(), scopes=("read",)),
        "nobody": api_client(),
    }
    for who, program in clients.items():
        for pattern in api_patterns:
            address = f"{API}/{pattern.pattern}".replace("<int:picture>", "1")
            address = address.replace("<int:pk>", str(site.player(0).pk if "players/" in address else site.id))
            answer = program.get(address)
            assert not SECRETS.search(answer.content.decode()), (who, address)
            level = re.search(r'"(level|gains_halved|may_play|factor)":', answer.content.decode())
            own = address.endswith("/players/me") or (who == "player" and address.endswith("/ratings"))
            assert own or not level, (who, address)
        notices = program.get("/api/v1/notices")
        assert not SECRETS.search(notices.content.decode())


def test_no_notice_or_event_tells(site):
    told = Notice.objects.all()
    assert {"ratematch.penalised", "ratematch.level_changed", "ratematch.penalty_withdrawn"} <= {n.kind for n in told}
    assert not SECRETS.search(json.dumps([notice.facts for notice in told]))
    events = [json.dumps(fields) for _id, fields in redis().xrange(STREAM)]
    assert not SECRETS.search(" ".join(events))


def test_others_see_neither_level_nor_factor(site, client):
    client.force_login(factories.user())
    player = site.player(0)
    address = reverse("ratematch:player", args=[player.pk])
    page = _without_tokens(client.get(address).content.decode())
    Player.objects.filter(pk=player.pk).update(level="A", streak=0)
    assert _without_tokens(client.get(address).content.decode()) == page
