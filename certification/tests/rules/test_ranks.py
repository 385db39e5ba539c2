"""Rules §1: promotion and demotion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certification.rules import ranks
from certification.rules.errors import BadExp, UnknownRank
from certification.rules.tables import DAN, KYU, RANKS
from certification.tests.rules.untimed import untimed


@pytest.mark.parametrize(
    ("rank", "exp", "gained", "expected"),
    [
        ("十級", 0, 0, ("十級", 0, 0)),
        ("十級", 0, 199, ("十級", 199, 0)),
        ("十級", 0, 200, ("九級", 0, 1)),
        ("十級", 190, 30, ("九級", 20, 1)),
        ("十級", 0, 1200, ("九級", 1000, 1)),  # one step only; the surplus is carried
        ("九級", 1000, 0, ("八級", 800, 1)),  # and looked at again after the next hand
        ("九級", 500, -10, ("八級", 290, 1)),
        ("十級", 20, -30, ("十級", 0, 0)),  # nothing is below 十級
        ("九級", 20, -20, ("九級", 0, 0)),
        ("九級", 20, -21, ("十級", 100, -1)),
        ("一級", 150, 900, ("初段", 500, 1)),  # no surplus into dan ranks
        ("初段", 0, -1, ("一級", 100, -1)),
        ("初段", 500, -500, ("初段", 0, 0)),
        ("初段", 999, 0, ("初段", 999, 0)),
        ("初段", 999, 1, ("二段", 1000, 1)),
        ("初段", 999, 5000, ("二段", 1000, 1)),
        ("二段", 0, -9999, ("初段", 500, -1)),
        ("八段", 7999, 1, ("九段", 4500, 1)),
        ("九段", 8999, 1, ("十段", 5000, 1)),
        ("十段", 9990, 9, ("十段", 9999, 0)),
        ("十段", 9990, 40, ("十段", 10_000, 0)),
        ("十段", 10_000, 1, ("十段", 10_000, 0)),
        ("十段", 5, -6, ("九段", 4500, -1)),
    ],
)
def test_after(rank, exp, gained, expected):
    assert ranks.after(rank, exp, gained) == expected


def test_thresholds():
    assert {ranks.threshold(rank) for rank in KYU} == {200}
    assert [ranks.threshold(rank) for rank in DAN] == [1000 * n for n in range(1, 11)]


@untimed
@given(st.sampled_from(RANKS), st.integers(0, 20_000), st.integers(-20_000, 20_000))
def test_one_step_at_most_and_exp_never_below_zero(rank, exp, gained):
    new, left, moved = ranks.after(rank, exp, gained)
    assert RANKS.index(new) - RANKS.index(rank) == moved
    assert moved in (-1, 0, 1)
    assert left >= 0
    if moved == 0 and rank not in ("十級", "十段"):
        assert left == exp + gained


@pytest.mark.parametrize(("exp", "gained"), [(-1, 0), (0.5, 0), (0, 0.5), (True, 0), (0, True), (None, 0), ("1", 2)])
def test_exp_are_whole_numbers(exp, gained):
    with pytest.raises(BadExp):
        ranks.after("初段", exp, gained)


def test_no_such_rank():
    with pytest.raises(UnknownRank, match="rank='十一段'"):
        ranks.after("十一段", 0, 0)
