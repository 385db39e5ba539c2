"""Places on a ladder that is counted once a minute are those of one that each page counts."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.paginator import Paginator
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.redis import client
from ratematch import selectors, standings
from ratematch.models import Player
from ratematch.services.ladder import count_ladder
from ratematch.standings import Standings
from ratematch.tests import factories
from ratematch.tests.factories import NOW

pytestmark = pytest.mark.django_db
RATINGS = (1700, 1650, 1650, 1650, 1500, 1500, 1320, 1200, 1200, 1200)


@pytest.fixture(autouse=True)
def _nothing_read_before() -> Iterator[None]:
    standings._read.cache_clear()
    yield
    standings._read.cache_clear()


@pytest.fixture
def players():
    made = [factories.player(rating=rating, last_rated_at=NOW - timedelta(days=1)) for rating in RATINGS]
    made[4].user.is_active = False
    made[4].user.save()
    Player.objects.filter(pk=made[6].pk).update(last_rated_at=NOW - timedelta(days=60))
    factories.player(rating=1800)
    return made


def places(within):
    return [selectors.place_of(player, NOW, within_days=within) for player in Player.objects.order_by("pk")]


def pages(within):
    paginator = Paginator(selectors.ladder_pages(NOW, name="", within_days=within), 2)
    return paginator.count, [[player.pk for player in page.object_list] for page in paginator]


@pytest.mark.parametrize("within", [90, 30, None])
def test_counted_and_not_counted_ladders_agree(players, settings, within):
    exact = places(within), pages(within)
    count_ladder(NOW)
    assert standings.kept(within) is None, "a short ladder is not counted"
    settings.RATEMATCH = settings.RATEMATCH | {"LADDER_LONG": 3}
    count_ladder(NOW)
    assert isinstance(selectors.ladder_pages(NOW, name="", within_days=within), selectors.LongLadder)
    counted = places(within)
    behind_the_closed_account = counted[5]
    assert behind_the_closed_account == exact[0][5] + 1
    counted[5] -= 1
    assert (counted, pages(within)) == exact


def test_no_page_counts_a_long_ladder(players, settings):
    settings.RATEMATCH = settings.RATEMATCH | {"LADDER_LONG": 3}
    count_ladder(NOW)
    with CaptureQueriesContext(connection) as queries:
        pages(90)
    assert not any("COUNT(" in query["sql"] for query in queries)


def test_other_ladders_and_searches_are_counted_by_the_page(players, settings):
    settings.RATEMATCH = settings.RATEMATCH | {"LADDER_LONG": 3}
    count_ladder(NOW)
    assert standings.kept(7) is None
    assert not isinstance(selectors.ladder_pages(NOW, name="player", within_days=90), selectors.LongLadder)


def test_a_ladder_that_became_short_again_is_counted_by_the_page(players, settings):
    settings.RATEMATCH = settings.RATEMATCH | {"LADDER_LONG": 3}
    count_ladder(NOW)
    settings.RATEMATCH = settings.RATEMATCH | {"LADDER_LONG": 100}
    count_ladder(NOW)
    assert standings.kept(90) is None
    assert client().ttl("ladder:90") == -2


def test_arithmetic():
    counted = Standings({1500: 3, 1700: 1, 1200: 4})
    assert counted.total == 8
    assert [counted.ahead_of(rating) for rating in (1800, 1700, 1600, 1500, 1300, 1200)] == [0, 0, 1, 1, 4, 4]
    places = {0: (1700, 0), 1: (1500, 0), 3: (1500, 2), 4: (1200, 0), 7: (1200, 3), 8: (1200, 4)}
    assert {offset: counted.seek(offset) for offset in places} == places
