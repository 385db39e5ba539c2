"""Rules §1: the rates as the game prints them, and what they come to for one bet unit."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from certification.rules.errors import UnknownRank, UnknownTable, UnknownVersion
from certification.rules.rates import NO_RATE, ROWS, UNKNOWN_V2, Rate, rate_of
from certification.rules.settlement import SCORE_PER_UNIT, settle
from certification.rules.tables import ANTES, DAN, KYU, RANKS, TABLES, VERSIONS, ante_of, dan_of

DATA = Path(__file__).parents[4] / "shared" / "data" / "cert_rates.json"

PRINTED = [
    pytest.param(percent, per_unit, table, id=f"{version}-{row.ranks[0]}-{table}-{way}")
    for version, rows in ROWS.items()
    for row in rows
    if not row.ours
    for way, percents, per_unit in [("gain", row.gain, row.gain_per_unit), ("loss", row.loss, row.loss_per_unit)]
    for table, percent in zip(TABLES, percents, strict=True)
    if percent is not None
]


def test_there_are_as_many_rates_as_the_game_prints():
    assert len(PRINTED) == 93


@pytest.mark.parametrize(("percent", "per_unit", "table"), PRINTED)
def test_a_printed_rate_comes_to_the_same_for_a_unit(percent, per_unit, table):
    assert Fraction(percent) / 100 * TABLES[table].unit == Fraction(per_unit)


def test_a_unit_is_worth_ten_of_score_at_every_table():
    assert {table.unit * table.score for table in TABLES.values()} == {SCORE_PER_UNIT}


def test_antes_are_two_units_and_there_is_one_for_every_version_and_table():
    assert set(ANTES) == set(product(VERSIONS, TABLES))
    assert all(ante_of(version, table) == 2 * TABLES[table].unit for version, table in ANTES)


def test_rows_name_ranks_once_in_their_order():
    for version, rows in ROWS.items():
        assert sum((row.ranks for row in rows), ()) == (KYU if version == "1" else RANKS)


def test_what_the_game_does_not_print_is_seventh_dan_s_and_marked():
    seventh, above = (rate_of("2", "中級", rank) for rank in ("七段", "八段"))
    assert above == Rate(seventh.gain, seventh.loss, ours=True)
    assert UNKNOWN_V2.ranks == ("八段", "九段", "十段")
    assert [row for rows in ROWS.values() for row in rows if row.ours] == [UNKNOWN_V2]


def test_cells_without_a_rate():
    assert rate_of("1.10", "初級", "初段") == Rate(gain=Fraction("6.8"), loss=None, ours=False)
    assert rate_of("1", "中級", "初段") == NO_RATE
    assert all(rate_of("1", "初級", rank) == NO_RATE for rank in RANKS)


@pytest.mark.parametrize("rank", DAN)
def test_dan_ranks_have_no_rate_at_beginners_tables_in_version_2(rank):
    rate = rate_of("2", "初級", rank)
    assert (rate.gain, rate.loss) == (None, None)


EVERY = list(product(VERSIONS, TABLES, RANKS))


@pytest.mark.parametrize(("version", "table", "rank"), EVERY)
def test_every_version_table_and_rank_once(version, table, rank):
    """Eight units won, and two lost, by a rank without a certification opponent."""
    unit = TABLES[table].unit
    ante = 2 * unit
    lines = settle(
        antes=dict.fromkeys("ABCDE", ante),
        bets={"A": 4 * unit},
        winners=["A"],
        table=table,
        version=version,
        ranks=dict.fromkeys("ABCDE", rank),
        opponents={},
    )
    rate = rate_of(version, table, rank)
    assert lines["A"].score == 80
    assert lines["B"].score == -20
    assert lines["A"].exact_exp == 8 * (rate.gain or 0)
    assert lines["B"].exact_exp == -2 * (rate.loss or 0)
    silent = table == "初級" and (version == "1" or (version == "2" and dan_of(rank)))
    assert (rate.gain is None) == bool(silent or (version == "1" and dan_of(rank)))


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (("3", "中級", "初段"), UnknownVersion),
        (("1.1", "中級", "初段"), UnknownVersion),
        (("2", "特級", "初段"), UnknownTable),
        (("2", "中級", "十一段"), UnknownRank),
        (("2", "中級", "一段"), UnknownRank),
        ((2, "中級", "初段"), UnknownVersion),
        (("2", None, "初段"), UnknownTable),
        (("2", ["中級"], "初段"), UnknownTable),
        (("2", "中級", None), UnknownRank),
    ],
)
def test_what_there_is_not(asked, error):
    with pytest.raises(error):
        rate_of(*asked)


@pytest.mark.skipif(not DATA.exists(), reason="the rates as data aren't beside the project")
def test_the_rates_are_the_data_s():
    data = json.loads(DATA.read_text())
    assert {name: table.unit for name, table in TABLES.items()} == data["bet_unit_chips"]
    for name, table in TABLES.items():
        assert table.score == Fraction(data["score_factor"][name])
        factor = data["cert_factor"][name]
        assert table.certification == (None if factor is None else Fraction(factor))
    for version, rows in data["versions"].items():
        ours = [row for row in ROWS[version] if not row.ours]
        printed = [row for row in rows if row["gain_per_unit"] is not None]
        assert [row["ranks"] for row in rows if row["gain_per_unit"] is None] == [
            list(row.ranks) for row in ROWS[version] if row.ours
        ]
        for own, row in zip(ours, printed, strict=True):
            assert list(own.ranks) == row["ranks"]
            assert dict(zip(TABLES, own.gain, strict=True)) == row["gain_pct"]
            assert dict(zip(TABLES, own.loss, strict=True)) == row["loss_pct"]
            assert own.gain_per_unit == row["gain_per_unit"]
            assert "-" + own.loss_per_unit == row["loss_per_unit"]
