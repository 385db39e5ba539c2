"""English for the command line: errors and verdicts as sentences. The site has its own, in the reader's language."""

from __future__ import annotations

from common.errors import Invalid
from xiangqi.rules.errors import BadRecord
from xiangqi.rules.outcome import Man, Offence, Outcome, Run, Termination
from xiangqi.rules.pieces import Side
from xiangqi.rules.squares import name_of

ERRORS = {
    "fen_too_long": "the FEN is longer than {limit} characters",
    "fen_fields": "the FEN has too few or too many fields",
    "fen_turn": "the FEN says that {text!r} is to move; it takes w, r or b",
    "fen_ranks": "the FEN has {found} ranks, not 10",
    "fen_files": "rank {rank} of the FEN has {found} files, not 9",
    "fen_letter": "rank {rank} of the FEN has {letter!r}, which is no piece",
    "fen_clock": "the FEN has {text!r} for a clock",
    "fen_place": "the FEN has {piece} on {square}, where it can't stand",
    "fen_kings": "the FEN has {found} of {piece}, not one",
    "fen_too_many": "the FEN has {found} of {piece}, more than there are",
    "fen_check": "in the FEN the king of the side that isn't to move could be taken",
    "bad_move": "{text!r} is no move in ICCS, WXF or Chinese",
    "no_such_piece": "{text}: there is no such piece",
    "ambiguous_move": "{text}: this may be any of {moves}",
    "move_from_empty": "{move}: there is no piece to move",
    "move_other_side": "{move}: that piece is the other side's",
    "move_impossible": "{move}: the piece can't go there",
    "move_exposes_king": "{move}: the king could be taken",
    "record_empty": "there is no game record",
    "record_encoding": "the file is neither UTF-8, UTF-16 nor GB 18030",
    "record_fen": "the record's position is bad: {cause}",
    "record_move": "ply {ply}: {cause}",
    "record_junk": "ply {ply}: {text!r} is neither a move nor anything else that a record holds",
    "record_breaks_off": "the record breaks off before ply {ply}, without a result",
}

TERMINATIONS = {
    Termination.CHECKMATE: "checkmate",
    Termination.STALEMATE: "stalemate",
    Termination.PERPETUAL_CHECK: "perpetual check",
    Termination.PERPETUAL_CHASE: "perpetual chase",
    Termination.BOTH_CHECK: "both check perpetually",
    Termination.BOTH_CHASE: "both chase perpetually",
    Termination.CHECK_AGAINST_CHASE: "perpetual check against perpetual chase",
    Termination.NO_CAPTURE: "too long without a capture",
    Termination.LENGTH: "too long",
    Termination.NO_ATTACKERS: "nobody has a piece left that could win",
    Termination.REPETITION: "the position stands again and again",
}


def of_error(error: Invalid) -> str:
    """What is wrong."""
    cause = error.__cause__
    because = of_error(cause) if isinstance(error, BadRecord) and isinstance(cause, Invalid) else ""
    return ERRORS[error.code].format(cause=because, **error.facts)


def of_result(winner: Side | None) -> str:
    """A result as records write it."""
    return {Side.RED: "1-0", Side.BLACK: "0-1", None: "1/2-1/2"}[winner]


def of_rule(outcome: Outcome) -> str:
    """What ended the game, with the row of the table of rules."""
    row = outcome.detail.rule
    return TERMINATIONS[outcome.termination] + (f" (rule {row})" if row else "")


def of_run(run: Run) -> str:
    """Who did what, how often, and in which plies."""
    men = ", ".join(map(_of_man, run.by))
    deed = "gives check" if run.offence is Offence.CHECK else "chases"
    victim = f" {_of_man(run.victim)}" if run.victim else ""
    return (
        f"{run.side.value} {deed}{victim} with {men}: {len(run.plies)} turns, plies {run.plies[0]} to {run.plies[-1]}"
    )


def of_plies(outcome: Outcome) -> str:
    """The plies that the end rests on: occurrences of a position one by one, of all else the first and the last."""
    plies = outcome.detail.plies
    if outcome.termination is Termination.REPETITION or len(plies) == 1:
        return ", ".join(map(str, plies))
    return f"{plies[0]} to {plies[-1]}"


def _of_man(man: Man) -> str:
    return f"{man.piece.kind.name.lower()} {name_of(man.square)}"
