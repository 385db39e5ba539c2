"""Xiangqi's rules: moves a second beside other libraries in the same run, perft further than the suite goes, and what a
move costs with the referee on, early and late in a game.

The other libraries are for comparison only; a line says so where one isn't there. The PyPI library `xiangqi` has the
name of our own app, so it is fetched into a folder of its own and runs in a process of its own.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median

from scripts.bench.report import Figure, percentile, say
from xiangqi.rules import START, Board, Move, perft

PART = "Xiangqi rules"
LEAVES = {1: 44, 2: 1920, 3: 79666}
OTHER_XIANGQI = "xiangqi==1.0.5"
DEEP = {
    "the start": (START, 5, 133312995),
    "a middle game": ("r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1", 5, 67407683),
    "a sharp middle game": ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 5, 53112976),
    "an end game": ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", 5, 4739553),
    "pins and screens": ("C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1", 5, 1914306),
    "a horse's check": ("4k4/9/9/9/9/9/9/4n4/3A5/3K5 w - - 0 1", 6, 786),
}
PLIES = (10, 100, 390)
PUSH_MS = 0.25
"""Target."""


def run(quick: bool) -> None:
    """Compare, count deeper, and time moves."""
    _compare(rounds=3 if quick else 15)
    for name, (fen, depth, leaves) in DEEP.items():
        if quick and leaves > 5_000_000:
            continue
        taken, found = _timed(lambda fen=fen, depth=depth: perft(Board(fen), depth))
        assert found == leaves, f"perft {depth} of {fen} is {leaves}, not {found}"
        Figure(PART, f"perft {depth} of {name}", f"{found:,}, as published ({taken:.1f} s)").print()
    _pushes(games=5 if quick else 40)


def _timed(count: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    found = count()
    return time.process_time() - start, found


def _compare(rounds: int) -> None:
    """Nodes a second of each, round by round in turn, so that a slow moment of the machine meets all."""
    counters: dict[str, Callable[[], int]] = {"ours": lambda: perft(Board(), 3)}
    for name, maker in (("python-chess", _python_chess), ("cchess", _cchess)):
        try:
            counters[name] = maker()
        except ImportError:
            say(f"kernel: {name} isn't installed; that comparison is left out")
    rates: dict[str, list[float]] = {name: [] for name in counters}
    for turn in range(rounds):
        for name, count in counters.items():
            if name == "cchess" and turn >= 3:
                continue  # seconds each time
            taken, found = _timed(count)
            rates[name].append(found / taken)
    if other := _pypi_xiangqi():
        rates["xiangqi from PyPI"] = [other]
    ours = median(rates.pop("ours"))
    Figure(PART, "perft 3 from the start", f"{ours:,.0f} leaves a second").print()
    for name, found in rates.items():
        target = 3.5 if name == "python-chess" else 100
        ratio = ours / median(found)
        text = f"{ratio:,.1f} times its {median(found):,.0f} a second"
        Figure(PART, f"against {name}", text, f"≥ {target} times", ratio >= target).print()


def _python_chess() -> Callable[[], int]:
    chess = import_module("chess")

    def count(board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        leaves = 0
        for move in board.legal_moves:
            board.push(move)
            leaves += count(board, depth - 1)
            board.pop()
        return leaves

    def perft_4() -> int:
        found = count(chess.Board(), 4)
        assert found == 197281
        return found

    return perft_4


def _cchess() -> Callable[[], int]:
    cchess = import_module("cchess")

    def count(board, depth: int) -> int:
        moves = [move for move in board.create_moves() if not board.is_checked_move(*move)]
        if depth == 1:
            return len(moves)
        leaves = 0
        for move in moves:
            after = board.copy()
            after._move_piece(*move)
            after.next_turn()
            leaves += count(after, depth - 1)
        return leaves

    def perft_2() -> int:
        found = count(cchess.ChessBoard(cchess.FULL_INIT_FEN), 2)
        assert found == LEAVES[2], found
        return found

    return perft_2


PYPI_XIANGQI = """
import time
from xiangqi import Camp, Env

def count(board, camp, depth):
    moves = board.get_final_valid_actions(camp)
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        _, source, taken = board.virtual_move(move["piece"], move["dst"])
        leaves += count(board, camp.opponent(), depth - 1)
        board.undo_virtual_move(move["piece"], source, taken)
    return leaves

env = Env()
env.reset()
start = time.process_time()
leaves = count(env.board, Camp.RED, 2)
print(leaves, time.process_time() - start)
"""


def _pypi_xiangqi() -> float | None:
    """Its leaves a second for perft 2, None if it can't be had."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
        if subprocess.run([*pip, OTHER_XIANGQI], check=False, capture_output=True).returncode:
            say(f"kernel: {OTHER_XIANGQI} can't be fetched; that comparison is left out")
            return None
        code = f"import sys; sys.path.insert(0, {folder!r})\n{PYPI_XIANGQI}"
        found = subprocess.run(
            [sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True, cwd=folder
        )
    leaves, taken = found.stdout.split()
    assert int(leaves) == LEAVES[2], leaves
    return int(leaves) / float(taken)


def _pushes(games: int) -> None:
    """Random games in which nothing is taken if it can be helped, so that they are long and boards stay full.

    Late positions are more open and have more threats in them, so each move is also made on a board without a past.
    """
    times: dict[int, tuple[list[float], list[float]]] = {ply: ([], []) for ply in PLIES}
    dice = random.Random(1)  # noqa: S311
    for _ in range(games):
        board = Board()
        for number in range(1, max(PLIES) + 11):
            moves = board.legal_moves
            if not moves:
                break
            move = dice.choice([move for move in moves if not board.piece_at(move.target)] or moves)
            without_past = Board(board.fen())
            assert without_past.legal_moves == moves
            taken, fresh = _push_ms(board, move), _push_ms(without_past, move)
            for ply in PLIES:
                if abs(number - ply) <= 9:
                    times[ply][0].append(taken)
                    times[ply][1].append(fresh)
    for ply, (taken, fresh) in times.items():
        text = f"{median(taken):.3f} ms, 95 % within {percentile(taken, 0.95):.3f} ms; "
        text += f"the same moves without a past {median(fresh):.3f} ms"
        met = median(taken) < PUSH_MS
        Figure(PART, f"`push` with the referee around ply {ply}", text, f"< {PUSH_MS} ms", met).print()


def _push_ms(board: Board, move: Move) -> float:
    start = time.perf_counter()
    board.push(move)
    return 1000 * (time.perf_counter() - start)
