"""The written rules name everything that the code does."""

from dataclasses import fields
from pathlib import Path

import pytest
from django.conf import settings

from ratematch.rules.lifecycle import CLOCKS, MOVES, Durations, Who

RULES = Path(settings.BASE_DIR / "docs" / "ratematch.md").read_text(encoding="utf-8")
BY = {
    Who.EITHER: "either",
    Who.PLAYER1: "Player 1",
    Who.PLAYER2: "Player 2",
    Who.STAYER: "who stayed",
    Who.FIRST: "who pressed first",
    Who.OTHER: "who didn't press first",
}


def test_the_table_of_moves_is_the_code_s() -> None:
    section = RULES.partition("### The moves")[2].partition("###")[0]
    said = [line for line in section.splitlines() if line.startswith("| `")]
    done = [
        f"| `{state}` | `{verb}` | {BY[move.who]} | {', '.join(f'`{to}`' for to in move.leads_to)} |"
        for (state, verb), move in MOVES.items()
    ]
    assert sorted(said) == sorted(done)


@pytest.mark.parametrize("name", [field.name for field in fields(Durations)])
def test_every_length_of_time_is_named(name: str) -> None:
    assert f"`{name}`" in RULES


@pytest.mark.parametrize("state", CLOCKS)
def test_every_clock_is_named(state: str) -> None:
    assert f"\n| `{state}`" in RULES.partition("### The clocks")[2]


@pytest.mark.parametrize("name", settings.RATEMATCH)
def test_every_setting_is_named(name: str) -> None:
    assert f"| `{name}` |" in RULES
