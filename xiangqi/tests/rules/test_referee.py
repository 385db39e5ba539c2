"""How turns are counted and what the counts lead to (§1.2)."""

import pytest

from xiangqi.rules import Board, LimitWarning, Offence, Outcome, Side, Termination
from xiangqi.rules.referee.limits import foresee, judge, judge_run
from xiangqi.rules.referee.runs import NO_RUNS, ChaseRun, CheckRun, Runs, after_own_turn, after_reply
from xiangqi.rules.referee.tally import after_ply, begin
from xiangqi.rules.squares import NAMES, Move, square_at
from xiangqi.tests.rules.positions import board_of, play

CHECKS = ("Ke0 kd9 rh2", "b", "h2h0 e0e1 h0h1 e1e0 h1h0 e0e1 h0h1 e1e0 h1h0 e0e1 h0h1 e1e0 h1h0")
CHASES = ("Kd0 kf9 Ra3 nb5", "w", "a3b3 b5d6 b3d3 d6b5 d3b3 b5d6 b3d3 d6b5 d3b3 b5d6 b3d3 d6b5 d3b3")


def ends(men: str, turn: str, moves: str) -> tuple[Board, Outcome]:
    """Play until the game ends; it must end with the last move."""
    *but_last, last = moves.split()
    board = play(board_of(men, turn), " ".join(but_last))
    assert board.outcome() is None
    board.push_iccs(last)
    return board, board.outcome()


def names(men):
    return [man.piece.letter + NAMES[man.square] for man in men]


def checks(length: int, pieces: int = 1) -> Runs:
    return Runs(checks=CheckRun(length, frozenset(range(pieces))))


def chase(length: int) -> Runs:
    return Runs(chases=(ChaseRun(length, 40, frozenset({1})),))


def test_the_seventh_check_by_one_piece_loses():
    _, outcome = ends(*CHECKS)
    assert (outcome.termination, outcome.winner) == (Termination.PERPETUAL_CHECK, Side.RED)
    detail = outcome.detail
    assert (detail.rule, detail.limit, detail.plies) == (1, 7, (1, 3, 5, 7, 9, 11, 13))
    (run,) = detail.runs
    assert (run.side, run.offence, run.plies, names(run.by), run.victim) == (
        Side.BLACK,
        Offence.CHECK,
        detail.plies,
        ["rh0"],
        None,
    )
    assert names(detail.pieces) == ["rh0"]


def test_the_seventh_chase_of_one_piece_loses():
    _, outcome = ends(*CHASES)
    assert (outcome.termination, outcome.winner) == (Termination.PERPETUAL_CHASE, Side.BLACK)
    (run,) = outcome.detail.runs
    assert (outcome.detail.rule, run.plies, names(run.by), names([run.victim])) == (
        2,
        (1, 3, 5, 7, 9, 11, 13),
        ["Rb3"],
        ["nb5"],
    )


@pytest.mark.parametrize(("pieces", "limit"), [(1, 7), (2, 13), (3, 19), (4, 19)])
def test_limits_of_checks(pieces, limit):
    assert judge_run(checks(limit - 1, pieces), NO_RUNS) is None
    assert judge_run(checks(limit, pieces), NO_RUNS) == (Termination.PERPETUAL_CHECK, True)


@pytest.mark.parametrize(
    ("mover", "other", "expected"),
    [
        # Row 3: "at least its own count - 1".
        (checks(7), checks(6), (Termination.BOTH_CHECK, False)),
        (checks(7), checks(5), (Termination.PERPETUAL_CHECK, True)),
        (checks(13, 2), checks(12, 3), (Termination.BOTH_CHECK, False)),
        (checks(13, 2), checks(11, 3), (Termination.PERPETUAL_CHECK, True)),
        (chase(7), chase(6), (Termination.BOTH_CHASE, False)),
        (chase(7), chase(5), (Termination.PERPETUAL_CHASE, True)),
        # Row 4, whoever gets there first.
        (checks(7), chase(6), (Termination.CHECK_AGAINST_CHASE, True)),
        (checks(7), chase(5), (Termination.PERPETUAL_CHECK, True)),
        (chase(7), checks(6), None),
        (chase(12), checks(11, 2), None),
        (chase(7), checks(5), (Termination.PERPETUAL_CHASE, True)),
        (chase(9), NO_RUNS, (Termination.PERPETUAL_CHASE, True)),
        (chase(6), NO_RUNS, None),
    ],
)
def test_both_at_once(mover, other, expected):
    assert judge_run(mover, other) == expected


def test_a_run_is_about_the_pieces_themselves():
    runs = after_own_turn(NO_RUNS, Move(0, 9), frozenset({9}), {})
    runs = after_own_turn(runs, Move(9, 18), frozenset({18}), {})
    assert runs.checks == (2, {18})
    assert runs.checks.limit == 7
    runs = after_own_turn(runs, Move(1, 10), frozenset({18, 10}), {})
    assert runs.checks == (3, {18, 10})  # a double check: one turn, two pieces
    assert runs.checks.limit == 13
    assert after_own_turn(runs, Move(10, 1), frozenset(), {}) == NO_RUNS


def test_a_chase_follows_its_victim_and_changes_attackers():
    runs = after_own_turn(NO_RUNS, Move(0, 9), frozenset(), {50: frozenset({9}), 60: frozenset({9})})
    runs = after_reply(runs, Move(50, 51))
    runs = after_own_turn(runs, Move(1, 10), frozenset(), {51: frozenset({10}), 70: frozenset({10})})
    assert set(runs.chases) == {(2, 51, frozenset({9, 10})), (1, 70, frozenset({10}))}
    assert runs.chase == (2, 51, {9, 10})
    # "A turn that gives check ends a run of chases", and the other way round.
    assert after_own_turn(runs, Move(10, 19), frozenset({19}), {}).chases == ()


def test_a_capture_sets_all_to_nought():
    tally = begin(50)._replace(mover=checks(6), other=chase(6), mover_checks=3)
    kwargs = {"checkers": frozenset({9}), "chased": {}, "occurrences": (1,)}
    tally = after_ply(tally, Move(0, 9), capture=True, **kwargs)
    assert (tally.mover, tally.other, tally.quiet, tally.mover_checks, tally.other_checks) == (
        NO_RUNS,
        NO_RUNS,
        0,
        0,
        0,
    )


def test_a_capture_by_the_checked_side_starts_the_run_anew():
    _, outcome = ends("Ke0 kd9 rh2 ne1", "b", "h2h0 e0e1 " + "h0h1 e1e0 h1h0 e0e1 " * 3 + "h0h1")
    assert outcome.detail.plies == (3, 5, 7, 9, 11, 13, 15)


def test_two_victims_in_turn_are_no_perpetual_chase():
    _, outcome = ends("Kd0 kf9 Ra3 nb5 cc5", "w", "a3b3 f9f8 b3c3 f8f9 c3b3 " + "f9f8 b3c3 f8f9 c3b3 " * 3)
    assert outcome.termination is Termination.REPETITION


def test_check_and_chase_in_turn_is_no_offence():
    _, outcome = ends("Kd0 Rh5 kf9 nh9", "w", "h5f5 f9e9 f5h5 e9f9 " * 4)
    assert (outcome.termination, outcome.winner) == (Termination.REPETITION, None)


def test_the_fifth_occurrence():
    board, outcome = ends("Kd0 kf9 Ra0 ra9", "w", "a0b0 a9b9 b0a0 b9a9 " * 4)
    assert (outcome.termination, outcome.winner) == (Termination.REPETITION, None)
    assert (outcome.detail.rule, outcome.detail.plies, outcome.detail.limit) == (8, (0, 4, 8, 12, 16), 5)
    board.pop()
    assert board.outcome() is None


def test_mate_comes_before_every_limit():
    board = board_of("Kd0 Rh8 Rg7 ke9")
    board._tally = board._tally._replace(other=Runs(CheckRun(6, frozenset({square_at(6, 7)}))), quiet=119)
    play(board, "g7g9")
    assert board.outcome().termination is Termination.CHECKMATE
    board.pop()
    play(board, "g7e7")
    assert board.outcome().termination is Termination.PERPETUAL_CHECK


def test_order_of_the_draws():
    drawn = begin(0)._replace(quiet=120, occurrences=(0, 4, 8, 12, 16))
    assert judge(drawn, plies=400, attackers_left=False).termination is Termination.NO_ATTACKERS
    assert judge(drawn, plies=400, attackers_left=True).termination is Termination.NO_CAPTURE
    assert judge(drawn._replace(quiet=119), plies=400, attackers_left=True).termination is Termination.LENGTH
    assert judge(drawn._replace(quiet=119), plies=399, attackers_left=True).termination is Termination.REPETITION
    assert judge(drawn._replace(quiet=119, mover=checks(4)), plies=399, attackers_left=True) is None
    assert judge(drawn._replace(quiet=119, other=chase(2)), plies=399, attackers_left=True) is None
    assert judge(drawn._replace(mover=chase(7)), plies=400, attackers_left=False).mover_loses


@pytest.mark.parametrize("plies", [398, 399])
def test_four_hundred_plies(plies):
    board = board_of("Kd0 kf9 Ra0", "w")
    board = play(Board(board.fen().rsplit(" ", 1)[0] + f" {plies // 2 + 1}"), "d0d1" + " f9f8" * (plies % 2))
    assert (board.outcome() is None) == (plies == 398)
    play(board, "f9f8" if plies == 398 else "d1d0")
    assert board.outcome().termination is Termination.LENGTH


@pytest.mark.parametrize(("turn", "number", "plies"), [("w", 1, 0), ("b", 1, 0), ("w", 200, 398), ("b", 200, 399)])
def test_a_move_number_counts_as_plies_played(turn, number, plies):
    board = Board(f"5k3/9/9/9/9/9/9/9/9/R2K5 {turn} - - 0 {number}")
    moves = ("a0a1 f9f8" if turn == "w" else "f9f8 a0a1").split()
    for played, move in enumerate(moves, 1):
        board.push_iccs(move)
        assert (board.outcome() is not None) == (plies + played >= 400)


def test_a_hundred_and_twenty_plies_without_a_capture():
    board = play(Board("5k3/9/9/9/9/9/9/9/9/R2K5 w - - 118 60"), "a0a1")
    assert board.outcome() is None
    board.push_iccs("f9f8")
    assert (board.outcome().termination, board.outcome().detail.plies) == (Termination.NO_CAPTURE, (1, 2))
    board.pop()
    board.push_iccs("f9f8")
    assert board.outcome().detail.limit == 120


def test_of_each_sides_checks_the_first_ten_count():
    kwargs = {"capture": False, "chased": {}, "occurrences": (0,)}
    tally = begin(0)
    for turn in range(1, 15):
        tally = after_ply(tally, Move(0, 1), checkers=frozenset({1}), **kwargs)
        assert tally.quiet == (2 * turn - 1 if turn <= 10 else 20)
        tally = after_ply(tally, Move(80, 81), checkers=frozenset(), **kwargs)
        assert tally.quiet == (2 * turn if turn <= 10 else 20)
    tally = after_ply(tally, Move(1, 2), checkers=frozenset(), **kwargs)
    assert tally.quiet == 21
    # The other side's checks have a count of their own.
    assert after_ply(tally, Move(81, 82), checkers=frozenset({82}), **kwargs).quiet == 22


def test_nobody_can_win():
    _, outcome = ends("Kd0 Ae1 kf9 pd2 bc5", "w", "e1d2")
    assert (outcome.termination, outcome.detail.rule) == (Termination.NO_ATTACKERS, 7)


@pytest.mark.parametrize(
    ("game", "termination", "side", "loser"),
    [
        (CHECKS, Termination.PERPETUAL_CHECK, Side.BLACK, Side.BLACK),
        (CHASES, Termination.PERPETUAL_CHASE, Side.RED, Side.RED),
    ],
)
def test_warning_one_turn_before(game, termination, side, loser):
    men, turn, moves = game
    board = board_of(men, turn)
    warned = []
    for move in moves.split():
        board.push_iccs(move)
        warned.append(board.warning())
    assert warned[:10] == [None] * 10
    assert [(w.termination, w.side, w.loser) for w in warned[10:12]] == [(termination, side, loser)] * 2
    assert warned[10].detail.plies == (1, 3, 5, 7, 9, 11)
    assert warned[12] is None  # it has ended


def test_warnings_before_draws():
    assert Board("5k3/9/9/9/9/9/9/9/9/R2K5 w - - 117 60").warning() is None
    for fen in ("5k3/9/9/9/9/9/9/9/9/R2K5 w - - 118 60", "5k3/9/9/9/9/9/9/9/9/R2K5 b - - 119 60"):
        assert Board(fen).warning().termination is Termination.NO_CAPTURE
    near = Board("5k3/9/9/9/9/9/9/9/9/R2K5 w - - 0 200").warning()
    assert isinstance(near, LimitWarning)
    assert (near.termination, near.side, near.loser) == (Termination.LENGTH, None, None)
    board = play(board_of("Kd0 kf9 Ra0 ra9"), "a0b0 a9b9 b0a0 b9a9 " * 3)
    assert board.warning().termination is Termination.REPETITION


def test_warning_before_a_position_returns_by_another_way():
    board = play(board_of("Kd0 kf9 Ra0 ra9"), "a0b0 a9b9 b0a0 b9a9 " * 3 + "a0c0 a9c9")
    assert board.warning() is None
    board.push_iccs("c0a0")
    near = board.warning()
    assert (near.termination, near.side, near.loser) == (Termination.REPETITION, None, None)
    assert near.detail.plies == (0, 4, 8, 12)


def test_a_chaser_who_is_checked_all_the_time_is_not_warned():
    near = foresee(begin(0)._replace(other=chase(6), mover=checks(6)), plies=0)
    assert near == (Termination.CHECK_AGAINST_CHASE, True, True)
