"""Battle Poker's computer: what a choice costs at each level, and how strong the levels are."""

from __future__ import annotations

import time
from statistics import mean

from poker.ai.arena import compete
from poker.ai.players import NAMES
from scripts.bench.report import Figure, percentile, reference_ms, say

PART = "Battle Poker's computer"
CHOICE_MS = 100
"""Target for the mean of any level."""
ROWS = [
    ("random", "greedy", None, None),
    ("beginner", "greedy", None, 0.0),
    ("intermediate", "greedy", -4.0, 4.0),
    ("advanced", "greedy", 7.0, None),
    ("expert", "greedy", 15.0, None),
    ("expert", "advanced", 3.0, None),
]
"""Who against whom, and between which points a game the mean should be."""
DEALS = 2000
SAY_EVERY_S = 60


def run(quick: bool) -> None:
    """Play all rows; times are taken from games against greedy."""
    for a, b, low, high in ROWS:
        match = compete(a, b, 10 if quick else DEALS, seed=1, progress=_Progress(f"{a} against {b}"))
        text = f"{match.mean:+.1f} ± {match.error:.1f} points a game, {100 * match.won / match.games:.0f} % won"
        met = (low is None or match.mean >= low) and (high is None or match.mean <= high)
        bounds = [f"≥ {low:+g}" if low is not None else "", f"≤ {high:+g}" if high is not None else ""]
        target = ", ".join(filter(None, bounds))
        Figure(
            PART, f"{a} against {b}, {match.games:,} games", text, target, met if target and not quick else None
        ).print()
    for name in NAMES:
        _time(name, 5 if quick else 60)


def _time(name: str, deals: int) -> None:
    """A choice, also as a multiple of the reference loop, which moves with the machine."""
    reference = reference_ms()
    times = [1000 * seconds for seconds in compete(name, "greedy", deals, seed=2).times[0]]
    average, slow = mean(times), percentile(times, 0.99)
    text = f"{average:.2f} ms on average ({average / reference:.2f} reference loops), 99 % below {slow:.2f} ms"
    Figure(PART, f"a choice of {name}", text, f"≤ {CHOICE_MS} ms on average", average <= CHOICE_MS).print()


class _Progress:
    """Says how far a row is, once a minute."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.said = time.monotonic()
        say(f"levels: {what}")

    def __call__(self, done: int) -> None:
        """So many deals are finished."""
        if time.monotonic() - self.said >= SAY_EVERY_S:
            self.said = time.monotonic()
            say(f"levels: {self.what}, {done:,} deals")
