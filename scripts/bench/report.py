"""How a part of the bench says what it does and what it found."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True)
class Figure:
    """One measurement: `what` was measured, what it came to as `text`, and the target if there is one."""

    part: str
    what: str
    text: str
    target: str = ""
    met: bool | None = None

    def print(self) -> None:
        """Hand it to the process that started this part."""
        print(json.dumps(asdict(self)), flush=True)


def say(text: str) -> None:
    """A line about progress."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def reference_ms(rounds: int = 7) -> float:
    """CPU milliseconds of a fixed loop of pure Python, the median of several: it moves only with the machine."""

    def once() -> float:
        start = time.process_time()
        total = 0
        for number in range(400_000):
            total = (total * 31 + number) % 1_000_003
        return (time.process_time() - start) * 1000

    return median(once() for _ in range(rounds))


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` (0 to 1) of them lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
