"""Who is given to whom (rules §2)."""

from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratematch.rules.pairing import NEAR, Entry, just_met, pair, suits

NOW = 1_000.0


def entry(id, rating=1500, limit=None, joined=0.0, last=None, blocked=()):
    return Entry(id, rating, limit, joined, last, frozenset(blocked))


@pytest.mark.parametrize(("gap", "suitable"), [(0, True), (99, True), (100, True), (101, False)])
def test_pair_within_100_includes_100(gap, suitable):
    near, other = entry(1, 1500, NEAR), entry(2, 1500 + gap, NEAR)
    assert bool(pair([near, other], NOW)) is suitable


def test_pair_must_satisfy_both_conditions():
    assert pair([entry(1, 1500, None), entry(2, 1300, NEAR)], NOW) == []
    assert pair([entry(1, 1500, None), entry(2, 1300, None)], NOW) == [(1, 2)]


def test_pair_prefers_the_smallest_difference():
    assert pair([entry(1, 1500, joined=0), entry(2, 1550, joined=1), entry(3, 1490, joined=2)], NOW) == [(1, 3)]


def test_pair_prefers_the_longest_wait_among_equal_differences():
    first = entry(1, 1500, joined=0)
    assert pair([first, entry(2, 1510, joined=5), entry(3, 1490, joined=4)], NOW) == [(1, 3)]
    assert pair([first, entry(2, 1490, joined=5), entry(3, 1510, joined=4)], NOW) == [(1, 3)]


def test_pair_prefers_the_lower_id_when_all_else_is_equal():
    assert pair([entry(9, 1500, joined=0), entry(7, 1510, joined=4), entry(3, 1490, joined=4)], NOW) == [(9, 3)]


def test_pair_passes_over_blocked_players_whoever_blocked():
    assert pair([entry(1, blocked=[2]), entry(2)], NOW) == []
    assert pair([entry(1), entry(2, blocked=[1])], NOW) == []
    assert pair([entry(1, joined=0, blocked=[2]), entry(2, joined=1), entry(3, 1900, joined=2)], NOW) == [(1, 3)]


@pytest.mark.parametrize("who", [1, 2])
def test_rematch_needs_both_to_have_waited(who):
    def two(waits):
        return [
            entry(1, joined=NOW - waits[0], last=2 if who == 1 else None),
            entry(2, joined=NOW - waits[1], last=1 if who == 2 else None),
        ]

    assert pair(two((60, 59)), NOW) == []
    assert pair(two((59, 60)), NOW) == []
    assert pair(two((60, 60)), NOW) == [(1, 2)]


def test_rematch_is_avoided_while_somebody_else_suits():
    others = [entry(1, 1500, joined=0, last=2), entry(2, 1500, joined=1, last=1), entry(3, 1900, joined=2)]
    assert pair(others, NOW) == [(1, 3)]


def test_pair_reads_datetimes_as_well_as_seconds():
    now = datetime(2026, 6, 13, 21, tzinfo=UTC)
    two = [
        Entry(1, 1500, None, now - timedelta(seconds=60), 2),
        Entry(2, 1500, None, now - timedelta(seconds=60), 1),
    ]
    assert pair(two, now) == [(1, 2)]
    assert pair(two, now - timedelta(seconds=1)) == []


@st.composite
def queues(draw):
    size = draw(st.integers(0, 14))
    ids = range(1, size + 1)
    return [
        Entry(
            id,
            draw(st.integers(1200, 1500).map(lambda rating: rating // 20 * 20)),
            draw(st.sampled_from([None, NEAR])),
            float(draw(st.integers(0, 120))),
            draw(st.one_of(st.none(), st.integers(1, size))),
            draw(st.frozensets(st.integers(1, size), max_size=2)),
        )
        for id in ids
    ]


@given(queues(), st.randoms())
def test_pair_holds_every_rule(queue, random):
    now = 120.0
    pairs = pair(queue, now)
    by_id = {e.id: e for e in queue}
    used = [id for two in pairs for id in two]
    assert len(used) == len(set(used))
    left = [e for e in queue if e.id not in used]
    for one, two in ((by_id[a], by_id[b]) for a, b in pairs):
        assert suits(one, two)
        if just_met(one, two):
            assert now - one.joined_at >= 60
            assert now - two.joined_at >= 60
            # nobody else was left for either
            assert not any(suits(e, rest) and not just_met(e, rest) for e in (one, two) for rest in left)
    for one, two in combinations(left, 2):
        waited = now - one.joined_at >= 60 and now - two.joined_at >= 60
        assert not (suits(one, two) and (waited or not just_met(one, two)))
    shuffled = list(queue)
    random.shuffle(shuffled)
    assert pair(shuffled, now) == pairs
