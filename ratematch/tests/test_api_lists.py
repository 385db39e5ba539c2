"""Lists of the API: matches, the ladder, players; and what a read costs."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests.factories import api_client
from ratematch.models import Match, Player
from ratematch.rules.lifecycle import State
from ratematch.tests import factories
from ratematch.tests.api import API, make_pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]


@pytest.fixture
def pair():
    return make_pair(State.ROOM)


def test_filters_of_matches():
    playing = make_pair(State.PLAYING)
    settled = make_pair(State.SETTLED)
    me = playing[0]

    def ids(client=me.client, **query):
        return [row["id"] for row in client.get(f"{API}/matches", query).json()["results"]]

    player = Player.objects.get(user=settled[0].user).pk
    assert ids() == ids(api_client()) == [settled.id, playing.id]
    assert ids(mine="true") == [playing.id]
    assert ids(player=player) == [settled.id]
    assert ids(state="playing") == [playing.id]
    assert ids(outcome="player1") == [settled.id]
    assert ids(outcome="draw") == ids(player=0x7FFF_FFFF_FFFF_FFFF) == []
    for wrong in ({"state": "nowhere"}, {"player": 10**30}):
        assert me.client.get(f"{API}/matches", wrong).json()["code"] == "invalid_input"


def test_ones_own_matches_stand_as_the_clock_says(pair):
    Match.objects.update(deadline_at=timezone.now())
    [row] = pair[0].client.get(f"{API}/matches", {"mine": "true"}).json()["results"]
    assert row["state"] == "void"


def test_the_ladder():
    now = timezone.now()
    names = ["mizunara", "Linden", "shiosai", "hoshi"]
    for name, rating in zip(names, (1700, 1500, 1500, 1300), strict=True):
        factories.player(name, rating, last_rated_at=now)
    factories.player("asleep", 2000, last_rated_at=now - timedelta(days=91))
    factories.player("new", 1900)

    def rows(**query):
        answer = api_client().get(f"{API}/ladder", query).json()
        return [(row["place"], row["display_name"]) for row in answer["results"]]

    assert rows() == list(enumerate(names, 1))
    assert rows(within_days=92)[:2] == [(1, "asleep"), (2, "mizunara")]
    assert rows(q="LIN") == [(None, "Linden")]
    assert rows(q="nobody") == []
    seen, address = [], f"{API}/ladder?limit=1"
    while address:
        page = api_client().get(address).json()
        seen += [(row["place"], row["display_name"]) for row in page["results"]]
        address = page["next"]
    assert seen == list(enumerate(names, 1))


def test_a_player():
    winner, loser = make_pair(State.SETTLED)
    mine = winner.client.get(f"{API}/players/me").json()
    own = {name: mine.pop(name) for name in ("level", "gains_halved", "may_play", "regular_tournaments")}
    assert own == {"level": "A", "gains_halved": False, "may_play": True, "regular_tournaments": True}
    assert api_client().get(f"{API}/players/{mine['id']}").json() == mine
    assert (mine["rating"], mine["wins"], mine["streak"], mine["place"]) == (1516, 1, 1, 1)
    [own] = winner.get("ratings")
    assert (own["before"], own["applied"], own["after"], own["result"]) == (1500, 16, 1516, "win")
    assert own["working"] == {"computed": 16, "factor": 1.0}
    address = f"{API}/players/{mine['id']}/ratings"
    assert [row["working"] for row in loser.client.get(address).json()["results"]] == [None]


def test_players_that_there_are_not():
    nobody = api_client(factories.user())
    for address in ("players/me", "players/0", "players/0/ratings", f"players/{10**30}"):
        answer = nobody.get(f"{API}/{address}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_player")


def test_matches_that_there_are_not():
    nobody = api_client(factories.user())
    for address in ("0", "0/events", "0/pictures", f"{10**30}"):
        answer = nobody.get(f"{API}/matches/{address}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_match")


def test_an_account_that_is_closed_is_no_player():
    player = factories.player()
    player.user.is_active = False
    player.user.save()
    for address in ("", "/ratings"):
        assert api_client().get(f"{API}/players/{player.pk}{address}").json()["code"] == "no_such_player"


@pytest.mark.parametrize("address", ["matches", "matches?mine=true", "ladder", "players/{player}/ratings"])
def test_queries_do_not_grow_with_rows(address):
    one, two = (factories.player() for _ in range(2))

    def count():
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"{API}/{address.format(player=one.pk)}")
        return len(answer.json()["results"]), len(queries)

    client = api_client(one.user)
    make_pair(State.SETTLED, one, two)
    rows, queries = count()
    for _ in range(2):
        Player.objects.update(last_opponent=None)
        make_pair(State.SETTLED, one, two)
        make_pair(State.SETTLED)
    assert count()[0] >= rows + 2
    assert count()[1] == queries


def test_queries_of_a_match_do_not_grow(django_assert_max_num_queries):
    one, _two = make_pair(State.PLAYING)
    for _ in range(3):
        with django_assert_max_num_queries(4):  # the token, the match, its sides, its pictures
            one.read()
        one.attach(factories.png())
