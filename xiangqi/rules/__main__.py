"""`python -m xiangqi.rules`: count moves, or let the referee judge game records.

Exit codes: 0 done; 1 something in the input is wrong, and standard error says what; 2 the command itself is.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from common.errors import Invalid
from xiangqi.rules import words
from xiangqi.rules.board import Board
from xiangqi.rules.fen import START
from xiangqi.rules.outcome import Outcome
from xiangqi.rules.perft import perft
from xiangqi.rules.pgn import Record, decode, read
from xiangqi.rules.pgn.reading import records
from xiangqi.rules.pgn.tokens import Reader
from xiangqi.rules.squares import Move

BAR_WIDTH = 30
ONLY_ICCS = re.compile(r"(?:\s|[a-i][0-9]-?[a-i][0-9])*", re.IGNORECASE)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and answer its exit code."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.command == "perft":
            return _perft(asked.depth, asked.fen)
        return _judge(asked.file)
    except Invalid as error:
        return _complain(words.of_error(error))
    except BrokenPipeError:  # whoever read our output has gone; Python's own last flush must not fail too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        return _complain("stopped")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m xiangqi.rules", description="Xiangqi: count moves, judge games.")
    commands = parser.add_subparsers(dest="command", required=True)
    counting = commands.add_parser("perft", help="count the sequences of legal moves")
    counting.add_argument("depth", type=_depth, help="plies, from 0")
    counting.add_argument("--fen", default=START, help="where to begin; else the start of a game")
    judging = commands.add_parser("judge", help="say how the referee ends the games of a file")
    judging.add_argument("file", type=Path, help="PGN, or moves in ICCS, one game between empty lines")
    return parser


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError("a depth is a whole number, 0 or more")
    return int(text)


def _perft(depth: int, fen: str) -> int:
    board, begun, leaves = Board(fen), time.perf_counter(), 0
    ahead = list(_lines(board, min(2, max(0, depth - 2))))
    with Bar() as bar:
        for done, line in enumerate(ahead):
            bar.show(done / len(ahead))
            for move in line:
                board.push(move)
            leaves += perft(board, depth - len(line))
            for _ in line:
                board.pop()
    _say(f"perft {depth}: {leaves:,} leaves in {time.perf_counter() - begun:.2f} s")
    return 0


def _lines(board: Board, plies: int) -> Iterator[tuple[Move, ...]]:
    """Every sequence of so many legal moves: the parts of a long count, so that there is progress to show."""
    if plies == 0:
        yield ()
        return
    for move in board.legal_moves:
        board.push(move)
        for line in _lines(board, plies - 1):
            yield (move, *line)
        board.pop()


def _judge(file: Path) -> int:
    text = decode(file.read_bytes())
    exit_code = 0
    with Bar() as bar:
        for number, (record, share) in enumerate(_records(text), 1):
            bar.hide()
            outcome = _say_verdict(number, record) if record.moves or not record.error else None
            if record.error and not outcome:  # what a record says after the end of its game is nobody's concern
                exit_code = _complain(f"game {number}: {words.of_error(record.error)}")
            bar.show(share)
    return exit_code


def _records(text: str) -> Iterator[tuple[Record, float]]:
    """The games of a file, each with how much of the file has been read."""
    if ONLY_ICCS.fullmatch(text):
        games = [game for game in re.split(r"\n\s*\n", text) if game.strip()] or [text]
        for done, game in enumerate(games, 1):
            yield read(game), done / len(games)
        return
    reader = Reader(text)
    found = False
    for record in records(reader):
        found = True
        yield record, reader.share
    if not found:
        yield read(text), 1


def _say_verdict(number: int, record: Record) -> Outcome | None:
    board, outcome = Board(record.fen), None
    for move in record.moves:
        board.push(move)
        outcome = board.outcome()
        if outcome:
            break
    played = len(record.moves)
    _say(f"game {number}")
    if not outcome:
        _say(f"  result  none by the rules; the record says {record.result}")
        _say(f"  plies   {played}")
        return None
    _say(f"  result  {words.of_result(outcome.winner)}")
    _say(f"  rule    {words.of_rule(outcome)}")
    for run in outcome.detail.runs:
        _say(f"          {words.of_run(run)}")
    _say(f"  plies   {board.ply} of {played}, about {words.of_plies(outcome)}")
    return outcome


class Bar:
    """A bar of progress on standard error, where that is a terminal. Leaving it takes the bar away."""

    def __init__(self) -> None:
        self._shown: int | None = None
        self._seen = sys.stderr.isatty()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        self.hide()

    def show(self, share: float) -> None:
        """Show how much is done, 0 to 1."""
        percent = int(100 * share)
        if self._seen and percent != self._shown:
            full = int(BAR_WIDTH * share)
            sys.stderr.write(f"\r[{'#' * full}{'.' * (BAR_WIDTH - full)}] {percent:3} %")
            sys.stderr.flush()
            self._shown = percent

    def hide(self) -> None:
        """Clear the bar's line, so that something can be printed there."""
        if self._shown is not None:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._shown = None


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _complain(line: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"{line}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
