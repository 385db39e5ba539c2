"""A player's record: results counted, and the run of wins (rules §4: streak)."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Record:
    """Counts of rated results, the present run of wins, the longest ever, and the newest results, newest first."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    streak: int = 0
    best: int = 0
    recent: str = ""


RECENT = 5
"""How many results `Record.recent` keeps."""


def after(record: Record, result: float | None) -> Record:
    """The record after one more result: 1 won, 0.5 drawn, 0 lost, None void. A draw ends a run of wins."""
    if result is None:
        return record
    letter = {1: "w", 0.5: "d", 0: "l"}[result]
    record = replace(record, recent=(letter + record.recent)[:RECENT])
    if result == 1:
        streak = record.streak + 1
        return replace(record, wins=record.wins + 1, streak=streak, best=max(record.best, streak))
    if result == 0:
        return replace(record, losses=record.losses + 1, streak=0)
    return replace(record, draws=record.draws + 1, streak=0)
