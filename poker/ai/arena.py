"""Two players against each other: `python -m poker.ai.arena A B --deals N`.

Each deal is played from both seats, so that good cards count for neither; the error is that of the mean over deals.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, stdev
from typing import TypeAlias

from poker.ai.players import NAMES, Player, player
from poker.rules import DECK, Game

BAR = 40
Progress: TypeAlias = Callable[[int], None]


@dataclass
class Match:
    """What came of some games of A against B.

    Attributes:
        scores: one a deal: the mean of both games' differences, A's points less B's.
        won: games that A won; half for a draw.
        times: seconds that each of A's and each of B's choices took.
    """

    scores: list[float] = field(default_factory=list)
    won: float = 0
    times: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    def add(self, other: Match) -> None:
        """Take in more games."""
        self.scores += other.scores
        self.won += other.won
        for mine, more in zip(self.times, other.times, strict=True):
            mine.extend(more)

    @property
    def games(self) -> int:
        """How many were played."""
        return 2 * len(self.scores)

    @property
    def mean(self) -> float:
        """Points a game by which A is ahead."""
        return mean(self.scores)

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return stdev(self.scores) / len(self.scores) ** 0.5 if len(self.scores) > 1 else 0.0

    def summary(self, a: str, b: str) -> dict[str, str | int | float]:
        """As `--json` prints it."""
        return {
            "a": a,
            "b": b,
            "games": self.games,
            "mean": round(self.mean, 3),
            "se": round(self.error, 3),
            "win_rate": round(self.won / self.games, 4),
            "ms_a": round(1000 * mean(self.times[0]), 3),
            "ms_b": round(1000 * mean(self.times[1]), 3),
        }


def play_game(
    players: tuple[Player, Player], deck: list[str], seed: str, times: tuple[list[float], list[float]]
) -> int:
    """One game; answers seat 0's points less seat 1's. In round 9 nobody has a choice, and nobody is asked."""
    game = Game(deck)
    while game.round < 9:
        chosen = []
        for seat in (0, 1):
            view = game.view(seat)
            start = time.perf_counter()
            chosen.append(players[seat].choose(view, seed))
            times[seat].append(time.perf_counter() - start)
        game.play(*chosen)
    game.play(*game.hands)
    one, two = game.points()
    return one - two


def play_deal(one: Player, two: Player, seed: int, number: int) -> Match:
    """Deal `number` of this seed, from both seats."""
    deck = list(DECK)
    random.Random(f"{seed}:{number}").shuffle(deck)  # noqa: S311 - measurement, nothing is dealt to anyone
    match = Match()
    ahead = play_game((one, two), deck, f"{seed}:{number}:0", match.times)
    behind = play_game((two, one), deck, f"{seed}:{number}:1", match.times[::-1])
    match.scores.append((ahead - behind) / 2)
    match.won = sum((score > 0) + (score == 0) / 2 for score in (ahead, -behind))
    return match


def compete(a: str, b: str, deals: int, seed: int, workers: int = 1, progress: Progress | None = None) -> Match:
    """So many deals of A against B. The result doesn't depend on the number of workers, the times may.

    Raises UnknownPlayer.
    """
    player(a), player(b)
    return tally(_matches(partial(_named, a, b, seed), deals, workers), progress)


def tally(matches: Iterable[Match], progress: Progress | None = None) -> Match:
    """Add up deals as they come.

    Args:
        progress: is told how many are finished, after each.
    """
    total = Match()
    for done, match in enumerate(matches, start=1):
        total.add(match)
        if progress:
            progress(done)
    return total


def _named(a: str, b: str, seed: int, number: int) -> Match:
    return play_deal(player(a), player(b), seed, number)


def _matches(deal: Callable[[int], Match], deals: int, workers: int) -> Iterator[Match]:
    if workers == 1:
        yield from map(deal, range(deals))
    else:
        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(deal, range(deals), chunksize=4)


class Bar:
    """How far it is, on stderr; nothing where that is no terminal."""

    def __init__(self, deals: int) -> None:
        self.deals = deals
        self.began = time.monotonic()

    def __call__(self, done: int) -> None:
        """Draw it anew."""
        if not sys.stderr.isatty():
            return
        share = done / self.deals
        left = (time.monotonic() - self.began) * (1 - share) / share
        filled = "#" * int(BAR * share)
        end = "\n" if done == self.deals else ""
        line = f"[{filled:.<{BAR}}] {done}/{self.deals} deals, {left:.0f} s left"
        sys.stderr.write(f"\r{line} {end}")
        sys.stderr.flush()


def main(arguments: list[str] | None = None) -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(
        prog="python -m poker.ai.arena", description="Play two players against each other."
    )
    parser.add_argument("a", metavar="A", choices=NAMES, help=f"one of {', '.join(NAMES)}")
    parser.add_argument("b", metavar="B", choices=NAMES, help="the same")
    parser.add_argument(
        "--deals", type=_positive, default=500, help="each is played from both seats; default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed, other deals; default %(default)s")
    parser.add_argument("--workers", type=_positive, default=1, help="processes that play; default %(default)s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    match = compete(options.a, options.b, options.deals, options.seed, options.workers, Bar(options.deals))
    summary = match.summary(options.a, options.b)
    if options.json:
        sys.stdout.write(json.dumps(summary) + "\n")
        return
    result = f"{match.mean:+.2f} ± {match.error:.2f} points a game over {match.games:,} games"
    lines = [f"{options.a} against {options.b}: {result}, {100 * match.won / match.games:.1f} % won"]
    for name, times in zip((options.a, options.b), match.times, strict=True):
        slow = sorted(times)[int(0.99 * len(times))]
        lines.append(f"  {name}: {1000 * mean(times):.2f} ms a choice, 99 % below {1000 * slow:.2f} ms")
    sys.stdout.write("\n".join(lines) + "\n")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


if __name__ == "__main__":
    main()
