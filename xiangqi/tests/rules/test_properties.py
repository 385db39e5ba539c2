"""What holds in every game, however it is played."""

from copy import deepcopy

from hypothesis import given, settings
from hypothesis import strategies as st

from xiangqi.rules import START, Board, Move, perft
from xiangqi.rules.attacks import targets
from xiangqi.rules.referee.chase import legal, protectors
from xiangqi.tests.rules.positions import mirrored, mirrored_fen, turned, turned_fen
from xiangqi.tests.rules.walks import chosen

# From the beginning, and with few pieces, where checks, chases and repetitions come about by themselves.
STARTS = [
    START,
    "3k5/9/9/9/1n7/4P4/R8/9/9/4K4 w - - 0 1",
    "3k5/4a4/9/2c3n2/9/9/4R4/2C2N3/4A4/5K3 w - - 110 1",
    "r3ka3/9/4b4/9/1c2p4/9/4R4/9/4A4/3AK3c b - - 0 190",
    "2b1k4/4a4/9/N8/3r5/1R7/9/4B4/9/c3KAB2 w - - 0 1",
]
games = st.tuples(st.sampled_from(STARTS), st.lists(st.integers(0, 2**16), max_size=80))


def walk(fen: str, choices: list[int]):
    """A board, and after each move of a random game the move. Moves back are preferred, so that things repeat."""
    board = Board(fen)
    for choice in choices:
        if not board.legal_moves:
            return
        move = chosen(board, choice >> 2)
        if choice & 3 and board.ply > 1:
            back = Move(*reversed(board.move_stack[-2]))
            move = back if back in board.legal_moves else move
        board.push(move)
        yield board, move


def everything(board: Board):
    """All that a board knows."""
    state = deepcopy({name: value for name, value in vars(board).items() if name not in ("_legal", "_plies")})
    return state, list(board._plies), board.legal_moves, board.fen(), board.outcome(), board.warning()


@given(games)
@settings(max_examples=60, deadline=None)
def test_pop_restores_everything(game):
    board, before = Board(game[0]), [everything(Board(game[0]))]
    for played, _ in walk(*game):
        board = played
        before.append(everything(board))
    while board.ply:
        assert everything(board) == before.pop()
        board.pop()
    assert everything(board) == before.pop()


@given(games)
@settings(max_examples=60, deadline=None)
def test_mirrors_have_mirrored_verdicts(game):
    fen, _ = game
    left_right, colours = Board(mirrored_fen(fen)), Board(turned_fen(fen))
    for board, move in walk(*game):
        left_right.push(mirrored(move))
        colours.push(turned(move))
        assert {mirrored(each) for each in board.legal_moves} == set(left_right.legal_moves)
        assert {turned(each) for each in board.legal_moves} == set(colours.legal_moves)
        for other, same_side in ((left_right, True), (colours, False)):
            for ours, theirs in ((board.outcome(), other.outcome()), (board.warning(), other.warning())):
                assert _verdict(ours, same_side=same_side) == _verdict(theirs, same_side=True)


def _verdict(ended, *, same_side: bool):
    """What must be the same in a mirror."""
    if ended is None:
        return None

    def side(value):
        return value if same_side or value is None else value.other

    who = [side(getattr(ended, name, None)) for name in ("winner", "side", "loser")]
    runs = [
        (side(run.side), run.offence, run.plies, sorted(man.piece.kind for man in run.by), run.limit)
        for run in ended.detail.runs
    ]
    return ended.termination, who, ended.detail.plies, runs


@given(games)
@settings(max_examples=60, deadline=None)
def test_legal_moves_do_not_depend_on_how_a_position_was_reached(game):
    for board, _ in walk(*game):
        fresh = Board(board.fen())
        assert fresh.legal_moves == board.legal_moves
        assert (fresh.is_check(), fresh.fen()) == (board.is_check(), board.fen())


@given(games)
@settings(max_examples=40, deadline=None)
def test_the_referee_sees_the_captures_and_retakes_that_the_board_allows(game):
    for board, _ in walk(*game):
        squares = list(board.setup.squares)
        captures = {move for move in board.legal_moves if squares[move.target]}
        seen = {
            Move(source, target)
            for source in board.pieces(board.turn)
            for target in targets(squares, source)
            if board.piece_at(target).side is not board.turn and legal(squares, source, target)
        }
        assert seen == captures
        for move in captures:
            board.push(move)
            retakes = {each.source for each in board.legal_moves if each.target == move.target}
            board.pop()
            assert protectors(squares, move.source, move.target) == retakes


@given(games)
@settings(max_examples=20, deadline=None)
def test_counting_leaves_no_trace(game):
    for board, _ in walk(game[0], game[1][:10]):
        before = everything(board)
        assert perft(board, 1) == len(board.legal_moves)
        perft(board, 2)
        assert everything(board) == before
