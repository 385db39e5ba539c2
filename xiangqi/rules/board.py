"""`Board`: a game from a position on, move by move."""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.rules import fen as fens
from xiangqi.rules import movegen, notation, tables
from xiangqi.rules.attacks import checkers
from xiangqi.rules.errors import BadMove, IllegalMove
from xiangqi.rules.outcome import Detail, LimitWarning, Outcome, Termination
from xiangqi.rules.pieces import ATTACKERS, BITS, BOTH, KIND, KING, PIECES, RED, SIDES, Piece, Side
from xiangqi.rules.referee.account import detail_of, men
from xiangqi.rules.referee.chase import chases
from xiangqi.rules.referee.limits import MOST_OCCURRENCES, foresee, judge
from xiangqi.rules.referee.tally import Tally, after_ply, begin
from xiangqi.rules.squares import Move


class _Ply(NamedTuple):
    """What `pop` needs to take a move back."""

    move: Move
    taken: int
    king: int
    legal: tuple[Move, ...]
    tally: Tally


class Board:
    """A position, the moves that led to it, and what the referee makes of them.

    Args:
        fen: where the game begins; what its clocks say counts as played. Raises `BadFen`.
    """

    def __init__(self, fen: str = fens.START) -> None:
        self._start = fens.read(fen)
        self._squares = list(self._start.squares)
        self._turn = self._start.turn
        self._kings = {bit: self._squares.index(bit | KING) for bit in SIDES}
        self._legal: tuple[Move, ...] | None = None
        self._plies: list[_Ply] = []
        self._tally = begin(self._start.quiet)
        self._seen: dict[bytes, tuple[int, ...]] = {self._key(): self._tally.occurrences}

    # The position

    @property
    def turn(self) -> Side:
        """Who is to move."""
        return SIDES[self._turn]

    @property
    def setup(self) -> fens.Setup:
        """The position as a FEN's parts; the list of squares is the board's own, to be read only."""
        number = self._start.number + (len(self._plies) + (self._start.turn != RED)) // 2
        return fens.Setup(self._squares, self._turn, self._tally.quiet, number)

    def fen(self) -> str:
        """The position as a FEN."""
        return fens.write(self.setup)

    def piece_at(self, square: int) -> Piece | None:
        """What stands on a square (0 is a0, 89 is i9), None if nothing does."""
        return PIECES.get(self._squares[square])

    def pieces(self, side: Side) -> dict[int, Piece]:
        """A side's pieces by square, in the order of squares."""
        bit = BITS[side]
        return {square: PIECES[code] for square, code in enumerate(self._squares) if code & bit}

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return movegen.attacked(self._squares, self._kings[self._turn], BOTH ^ self._turn)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves (§1.1), by square of departure, the king's last. Ends by §1.2 don't stop them."""
        if self._legal is None:
            self._legal = tuple(movegen.legal_moves(self._squares, self._turn, self._kings[self._turn]))
        return self._legal

    # Moving

    @property
    def ply(self) -> int:
        """How many moves have been made on this board."""
        return len(self._plies)

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves made on this board, the first one first."""
        return tuple(ply.move for ply in self._plies)

    def push(self, move: Move) -> None:
        """Make a move; raises `IllegalMove`, or `BadMove` if it isn't on the board.

        A game that has ended by §1.2 may be played on; `outcome` then judges the later position.
        """
        if move not in self.legal_moves:
            raise self._why_not(move)
        source, target = move
        before, mover = self._squares.copy(), self._turn
        piece, taken = before[source], before[target]
        self._plies.append(_Ply(Move(source, target), taken, self._kings[mover], self.legal_moves, self._tally))
        self._squares[source], self._squares[target] = 0, piece
        if piece & KIND == KING:
            self._kings[mover] = target
        self._turn = BOTH ^ mover
        self._legal = None
        given = self._checkers()
        chased = {} if taken or given else chases(before, self._squares, Move(source, target), mover)
        key = self._key()
        self._seen[key] = (*self._seen.get(key, ()), self.ply)
        self._tally = after_ply(
            self._tally,
            Move(source, target),
            capture=bool(taken),
            checkers=given,
            chased=chased,
            occurrences=self._seen[key],
        )

    def push_iccs(self, text: str) -> Move:
        """Make the move that `text` (`h2e2`) names and answer it; raises `BadMove` or `IllegalMove`."""
        move = Move.from_iccs(text)
        self.push(move)
        return move

    def pop(self) -> Move:
        """Take the last move back and answer it; raises IndexError if there is none."""
        (source, target), taken, king, legal, tally = self._plies.pop()
        key = self._key()
        self._seen[key] = self._seen[key][:-1]
        if not self._seen[key]:
            del self._seen[key]
        self._turn = BOTH ^ self._turn
        self._squares[source], self._squares[target] = self._squares[target], taken
        self._kings[self._turn] = king
        self._legal, self._tally = legal, tally
        return Move(source, target)

    def _why_not(self, move: Move) -> BadMove | IllegalMove:
        """What is wrong with a move that isn't legal."""
        source, target = move
        if not (0 <= source < len(self._squares) and 0 <= target < len(self._squares)):
            return BadMove(str(tuple(move)))
        text, piece = Move(source, target).iccs(), self._squares[source]
        if not piece:
            return IllegalMove("move_from_empty", text)
        if not piece & self._turn:
            return IllegalMove("move_other_side", text)
        if piece & KIND == KING:
            reached = target in dict(tables.KING[source]) and not self._squares[target] & self._turn
        else:
            reached = Move(source, target) in movegen.moves_of_men(self._squares, self._turn)
        if reached:
            return IllegalMove("move_exposes_king", text)
        return IllegalMove("move_impossible", text)

    # Ends

    def outcome(self) -> Outcome | None:
        """How the game has ended with the last move, None if it goes on."""
        if not self.legal_moves:
            # §1.1: "a side that can't move loses", and "mate and stalemate come before every limit".
            given = self._checkers()
            ended = Termination.CHECKMATE if given else Termination.STALEMATE
            pieces = men(self._squares, given | {self._kings[self._turn]})
            return Outcome(ended, self.turn.other, Detail(None, (self.ply,), pieces))
        verdict = judge(self._tally, plies=self._plies_in_all(), attackers_left=self._attackers_left())
        if not verdict:
            return None
        winner = self.turn if verdict.mover_loses else None
        return Outcome(verdict.termination, winner, self._detail(verdict.termination, self.turn.other))

    def warning(self) -> LimitWarning | None:
        """What one more turn would end the game by, None if nothing, or if it has ended.

        It is there from the turn before the limit on, also while the other side thinks.
        """
        near = foresee(self._tally, plies=self._plies_in_all())
        if not near:
            return self._warning_of_return()
        if self.outcome():
            return None
        side = None if near.mover is None else self.turn.other if near.mover else self.turn
        detail = self._detail(near.termination, side or self.turn)
        return LimitWarning(near.termination, side, side if near.loses else None, detail)

    def _warning_of_return(self) -> LimitWarning | None:
        """The warning that a move leads back to a position that has stood four times, by whatever way (§1.2 row 8)."""
        key = self._key()
        for source, target in self.legal_moves:
            ahead = bytearray(key)
            ahead[source], ahead[target], ahead[-1] = 0, key[source], BOTH ^ self._turn
            stood = self._seen.get(bytes(ahead), ())
            if len(stood) >= MOST_OCCURRENCES - 1 and not self.outcome():
                self.push(Move(source, target))
                coming = self.outcome()
                self.pop()
                if coming and coming.termination is Termination.REPETITION:
                    detail = Detail(coming.detail.rule, stood, limit=MOST_OCCURRENCES)
                    return LimitWarning(Termination.REPETITION, None, None, detail)
        return None

    def _detail(self, termination: Termination, doer: Side) -> Detail:
        captures = (number for number in range(self.ply, 0, -1) if self._plies[number - 1].taken)
        return detail_of(
            termination,
            self._tally,
            self._squares,
            last=self.turn.other,
            doer=doer,
            ply=self.ply,
            since=next(captures, 0),
        )

    def _plies_in_all(self) -> int:
        """Plies of the whole game, those before the position that the board began with among them (§1.2 row 6)."""
        moves = self._start.number - 1
        # Composed positions with Black to move are numbered 1 as well, and nothing was played before them.
        before = 2 * moves + (self._start.turn != RED) if moves else 0
        return before + self.ply

    def _attackers_left(self) -> bool:
        """Whether anybody can still win by force (§1.2 row 7)."""
        return any(code and code & KIND in ATTACKERS for code in self._squares)

    def _checkers(self) -> frozenset[int]:
        """The squares of the pieces that give check to the side to move."""
        return frozenset(checkers(self._squares, self._kings[self._turn], BOTH ^ self._turn))

    def _key(self) -> bytes:
        """What makes two positions the same: the pieces on their squares, and who is to move."""
        return bytes((*self._squares, self._turn))

    # Notation

    def wxf(self, move: Move) -> str:
        """A legal move in WXF, such as `C2=5`; raises `IllegalMove`."""
        return notation.to_wxf(self, move)

    def chinese(self, move: Move, *, simplified: bool = False) -> str:
        """A legal move in Chinese, such as `炮二平五`, `馬８進７` or simplified `马8进7`; raises `IllegalMove`."""
        return notation.to_chinese(self, move, simplified=simplified)

    def parse(self, text: str) -> Move:
        """The legal move that a text in ICCS, WXF or Chinese means.

        Raises `BadMove`, `NoSuchPiece`, `AmbiguousMove` or `IllegalMove`.
        """
        return notation.parse(self, text)
