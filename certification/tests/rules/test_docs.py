"""docs/certification.md says what the code does: each of its tables and examples is worked out again."""

from fractions import Fraction
from pathlib import Path

import pytest

from certification import bots
from certification.hand import Kind, Verb, chips_needed, most_units
from certification.hand.kinds import BETS_A_ROUND, ROUNDS
from certification.rules.opponents import Finding, Way, resolve
from certification.rules.ranks import KYU_AFTER_DEMOTION, after, threshold
from certification.rules.rates import ROWS
from certification.rules.settlement import Basis, Name, settle
from certification.rules.tables import ANTES, DAN, DEFAULT_VERSION, KYU, RANKS, TABLES, VERSIONS, ante_of

PAGE = Path(__file__).parents[3].joinpath("docs", "certification.md").read_text(encoding="utf-8")


def table(head, within=PAGE):
    """The rows below the table whose head begins so, cell by cell, without backticks."""
    lines = within[within.index(f"| {head}") :].splitlines()[2:]
    rows = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows]


def test_ranks_and_versions():
    ranks = PAGE.partition("**Ranks**")[2].partition("**Tables.**")[0].replace("\n", " ")
    assert ", ".join(KYU) in ranks
    assert ", ".join(DAN) in ranks
    assert "**Versions** are `1`, `1.10` and `2`" in PAGE
    assert VERSIONS == ("1", "1.10", "2")
    assert DEFAULT_VERSION == "2"


def test_tables():
    def decimal(value):
        return "none" if value is None else f"{float(value):g}"

    done = [
        [name, str(each.unit), str(ante_of("2", name)), decimal(each.score), decimal(each.certification)]
        for name, each in TABLES.items()
    ]
    assert [[row[0].split()[0], *row[1:]] for row in table("table | unit, chips")] == done
    assert all(ante == ANTES["2", name] for (_, name), ante in ANTES.items())


@pytest.mark.parametrize("version", VERSIONS)
def test_rates(version):
    def percents(values):
        return ["–" if value is None else f"{value} %" for value in values]

    done = [
        [
            "–".join(dict.fromkeys((row.ranks[0], row.ranks[-1]))) + (" [ours]" if row.ours else ""),
            *percents(row.gain),
            f"+{row.gain_per_unit}",
            *percents(row.loss),
            f"−{row.loss_per_unit}",
        ]
        for row in ROWS[version]
    ]
    assert table("ranks | won", PAGE.partition(f"**Version {version}**")[2]) == done


def test_promotion_and_demotion():
    rows = table("rank | promoted at")
    assert rows[0] == ["kyu ranks", str(threshold("十級")), "the surplus", str(KYU_AFTER_DEMOTION)]
    assert [row[0] for row in rows[1:]] == list(DAN)
    for rank, at, promoted, demoted in rows[1:]:
        place = RANKS.index(rank)
        assert at.split()[-1] == str(threshold(rank))
        assert after(RANKS[place - 1], threshold(RANKS[place - 1]), 0)[:2] == (rank, int(promoted))
        if rank != "十段":
            assert after(RANKS[place + 1], 0, -1)[:2] == (rank, int(demoted))


@pytest.mark.parametrize("row", table("| table | version | rank"), ids=lambda row: " ".join(row[1:5]))
def test_examples(row):
    _, name, version, rank, bets, *figures = row
    bets = dict(zip("ABCDE", bets.split(), strict=True))
    winners = [player for player, bet in bets.items() if bet.startswith("**")]
    line = settle(
        antes=dict.fromkeys(bets, ante_of(version, name)),
        bets={player: int(bet.strip("*")) for player, bet in bets.items()},
        winners=winners,
        table=name,
        version=version,
        ranks=dict.fromkeys(bets, rank),
        opponents={},
    )["A"]
    value = {step.name: step.value for step in line.working}
    names = (Name.POT_BEFORE, Name.POT_AFTER, Name.SHARE, Name.NET, Name.SCORE, Name.EXACT_EXP, Name.EXP)
    assert [Fraction(figure) for figure in figures] == [value[name] for name in names]


def test_the_example_of_certification():
    rows = table("player | opponent")
    balances = {player: int(balance) for player, _, balance, _ in rows}
    bets = {player: -balance - 40 for player, balance in balances.items()} | {"E": 80 - 40, "C": 100}
    lines = settle(
        antes=dict.fromkeys("ABCDE", 40),
        bets=bets,
        winners=["C"],
        table="中級",
        version="2",
        ranks=dict.fromkeys("ABCD", "二段") | {"E": "十級"},
        opponents={player: opponent for player, opponent, _, _ in rows},
    )
    for player, _, balance, exp in rows:
        assert {step.name: step.value for step in lines[player].working}[Name.BALANCE] == int(balance)
        assert lines[player].exp == int(exp)


def test_every_step_of_the_working_is_named_in_its_order():
    said = [name.strip() for names, _ in table("step | value") for name in names.split(",")]
    assert said == [name.value for name in Name]
    assert all(f"`{basis}`" in PAGE for basis in Basis)


def test_findings_and_ways():
    assert {row[0] for row in table("finding | meaning")} == {finding.value for finding in Finding}
    assert {row[0] for row in table("way | meaning")} == {way.value for way in Way}


@pytest.mark.parametrize("row", table("seated | opponents"), ids=lambda row: row[0])
def test_cases_of_opponents(row):
    seats = [(word[0], *map(int, word[1:].split("@")), seat) for seat, word in enumerate(row[0].split(), 1)]
    found = resolve(seats)
    said = dict(pair.split("-") for pair in row[1].split())
    assert {player: None if other == "–" else other for player, other in said.items()} == dict(found.opponent_of)
    assert found.locks == ({frozenset(row[2])} if row[2] else frozenset())


def test_the_hand():
    rows = {row[0]: row[1:] for row in table("| five-card draw | hold'em")}
    for place, kind in enumerate(Kind):
        said = {what: cells[place] for what, cells in rows.items()}
        assert said["Kind"] == kind
        assert said["rounds of betting"] == str(len(ROUNDS[kind]))
        assert said["a bet or raise in each round, units"] == ", ".join(str(each.bet) for each in ROUNDS[kind])
        assert said["bets and raises a round, at most"] == str(BETS_A_ROUND)
        assert said["the most that betting can cost, units"] == str(most_units(kind))
        for name, each in TABLES.items():
            needed = chips_needed(kind, unit=each.unit, ante=ante_of("2", name))
            assert said[f"chips to be dealt in at {name}"] == str(needed)
    assert all(f"`{verb}`" in PAGE for verb in Verb)


def test_bots():
    done = [
        (str(habits.bet), str(habits.raises), str(habits.call), str(habits.bargain), f"{habits.whim * 10:g}")
        for habits in bots.HABITS.values()
    ]
    assert list(zip(*(row[1:] for row in table("| `tight` | `loose`")), strict=True)) == done
    assert bots.BARGAIN == 5
