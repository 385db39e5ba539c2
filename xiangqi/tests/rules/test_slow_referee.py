"""The referee against the slow one: in published cases, sparse random positions, cycles, and runs made up by dice."""

import random

import pytest

from xiangqi.rules import Board, Move, Outcome
from xiangqi.rules.referee.limits import judge
from xiangqi.rules.referee.tally import after_ply, begin
from xiangqi.rules.squares import NAMES, file_of, rank_of
from xiangqi.tests.rules import slow_referee
from xiangqi.tests.rules.slow_referee import Game, Turn
from xiangqi.tests.rules.sparse import cycles, sparse_board
from xiangqi.tests.rules.test_oracles import _records


def few_or(many: int, few: int):
    """A few in every run, many in a long one."""
    return pytest.mark.parametrize("times", [few, pytest.param(many, marks=pytest.mark.long)])


def place(square: int) -> slow_referee.Square:
    return file_of(square), rank_of(square)


def loser(outcome: Outcome | None) -> str | None:
    if outcome is None:
        return None
    return outcome.winner.other.value if outcome.winner else "draw"


def agree_to_the_end(fen: str, moves: list[str]) -> None:
    """Play until the game ends, or out of moves; both must say the same after every ply."""
    board, game = Board(fen), Game.from_fen(fen)
    for move in moves:
        board.push_iccs(move)
        game.push(move)
        verdict = game.verdict()
        assert loser(board.outcome()) == verdict, (fen, " ".join(each.iccs() for each in board.move_stack))
        if verdict:
            return


def test_published_cases_ply_by_ply():
    for case in _records("xiangqi_rule_cases.jsonl"):
        agree_to_the_end(case["fen"], case["lead"] + case["cycle"] * 100)


def test_published_limits_ply_by_ply():
    for case in _records("xiangqi_limits.jsonl"):
        agree_to_the_end(case["fen"], case["moves"])


@few_or(8_000, 120)
def test_what_every_move_of_sparse_positions_checks_and_chases(times):
    dice = random.Random(times)  # noqa: S311
    for _ in range(times):
        board = sparse_board(dice)
        game = Game.from_fen(board.fen())
        plays = set(slow_referee.legal_plays(game.position, game.red_to_move))
        assert {(place(source), place(target)) for source, target in board.legal_moves} == plays, board.fen()
        for move in board.legal_moves:
            play = place(move.source), place(move.target)
            if play[1] in game.position:
                continue
            checks = slow_referee.checking(slow_referee.after(game.position, *play), not game.red_to_move)
            chases = {} if checks else slow_referee.chased(game.position, play)
            where = board.fen(), move.iccs()
            board.push(move)
            made = board._tally.mover
            assert {place(square) for square in (made.checks.by if made.checks else ())} == checks, where
            assert {place(run.victim): {*map(place, run.by)} for run in made.chases} == chases, where
            board.pop()


@few_or(1_000, 25)
def test_cycles_in_sparse_positions(times):
    dice = random.Random(times)  # noqa: S311
    played = 0
    while played < times:
        board = sparse_board(dice)
        found = list(cycles(board, dice))
        if found:
            played += 1
            first, then = dice.choice(found), dice.choice(found)
            moves = first * dice.randint(1, 3) + then * 10
            agree_to_the_end(board.fen(), [move.iccs() for move in moves])


# How often a side checks and chases, how many pieces of its check, and how many it chases.
HABITS = [
    (0.97, 0.0, 1, 1),
    (0.97, 0.02, 2, 2),
    (0.96, 0.03, 3, 1),
    (0.0, 0.97, 1, 1),
    (0.02, 0.96, 1, 2),
    (0.5, 0.5, 1, 1),
]


@few_or(30_000, 1_000)
def test_runs_made_up_by_dice(times, monkeypatch):
    monkeypatch.setattr(slow_referee, "legal_plays", lambda *_: ["there is one"])
    dice = random.Random(times)  # noqa: S311
    for _ in range(times):
        tally, game = begin(0), Game({(0, 0): "R"}, True, {}, [(frozenset(), True)])
        habits = [dice.choice(HABITS), dice.choice(HABITS)]
        for ply in range(1, 131):
            capture = dice.random() < 0.003
            checkers, chases = turn_by_dice(dice, habits[ply % 2], 40 * (ply % 2))
            chases = {} if capture else chases
            tally = after_ply(tally, Move(0, 1), capture=capture, checkers=checkers, chased=chases, occurrences=(ply,))
            game.turns.append(Turn(capture, {*checkers}, {victim: {*by} for victim, by in chases.items()}))
            game.red_to_move = not game.red_to_move
            game.history.append((frozenset({((0, ply), "R")}), game.red_to_move))
            verdict = judge(tally, plies=ply, attackers_left=True)
            mover = "black" if game.red_to_move else "red"
            assert (verdict and (mover if verdict.mover_loses else "draw")) == game.verdict()
            if verdict:
                break


def turn_by_dice(dice: random.Random, habit: tuple[float, float, int, int], pieces: int):
    """Who checks, and who is chased by whom, in one turn: pieces are numbered from `pieces` on and don't move."""
    checks, chases, checking, chased = habit
    roll = dice.random()
    if roll < checks:
        by = dice.sample(range(pieces + 10, pieces + 10 + checking), dice.randint(1, min(2, checking)))
        return frozenset(by), {}
    if roll < checks + chases:
        victims = dice.sample(range(pieces + 20, pieces + 20 + chased), dice.randint(1, chased))
        return frozenset(), {victim: frozenset({pieces + 10}) for victim in victims}
    return frozenset(), {}


def test_a_moved_piece_that_attacked_already_meets_the_same_protectors():
    """Rook and cannon only come to attack the same victim again along the same line, and then capture as before."""
    dice = random.Random(3)  # noqa: S311
    for _ in range(60):
        board = sparse_board(dice)
        position = Game.from_fen(board.fen()).position
        for move in board.legal_moves:
            source, target = place(move.source), place(move.target)
            if target in position:
                continue
            now = slow_referee.after(position, source, target)
            for victim in slow_referee.reached(position, source):
                if victim in position and victim in slow_referee.reached(now, target):
                    assert position[source].lower() in "rcpk", (board.fen(), NAMES[move.source])
                    assert slow_referee.after(position, source, victim) == slow_referee.after(now, target, victim)
