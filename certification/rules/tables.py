"""Ranks, tables and rule versions (rules §1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certification.rules.errors import UnknownRank, UnknownTable, UnknownVersion

KYU = ("十級", "九級", "八級", "七級", "六級", "五級", "四級", "三級", "二級", "一級")
DAN = ("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段")
RANKS = KYU + DAN
"""All ranks, lowest first."""

SEATS = 5
"""Seats of a table [ours]."""

VERSIONS = ("1", "1.10", "2")
"""The versions of the rules, oldest first."""

DEFAULT_VERSION = "2"
"""Under which a table is opened unless it says otherwise [ours]."""


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of table: chips of a bet unit, and what a chip is worth in score and, between opponents, in EXP."""

    unit: int
    score: Fraction
    certification: Fraction | None


TABLES = {
    "初級": Table(unit=10, score=Fraction(1), certification=None),
    "中級": Table(unit=20, score=Fraction("0.5"), certification=Fraction("0.5")),
    "上級": Table(unit=50, score=Fraction("0.2"), certification=Fraction("0.2")),
}

ANTES = {
    ("1", "初級"): 20,
    ("1", "中級"): 40,
    ("1", "上級"): 100,
    ("1.10", "初級"): 20,
    ("1.10", "中級"): 40,
    ("1.10", "上級"): 100,
    ("2", "初級"): 20,
    ("2", "中級"): 40,
    ("2", "上級"): 100,
}
"""The ante in chips by (version, table): 40 at 中級 is the game's, the others are two units as well [ours]."""


def dan_of(rank: str) -> int:
    """1 to 10 for 初段 to 十段, 0 for every kyu rank.

    Raises:
        UnknownRank: there is no such rank.
    """
    check_rank(rank)
    return DAN.index(rank) + 1 if rank in DAN else 0


def check_rank(rank: str | None, **facts: object) -> None:
    """Raise UnknownRank, with `facts` such as the player who has it, unless it is one of the twenty."""
    if rank not in RANKS:
        raise UnknownRank(field="ranks", rank=rank, **facts)


def table_of(name: str) -> Table:
    """The table of this name.

    Raises:
        UnknownTable: there is none.
    """
    if not isinstance(name, str) or name not in TABLES:
        raise UnknownTable(field="table", table=name)
    return TABLES[name]


def check_version(version: str) -> None:
    """Raise UnknownVersion unless the rules have this version."""
    if version not in VERSIONS:
        raise UnknownVersion(field="version", version=version)


def ante_of(version: str, table: str) -> int:
    """The ante in chips at `table` under `version`.

    Raises:
        UnknownTable, UnknownVersion: there is none of this name.
    """
    check_version(version)
    table_of(table)
    return ANTES[version, table]
