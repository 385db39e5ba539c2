"""What a hand is worth to each who was dealt in (rules §2): chips, score and EXP.

Everything is worked out in exact fractions and cut towards zero once, at the end. Each line carries its working: the
steps in order, by code, with exact values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import trunc
from typing import NamedTuple

from certification.rules.errors import OwnOpponent
from certification.rules.pots import Player, Pot, pot_of
from certification.rules.rates import rate_of
from certification.rules.tables import Table, check_rank, check_version, dan_of, table_of

SCORE_PER_UNIT = 10
"""What a bet unit won or lost is worth in score, at every table [set by the game]."""


class Basis(StrEnum):
    """What a line's EXP comes from."""

    OWN_RESULT = "own_result"
    CERTIFICATION = "certification"
    NONE = "none"


class Name(StrEnum):
    """What a step of the working works out; docs/certification.md has them in a table."""

    OWN_ANTE = "own_ante"
    OWN_BETS = "own_bets"
    ALL_ANTES = "all_antes"
    ALL_BETS = "all_bets"
    POT_BEFORE = "pot_before"
    POT_AFTER = "pot_after"
    WINNERS = "winners"
    EXACT_SHARE = "exact_share"
    SHARE = "share"
    NET = "net"
    BALANCE = "balance"
    SCORE_FACTOR = "score_factor"
    EXACT_SCORE = "exact_score"
    SCORE = "score"
    UNITS = "units"
    RATE = "rate"
    OPPONENT_BALANCE = "opponent_balance"
    DIFFERENCE = "difference"
    CERTIFICATION_FACTOR = "certification_factor"
    EXACT_EXP = "exact_exp"
    EXP = "exp"


class Step(NamedTuple):
    """One step of the working. `ours`: the value isn't the game's but this site's stand-in for an unknown one."""

    name: Name
    value: Fraction
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What the hand was worth to one player; `exact_exp` is `exp` before it was cut."""

    net: int
    score: int
    exp: int
    basis: Basis
    exact_exp: Fraction
    working: tuple[Step, ...] = field(default=(), compare=False, repr=False)


def settle(
    *,
    antes: Mapping[Player, int],
    bets: Mapping[Player, int],
    winners: Collection[Player],
    table: str,
    version: str,
    ranks: Mapping[Player, str],
    opponents: Mapping[Player, Player | None],
) -> dict[Player, Line]:
    """Settle one hand: a line for each player with an ante.

    Args:
        antes: chips by player; whoever has an entry was dealt in.
        bets: all that each put in beside the ante, calls and raises together.
        winners: who shares in the pot.
        table: such as "中級".
        version: "1", "1.10" or "2".
        ranks: such as "七段" or "十級", as they were at the ante.
        opponents: as they were at the ante, such as `opponents.resolve(...).opponent_of`. Counts only where both are
            dan players and both were dealt in (§3.7).

    Raises:
        Impossible: one of the errors of `certification.rules.errors`; it names the player and what is wrong.
    """
    pot = pot_of(antes=antes, bets=bets, winners=winners)
    kind = table_of(table)
    check_version(version)
    for player in pot.antes:
        check_rank(ranks.get(player), player=player)
        if opponents.get(player) == player:
            raise OwnOpponent(field="opponents", player=player)
    lines = {}
    for player in pot.antes:
        opponent = _opponent(player, kind, ranks, opponents, pot)
        steps = _chips(pot, player) + _score(pot, player, kind)
        if opponent is not None:
            basis, by = Basis.CERTIFICATION, _certification(pot, player, opponent, kind)
        else:
            basis, by = _own_result(pot, player, kind, table, version, ranks[player])
        lines[player] = _line(basis, (*steps, *by))
    return lines


def unmoved(line: Line) -> Line:
    """The same line where a hand moves no EXP of this player (§5: of dan players in hands with bots)."""
    steps = line.working[: [step.name for step in line.working].index(Name.SCORE) + 1]
    return _line(Basis.NONE, (*steps, *_exp(Fraction())))


def balance(pot: Pot, player: Player) -> Fraction:
    """What a player's chips would change by if nothing were deducted (§2)."""
    won = Fraction(pot.before, len(pot.winners)) if player in pot.winners else Fraction()
    return won - pot.paid(player)


def _opponent(
    player: Player, kind: Table, ranks: Mapping[Player, str], opponents: Mapping[Player, Player | None], pot: Pot
) -> Player | None:
    """The certification opponent in this hand: both dan, both dealt in, at a table that has certification."""
    other = opponents.get(player)
    if kind.certification is None or other is None or other not in pot.antes:
        return None
    return other if dan_of(ranks[player]) and dan_of(ranks[other]) else None


def _chips(pot: Pot, player: Player) -> tuple[Step, ...]:
    """§2: net chips."""
    paid = (
        Step(Name.OWN_ANTE, Fraction(pot.antes[player])),
        Step(Name.OWN_BETS, Fraction(pot.bets[player])),
    )
    if player not in pot.winners:
        return (*paid, Step(Name.NET, Fraction(-pot.paid(player))))
    share = pot.share(player)
    return (
        *paid,
        Step(Name.ALL_ANTES, Fraction(pot.all_antes)),
        Step(Name.ALL_BETS, Fraction(pot.all_bets)),
        Step(Name.POT_BEFORE, Fraction(pot.before)),
        Step(Name.POT_AFTER, pot.after(player)),
        Step(Name.WINNERS, Fraction(len(pot.winners))),
        Step(Name.EXACT_SHARE, pot.exact_share(player)),
        Step(Name.SHARE, Fraction(share)),
        Step(Name.NET, Fraction(share - pot.paid(player))),
    )


def _score(pot: Pot, player: Player, kind: Table) -> tuple[Step, ...]:
    """§2: score. It isn't cut before EXP is worked out from it."""
    own = balance(pot, player)
    return (
        Step(Name.BALANCE, own),
        Step(Name.SCORE_FACTOR, kind.score),
        Step(Name.EXACT_SCORE, own * kind.score),
        Step(Name.SCORE, Fraction(trunc(own * kind.score))),
    )


def _certification(pot: Pot, player: Player, opponent: Player, kind: Table) -> tuple[Step, ...]:
    """§2: EXP by certification."""
    assert kind.certification is not None
    difference = balance(pot, player) - balance(pot, opponent)
    return (
        Step(Name.OPPONENT_BALANCE, balance(pot, opponent)),
        Step(Name.DIFFERENCE, difference),
        Step(Name.CERTIFICATION_FACTOR, kind.certification),
        *_exp(difference * kind.certification),
    )


def _own_result(
    pot: Pot, player: Player, kind: Table, table: str, version: str, rank: str
) -> tuple[Basis, tuple[Step, ...]]:
    """§2: EXP by one's own result. Who shares in the pot has won, even where that cost him chips [ours]."""
    rates = rate_of(version, table, rank)
    rate = rates.gain if player in pot.winners else rates.loss
    if rate is None:
        return Basis.NONE, _exp(Fraction())
    units = balance(pot, player) * kind.score / SCORE_PER_UNIT
    return Basis.OWN_RESULT, (
        Step(Name.UNITS, units),
        Step(Name.RATE, rate, ours=rates.ours),
        *_exp(units * rate),
    )


def _exp(exact: Fraction) -> tuple[Step, ...]:
    """§2: below one is cut."""
    return Step(Name.EXACT_EXP, exact), Step(Name.EXP, Fraction(trunc(exact)))


def _line(basis: Basis, steps: tuple[Step, ...]) -> Line:
    value = {step.name: step.value for step in steps}
    return Line(
        net=int(value[Name.NET]),
        score=int(value[Name.SCORE]),
        exp=int(value[Name.EXP]),
        basis=basis,
        exact_exp=value[Name.EXACT_EXP],
        working=steps,
    )
