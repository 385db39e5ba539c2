"""Rules §3 for any table: what must hold, and a second working-out, written from the sentences, that must agree."""

from hypothesis import given
from hypothesis import strategies as st

from certification.rules.opponents import REACH, Finding, Seat, Way, resolve
from certification.tests.rules.untimed import untimed

PLAYERS = "ABCDE"


@st.composite
def tables(draw):
    players = draw(st.lists(st.sampled_from(PLAYERS), unique=True, max_size=5))
    numbers = draw(st.permutations(range(1, 6)))
    return [
        Seat(player, draw(st.integers(0, 10)), draw(st.integers(1, 3)), numbers[place])
        for place, player in enumerate(players)
    ]


LOCKS = st.none() | st.sampled_from([[], ["AB"], ["CD"], ["AB", "CD"], ["AE"], ["BD", "CE"]])
TICKS = st.none() | st.integers(1, 4)


def second_opinion(seats, locks, new_tick):
    """§3 once more, in another way: dan players get places in a queue, and each asks the places in order."""
    dans = {seat.player: seat.dan for seat in seats if seat.dan}
    ticks = {seat.player: seat.tick for seat in seats}
    numbers = {seat.player: seat.seat for seat in seats}

    def near(one, other):
        return -2 <= dans[one] - dans[other] <= 2

    queue = sorted(sorted(sorted(dans, key=numbers.get), key=dans.get, reverse=True), key=ticks.get)
    partner = {}
    for one, other in locks or []:
        if (
            one in dans
            and other in dans
            and near(one, other)
            and (ticks[one] == new_tick) is (ticks[other] == new_tick)
        ):
            partner |= {one: other, other: one}
    newcomers = ticks[queue[0]] if locks is None and queue else new_tick
    together = [player for player in queue if ticks[player] == newcomers]
    before = [player for player in queue if newcomers is not None and ticks[player] < newcomers]
    if len(together) == 2 and not before and near(*together):
        partner |= {together[0]: together[1], together[1]: together[0]}
    found = {}
    for place, player in enumerate(queue):
        asked = [queue[at] for at in (*range(place - 1, -1, -1), *range(place + 1, len(queue)))]
        free = [other for other in asked if near(player, other) and other not in partner]
        found[player] = partner.get(player) or next(iter(free), None)
    return found, {frozenset(pair) for pair in partner.items()}


@untimed
@given(tables(), LOCKS, TICKS)
def test_a_second_opinion(seats, locks, new_tick):
    found = resolve(seats, locks, new_tick=new_tick)
    assert (dict(found.opponent_of), found.locks) == second_opinion(seats, locks, new_tick)


@untimed
@given(tables(), LOCKS, TICKS, st.randoms(use_true_random=False))
def test_what_must_hold(seats, locks, new_tick, random):
    found = resolve(seats, locks, new_tick=new_tick)
    dans = {seat.player: seat.dan for seat in seats}
    assert set(found.opponent_of) == {player for player, dan in dans.items() if dan}
    for player, opponent in found.opponent_of.items():
        assert opponent != player
        if opponent is not None:
            assert abs(dans[player] - dans[opponent]) <= REACH
    for one, other in found.locks:
        assert found.opponent_of[one] == other
        assert found.opponent_of[other] == one
    locked = [player for lock in found.locks for player in lock]
    assert len(locked) == len(set(locked))
    shuffled = random.sample(seats, len(seats))
    again = resolve(shuffled, locks and [lock[::-1] for lock in reversed(locks)], new_tick=new_tick)
    assert again == found


@untimed
@given(tables(), LOCKS, TICKS)
def test_the_explanation_agrees_with_the_result(seats, locks, new_tick):
    found = resolve(seats, locks, new_tick=new_tick)
    dans = {seat.player: seat.dan for seat in seats}
    locked = {player for lock in found.locks for player in lock}
    for player, opponent in found.opponent_of.items():
        steps = found.explain(player)
        assert [step.player for step in steps if step.finding is Finding.TAKEN] == ([opponent] if opponent else [])
        assert opponent is None or steps[-1].player == opponent
        assert opponent is not None or {step.player for step in steps} == set(found.opponent_of) - {player}
        for step in steps:
            assert step.apart == abs(dans[player] - dans[step.player])
            assert (step.finding is Finding.OUT_OF_RANGE) == (step.apart > REACH)
            if step.finding is Finding.LOCKED:
                assert step.player in locked
            assert (step.way is Way.LOCK) == (player in locked)


@untimed
@given(tables(), LOCKS, TICKS)
def test_asking_again_changes_nothing(seats, locks, new_tick):
    """What was found is itself a history: with nobody new, it stays."""
    found = resolve(seats, locks, new_tick=new_tick)
    assert resolve(seats, found.locks) == found
