"""EXP by one's own result: the rates of each version (rules §1), as the game's tables print them.

A row is what one line of those tables says: for some ranks, what share of the chips won (`gain`) or lost (`loss`)
becomes EXP at 初級, 中級 and 上級, in percent, and what that comes to for one bet unit. `None` is no change.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certification.rules.tables import DAN, KYU, TABLES, check_rank, check_version, table_of

Percents = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a version's table; percents stand in the order of TABLES. `ours`: the game's table has `??` here."""

    ranks: tuple[str, ...]
    gain: Percents
    gain_per_unit: str
    loss: Percents
    loss_per_unit: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Rate:
    """EXP for one bet unit won or lost, both positive. `ours`: the game's own rate isn't known."""

    gain: Fraction | None
    loss: Fraction | None
    ours: bool


_KYU_10_TO_8, _KYU_7_TO_5, _KYU_4_TO_1 = KYU[:3], KYU[3:6], KYU[6:]

# Versions 1.10 and 2 agree below dan rank.
_KYU_ROWS = (
    Row(_KYU_10_TO_8, ("300", "150", "60"), "30", ("100", "50", "20"), "10"),
    Row(_KYU_7_TO_5, ("220", "110", "44"), "22", ("100", "50", "20"), "10"),
    Row(_KYU_4_TO_1, ("180", "90", "36"), "18", ("100", "50", "20"), "10"),
)

UNKNOWN_V2 = Row(DAN[7:], (None, "13.95", "5.58"), "2.79", (None, "15", "6"), "3", ours=True)
"""八段 to 十段 in version 2: `??` in the game's table. 七段's rates till somebody knows; edit this row [ours]."""

ROWS: dict[str, tuple[Row, ...]] = {
    "1": (
        Row(_KYU_10_TO_8, (None, "100", "40"), "20", (None, "40", "16"), "8"),
        Row(_KYU_7_TO_5, (None, "100", "40"), "20", (None, "60", "24"), "12"),
        Row(_KYU_4_TO_1, (None, "100", "40"), "20", (None, "80", "32"), "16"),
    ),
    "1.10": (
        *_KYU_ROWS,
        Row(DAN[:3], ("68", "34", "13.6"), "6.8", (None, "35", "14"), "7"),
        Row(DAN[3:6], ("48", "24", "9.6"), "4.8", ("50", "25", "10"), "5"),
        Row(DAN[6:], ("28", "14", "5.6"), "2.8", ("30", "15", "6"), "3"),
    ),
    "2": (
        *_KYU_ROWS,
        Row(DAN[0:1], (None, "45", "18"), "9", (None, "35", "14"), "7"),
        Row(DAN[1:2], (None, "40", "16"), "8", (None, "35", "14"), "7"),
        Row(DAN[2:3], (None, "35", "14"), "7", (None, "35", "14"), "7"),
        Row(DAN[3:4], (None, "34", "13.6"), "6.8", (None, "35", "14"), "7"),
        Row(DAN[4:5], (None, "29", "11.6"), "5.8", (None, "30", "12"), "6"),
        Row(DAN[5:6], (None, "24", "9.6"), "4.8", (None, "25", "10"), "5"),
        Row(DAN[6:7], (None, "13.95", "5.58"), "2.79", (None, "15", "6"), "3"),
        UNKNOWN_V2,
    ),
}
"""By version. Version 1 has no rows for dan ranks: there only certification moved them."""

NO_RATE = Rate(gain=None, loss=None, ours=False)


def rate_of(version: str, table: str, rank: str) -> Rate:
    """What a unit won or lost is worth to `rank` at `table` under `version`.

    Raises:
        UnknownVersion, UnknownTable, UnknownRank: there is none of this name.
    """
    check_version(version)
    table_of(table)
    check_rank(rank)
    row = next((row for row in ROWS[version] if rank in row.ranks), None)
    if row is None:
        return NO_RATE
    place = list(TABLES).index(table)
    return Rate(
        gain=None if row.gain[place] is None else Fraction(row.gain_per_unit),
        loss=None if row.loss[place] is None else Fraction(row.loss_per_unit),
        ours=row.ours,
    )
