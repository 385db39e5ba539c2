"""Rated matches through the API alone: the queue, and whole matches from the first call to the last."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tests.factories import api_client
from ratematch.models import Engagement, Match, Picture
from ratematch.rules.lifecycle import State
from ratematch.services import rulings, screening
from ratematch.tests import factories
from ratematch.tests.api import API, make_pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]


# --- the queue ---


@pytest.fixture
def client():
    return api_client(factories.player(rating=1500).user)


def waiting(rating, condition="near"):
    one = factories.player(rating=rating)
    return api_client(one.user).post(f"{API}/queue", {"condition": condition})


def test_wait_change_and_leave(client):
    assert client.get(f"{API}/queue").json()["entry"] is None
    made = client.post(f"{API}/queue", {"condition": "near"})
    assert made.status_code == 201
    assert "Location" not in made
    entry = made.json()["entry"]
    assert (entry["condition"], entry["waited_s"]) == ("near", 0)
    assert entry["joined_at"] < entry["expires_at"]
    changed = client.patch(f"{API}/queue", {"condition": "any"}).json()["entry"]
    assert (changed["condition"], changed["joined_at"]) == ("any", entry["joined_at"])
    assert client.get(f"{API}/queue").json()["entry"]["condition"] == "any"
    assert client.delete(f"{API}/queue").status_code == 204
    assert client.get(f"{API}/queue").json()["entry"] is None


def test_who_else_waits(client):
    for rating, condition in ((1600, "near"), (1701, "any"), (1399, "near")):
        waiting(rating, condition)
    now = client.get(f"{API}/queue").json()
    assert now == {"entry": None, "match": None, "others": 3, "within_range": 1, "suits_any": 2, "estimate": None}


def test_an_estimate_when_there_is_something_to_go_by(client):
    for _ in range(3):
        factories.match(now=timezone.now())
    assert client.get(f"{API}/queue").json()["estimate"] == {"wait_s": 0, "pairs": 3}


def test_a_match_made_at_once(client):
    waiting(1500)
    made = client.post(f"{API}/queue", {"condition": "any"})
    assert made.status_code == 201
    assert made.json()["entry"] is None
    assert made["Location"] == f"{API}/matches/{made.json()['match']}"
    assert client.get(made["Location"]).json()["inside"]["you"] in ("player1", "player2")


def test_queueing_that_cant_be(client):
    def refusal(answer):
        return answer.status_code, answer.json()["code"], answer.json().get("match")

    assert refusal(client.delete(f"{API}/queue")) == (409, "not_waiting", None)
    assert refusal(client.patch(f"{API}/queue", {"condition": "any"})) == (409, "not_waiting", None)
    for body in ({}, {"condition": "all"}):
        assert refusal(client.post(f"{API}/queue", body)) == (400, "invalid_input", None)
    client.post(f"{API}/queue", {"condition": "any"})
    assert refusal(client.post(f"{API}/queue", {"condition": "any"})) == (409, "already_waiting", None)
    match = waiting(1500).json()["match"]
    assert refusal(client.post(f"{API}/queue", {"condition": "any"})) == (409, "needed_by_match", match)
    assert refusal(client.delete(f"{API}/queue")) == (409, "not_waiting", match)


def test_a_match_whose_clock_has_run_out_needs_nobody(client):
    waiting(1500)
    match = client.post(f"{API}/queue", {"condition": "any"}).json()["match"]
    Match.objects.filter(pk=match).update(deadline_at=timezone.now())
    assert client.get(f"{API}/queue").json()["match"] is None
    assert Match.objects.get(pk=match).state == State.VOID


# --- whole matches ---


@pytest.fixture
def pair():
    return make_pair(State.ROOM)


def test_an_agreed_match(pair):
    one, two = pair
    room = one.read()
    assert (room["state"], room["inside"]["you"], room["inside"]["awaited"]) == ("room", "player1", ["player1"])
    assert room["inside"]["possible"] == ["set_room_number"]
    assert room["inside"]["leave_opens_at"] > room["made_at"]
    assert room["inside"]["at_zero"] == {"state": "void", "outcome": "void", "ending": "never_entered", "cause": None}
    assert room["inside"]["stakes"]["win"] == {"change": 16, "after": 1516}

    one.move("set_room_number", room_number="K7-204")
    assert two.read()["inside"]["room_number"] == "K7-204"
    assert two.move("wrong_number")["state"] == "room"
    one.move("set_room_number", room_number="K7-205")
    assert two.move("enter_room")["state"] == "playing"
    assert one.move("not_in_room")["state"] == "room"
    playing = two.move("enter_room")
    assert playing["inside"]["possible"] == ["report_result", "leave_match", "not_in_room"]
    assert one.move("report_result")["state"] == "reporting"
    assert two.move("not_over")["state"] == "playing"
    assert two.move("report_result")["inside"]["reporter"] == "player2"
    assert one.move("report_result")["inside"]["awaited"] == ["player1", "player2"]
    claimed = one.move("declare", claim="win")
    assert claimed["inside"]["claims"][0]["claim"] == "win"
    assert two.read()["inside"]["at_zero"]["outcome"] == "player1"
    settled = two.move("declare", claim="loss")

    assert (settled["state"], settled["outcome"], settled["ending"]) == ("settled", "player1", "agreed")
    assert [(side["result"], side["rating_change"]) for side in settled["players"]] == [("win", 16), ("loss", -16)]
    inside = settled["inside"]
    assert (inside["possible"], inside["stakes"], inside["at_zero"], inside["remaining_s"]) == ([], None, None, None)
    assert [row["applied"] for row in one.get("ratings")] == [16]


def test_a_disputed_match_up_to_the_ruling(pair):
    one, two = pair
    for side, verb, more in [
        (one, "set_room_number", {"room_number": "9"}),
        (two, "enter_room", {}),
        (one, "report_result", {}),
        (two, "report_result", {}),
        (one, "declare", {"claim": "win"}),
        (two, "declare", {"claim": "win"}),
        (one, "declare", {"claim": "win"}),
    ]:
        side.move(verb, **more)
    asked = two.move("declare", claim="draw")
    assert (asked["state"], asked["inside"]["cause"]) == ("evidence", "dispute")
    assert [side["reclaim"] for side in asked["inside"]["claims"]] == ["win", "draw"]

    attached = one.attach(factories.png())
    assert (attached.status_code, attached.json()["status"]) == (201, "new")
    picture = attached.json()["id"]
    assert two.read()["inside"]["pictures"] == []
    pressed = one.submit(remark="the stats screen")
    assert pressed["state"] == "evidence"
    screening.check_picture(picture_id=picture, now=timezone.now())
    assert one.read()["inside"]["claims"][0]["answer"] == "submitted"
    [seen] = two.read()["inside"]["pictures"]
    assert (seen["id"], seen["seat"], seen["status"], seen["width"]) == (picture, "player1", "ready", 640)
    assert two.read()["inside"]["claims"][0]["remark"] == "the stats screen"
    review = two.move("no_evidence")
    assert (review["state"], review["inside"]["deadline_at"]) == ("review", None)

    moderator = factories.moderator()
    case = api_client(moderator).get(f"{API}/matches/{pair.id}").json()["inside"]
    assert (case["you"], case["room_number"], case["stakes"], case["possible"]) == (None, "9", None, [])
    assert [each["id"] for each in case["pictures"]] == [picture]
    rulings.rule(
        match_id=pair.id,
        moderator=moderator,
        outcome="draw",
        reason="The stats say so.",
        seen_ruling=None,
        now=timezone.now(),
    )
    ruled = two.read()
    assert (ruled["outcome"], ruled["ending"]) == ("draw", "ruled")
    assert ruled["inside"]["ruling"]["reason"] == "The stats say so."
    assert [event["verb"] for event in two.get("events")][-3:] == ["submit_evidence", "no_evidence", "ruling"]


def test_the_other_ways_out():
    one, two = make_pair(State.PLAYING)
    assert two.move("leave_match")["state"] == "abandoned"
    assert one.move("leave_match")["ending"] == "not_finished"

    one, two = make_pair(State.PLAYING)
    one.move("report_result")
    asked = one.move("prove_instead")
    assert (asked["state"], asked["inside"]["cause"]) == ("evidence", "own_choice")
    assert one.move("no_evidence")["ending"] == "no_proof"

    one, two = make_pair(State.ROOM)
    Match.objects.filter(pk=one.match).update(made_at=timezone.now() - timedelta(minutes=3))
    assert two.move("leave_match")["ending"] == "left"


# --- refusals ---


@pytest.mark.parametrize("field", ["room_number", "claim"])
@pytest.mark.parametrize("value", ["1e400", "7", "true", "[]"])
def test_what_is_no_text_is_none(pair, field, value):
    body = f'{{"verb": "set_room_number", "state": "room", "{field}": {value}}}'
    answer = pair[0].client.post(f"{API}/matches/{pair.id}/moves", body, content_type="application/json")
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [(field, "invalid")]


@pytest.mark.parametrize(
    ("state", "seat", "body", "code"),
    [
        (State.PLAYING, 0, {"verb": "enter_room", "state": "room"}, "match_moved"),
        (State.PLAYING, 0, {"verb": "declare", "state": "playing", "claim": "win"}, "wrong_state"),
        (State.ROOM, 1, {"verb": "set_room_number", "state": "room", "room_number": "1"}, "not_yours_to_do"),
        (State.ROOM, 1, {"verb": "enter_room", "state": "room"}, "no_room_number"),
        (State.ROOM, 0, {"verb": "leave_match", "state": "room"}, "too_early"),
        (State.REPORTING, 0, {"verb": "report_result", "state": "reporting"}, "not_yours_to_do"),
    ],
)
def test_a_wrong_state_is_a_409_with_the_present_one(state, seat, body, code):
    side = make_pair(state)[seat]
    answer = side.client.post(f"{side.address}/moves", body)
    assert (answer.status_code, answer.json()["code"], answer.json()["state"]) == (409, code, state)
    assert side.read()["state"] == state


def test_a_late_click_finds_the_clock_applied():
    one, _two = make_pair(State.ROOM)
    Match.objects.filter(pk=one.match).update(deadline_at=timezone.now())
    body = {"verb": "set_room_number", "state": "room", "room_number": "1"}
    late = one.client.post(f"{one.address}/moves", body)
    assert (late.status_code, late.json()["code"], late.json()["state"]) == (409, "match_moved", "void")


def test_submitting_in_the_wrong_state_is_a_409_with_the_present_one():
    one, _two = make_pair(State.PLAYING)
    for seen, code in (("playing", "wrong_state"), ("evidence", "match_moved")):
        answer = one.client.post(f"{one.address}/submit", {"state": seen})
        assert (answer.status_code, answer.json()["code"], answer.json()["state"]) == (409, code, "playing")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"verb": "set_room_number", "state": "room", "room_number": "no blanks"}, "room_number", "bad_room_number"),
        ({"verb": "set_room_number", "state": "room"}, "room_number", "bad_room_number"),
        ({"verb": "submit_evidence", "state": "room"}, "verb", "invalid_choice"),
        ({"verb": "leave_match"}, "state", "required"),
        ({"verb": "leave_match", "state": "nowhere"}, "state", "invalid_choice"),
    ],
)
def test_input_that_cant_be_used(pair, body, field, code):
    answer = pair[0].client.post(f"{API}/matches/{pair.id}/moves", body)
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [(field, code)]


def test_a_claim_that_is_none():
    one, _two = make_pair(State.REPORTING)
    answer = one.client.post(f"{one.address}/moves", {"verb": "declare", "state": "reporting", "claim": "won"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_claim")


def test_the_same_call_again_gets_the_same_answer(pair):
    one = pair[0]
    body = {"verb": "set_room_number", "state": "room", "room_number": "K7"}
    first, again = (
        one.client.post(f"{one.address}/moves", body, headers={"idempotency-key": "once"}) for _ in range(2)
    )
    assert (first.status_code, again.status_code, again["Idempotent-Replayed"]) == (200, 200, "true")
    assert first.content == again.content
    assert len(one.get("events")) == 2


def test_the_same_upload_again_stores_one_picture():
    one, _two = make_pair(State.PLAYING)
    headers = {"idempotency-key": "once"}
    ids = {one.attach(factories.png(), headers=headers).json()["id"] for _ in range(2)}
    assert len(ids) == Picture.objects.count() == 1


def test_joining_the_queue_twice_with_one_key(client):
    waiting(1500)
    answers = [client.post(f"{API}/queue", {"condition": "any"}, headers={"idempotency-key": "once"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Match.objects.count() == 1
    assert not Engagement.objects.waiting().exists()
