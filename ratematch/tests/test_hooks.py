"""What players' own programs are told when a match ends."""

from __future__ import annotations

import json

import pytest

from accounts.models import WebhookDelivery
from accounts.services.webhooks import endpoints
from ratematch.models import RatingChange
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import hooks, rulings
from ratematch.tests import factories
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db

URL = "https://example.org/hook"


def listen(table: Table, *seats: int) -> None:
    for seat in seats:
        endpoints.add(actor=table.user(seat), url=URL, events=list(hooks.KINDS), now=NOW)


def told() -> list[dict]:
    return [json.loads(row.body) for row in WebhookDelivery.objects.order_by("pk")]


def test_both_are_told_of_a_settled_match_what_anybody_may_know():
    table = Table()
    listen(table, 0, 1)
    table.to(State.SETTLED)
    one, two = told()
    assert one == two
    rows = {row.player_id: row for row in RatingChange.objects.all()}
    sides = table.row.seats
    assert one["type"] == "ratematch.match.settled"
    assert one["data"] == {
        "match": table.id,
        "state": "settled",
        "outcome": "player1",
        "ending": "agreed",
        "ended_at": table.now.isoformat().replace("+00:00", "Z"),
        "url": f"/matches/{table.id}/",
        "players": [
            {
                "id": side.player_id,
                "seat": ("player1", "player2")[side.seat],
                "display_name": side.player.user.display_name,
                "result": side.result,
                "rating_before": rows[side.player_id].before,
                "rating_after": rows[side.player_id].after,
            }
            for side in sides
        ],
    }
    assert "K7-204" not in json.dumps(one), "the room number is between the two"


def test_who_has_no_webhook_costs_nothing_and_is_told_nothing():
    table = Table()
    listen(table, 1)
    table.to(State.SETTLED)
    assert [row.endpoint.user for row in WebhookDelivery.objects.all()] == [table.user(1)]


def test_a_void_match_is_told_of():
    table = Table()
    listen(table, 0)
    table.move(0, Verb.LEAVE, after_s=130)
    (event,) = told()
    assert (event["type"], event["data"]["outcome"], event["data"]["ending"]) == (
        "ratematch.match.void",
        "void",
        "left",
    )
    assert [player["result"] for player in event["data"]["players"]] == ["void", "void"]


def test_a_ruling_settles_and_a_later_one_overturns():
    table = factories.in_review(1500, 1500)
    listen(table, 0)
    chief = factories.user(is_staff=True, is_superuser=True)
    last = None
    for outcome in ("player1", "player2"):
        last = rulings.rule(
            match_id=table.id, moderator=chief, outcome=outcome, reason="between us", seen_ruling=last, now=NOW
        ).pk
    settled, overturned = told()
    assert [settled["type"], overturned["type"]] == ["ratematch.match.settled", "ratematch.match.overturned"]
    assert (overturned["data"]["outcome_before"], overturned["data"]["outcome"]) == ("player1", "player2")
    assert "outcome_before" not in settled["data"]
    assert overturned["data"]["players"][0]["rating_after"] == 1484
    assert "between us" not in json.dumps(told())
