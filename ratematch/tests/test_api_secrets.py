"""What the API keeps to itself: every address, asked by everybody, in every state of a match."""

import json

import pytest
from django.utils import timezone

from accounts.tests.factories import api_client
from ratematch.api.urls import urlpatterns
from ratematch.models import Match, Picture, Player
from ratematch.rules.lifecycle import State
from ratematch.services import screening
from ratematch.tests import factories
from ratematch.tests.api import API, make_pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]

NUMBER = "K7-204"  # what factories.Table enters
REMARK = "between us and the moderators"
NEVER = ("level", "points", "penalt", "threshold", "likeness", "sha256", "@example.org")
"""Words that no answer has, whoever asks."""

UNSAFE = {"post": {}, "put": {}, "patch": {}, "delete": None}


def addresses(match, picture, player):
    """Every address of this API, about one match and one player."""
    for pattern in urlpatterns:
        address = str(pattern.pattern).replace("<int:picture>", str(picture))
        kind = player if address.startswith("players") else picture if address.startswith("pictures") else match
        yield pattern.callback.view_class, f"{API}/{address}".replace("<int:pk>", str(kind))


def pair_with_secrets(state):
    """A match that has as many secrets as there can be in a state; and a checked picture of Player 1's, if any."""
    pair = make_pair(State.ROOM if state in (State.ROOM, State.VOID) else State.PLAYING)
    one, two = pair
    if state is State.ROOM:
        one.move("set_room_number", room_number=NUMBER)
        return pair, 0
    picture = 0
    if state is not State.VOID:
        picture = one.attach(factories.png()).json()["id"]
        screening.check_picture(picture_id=picture, now=timezone.now())
    ways = {
        State.ABANDONED: [(two, "leave_match", {})],
        State.REPORTING: [(one, "report_result", {}), (two, "report_result", {}), (one, "declare", {"claim": "win"})],
    }
    ways[State.RECONFIRM] = [*ways[State.REPORTING], (two, "declare", {"claim": "win"})]
    ways[State.EVIDENCE] = [
        *ways[State.RECONFIRM],
        (one, "declare", {"claim": "win"}),
        (two, "declare", {"claim": "win"}),
    ]
    ways[State.REVIEW] = ways[State.EVIDENCE]
    ways[State.SETTLED] = [*ways[State.REPORTING], (two, "declare", {"claim": "loss"})]
    for side, verb, more in ways.get(state, []):
        side.move(verb, **more)
    if state is State.REVIEW:
        one.submit(remark=REMARK)
        two.move("no_evidence")
    if state is State.VOID:
        one.move("set_room_number", room_number=NUMBER)
        Match.objects.update(deadline_at=timezone.now())
    assert one.read()["state"] == state
    return pair, picture


@pytest.mark.parametrize("state", list(State))
def test_strangers_see_no_secrets(state):
    pair, picture = pair_with_secrets(state)
    player = Player.objects.get(user=pair[0].user).pk
    clients = {
        "anonymous": api_client(),
        "stranger": api_client(factories.user()),
        "staff without the right": api_client(factories.user(is_staff=True)),
        "token without read": api_client(pair[0].user, scopes=("play",)),
    }
    for who, client in clients.items():
        for view, address in addresses(pair.id, picture, player):
            if "get" not in dir(view):
                continue
            answer = client.get(address)
            always = view.public and "free-rooms/" not in address  # there is no room
            assert answer.status_code in ((200,) if always else (200, 401, 403, 404)), (who, address)
            text = answer.getvalue().decode()
            for secret in (NUMBER, REMARK, "deadline", "remaining", "claimed_at", *NEVER):
                assert secret not in text, (who, address, secret)
        shown = client.get(f"{API}/matches/{pair.id}").json()
        assert (shown["inside"], shown["state"]) == (None, state)
        events = client.get(f"{API}/matches/{pair.id}/events").json()["results"]
        assert {(event["seat"], event["verb"], event["claim"]) for event in events} == {(None, None, None)}
        assert all(event["state_from"] != event["state_to"] for event in events)
        rows = client.get(f"{API}/players/{player}/ratings").json()["results"]
        assert all(row["working"] is None for row in rows)


@pytest.mark.parametrize("state", list(State))
def test_the_opponent_sees_what_was_handed_in_and_no_more(state):
    pair, picture = pair_with_secrets(state)
    one, two = pair
    player = Player.objects.get(user=one.user).pk
    handed_in = state is State.REVIEW
    for view, address in addresses(pair.id, picture, player):
        if "get" in dir(view) and "/pictures/" not in address:
            text = two.client.get(address).getvalue().decode()
            assert (REMARK in text) <= handed_in
            own = ("level",) if address.endswith("/players/me") else ()
            assert not [word for word in NEVER if word in text and word not in own]
    inside = two.read()["inside"]
    assert [each["id"] for each in inside["pictures"]] == ([picture] if handed_in else [])
    assert two.client.get(f"{two.address}/pictures").json() == inside["pictures"]
    assert "attach" not in {event["verb"] for event in two.get("events")}
    assert ("attach" in {event["verb"] for event in one.get("events")}) is bool(picture)
    assert inside["room_number"] == one.read()["inside"]["room_number"]
    [*rows] = two.client.get(f"{API}/players/{player}/ratings").json()["results"]
    assert all(row["working"] is None for row in rows)


def test_a_moderator_sees_what_is_to_be_judged():
    pair, picture = pair_with_secrets(State.REVIEW)
    client = api_client(factories.moderator())
    inside = client.get(f"{API}/matches/{pair.id}").json()["inside"]
    assert (inside["room_number"], inside["claims"][0]["remark"]) == (NUMBER, REMARK)
    assert client.get(f"{API}/pictures/{picture}").status_code == 200
    assert "attach" in json.dumps(client.get(f"{API}/matches/{pair.id}/events").json())
    assert Picture.objects.count() == len(inside["pictures"])


def test_who_may_ask_what():
    pair, picture = pair_with_secrets(State.PLAYING)
    player = Player.objects.get(user=pair[0].user).pk
    reads, plays = (api_client(pair[0].user, scopes=(scope,)) for scope in ("read", "play"))
    for view, address in addresses(pair.id, picture, player):
        for method, body in UNSAFE.items():
            if hasattr(view, method):
                unknown = getattr(api_client(), method)(address, body)
                assert (unknown.status_code, unknown.json()["code"]) == (401, "not_authenticated"), address
                closed = getattr(reads, method)(address, body)
                assert (closed.status_code, closed.json()["scope"]) == (403, "play"), address
        if hasattr(view, "get") and not view.public:
            assert api_client().get(address).status_code == 401, address
            closed = plays.get(address)
            assert (closed.status_code, closed.json()["scope"]) == (403, "read"), address
    mine = f"{API}/matches?mine=true"
    assert [client.get(mine).status_code for client in (api_client(), plays, reads)] == [401, 403, 200]


def test_what_play_alone_shows_is_the_answer_to_its_own_moves():
    pair = make_pair(State.PLAYING)
    client = api_client(pair[0].user, scopes=("play",))
    moved = client.post(f"{pair[0].address}/moves", {"verb": "report_result", "state": "playing"})
    assert moved.json()["inside"]["you"] == "player1"
