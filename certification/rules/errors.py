"""How these rules refuse input that can't be. Each error has its own class and code, and names who or what and why."""

from __future__ import annotations

from typing import Any

from common.errors import Invalid, Refusal


def told(refusal: Refusal) -> str:
    """A refusal for a log or a traceback: its code and all its facts."""
    return ", ".join([refusal.code, *(f"{name}={value!r}" for name, value in refusal.facts.items())])


class Impossible(Invalid):
    """Input that no table can have produced. `facts` say whose it is (`player` or `seat`) and what was found."""

    code = ""

    def __init__(self, *, field: str | None = None, **facts: Any) -> None:
        super().__init__(self.code, field=field, **facts)

    def __str__(self) -> str:
        return told(self)


class UnknownRank(Impossible):
    """`rank` isn't one of the twenty; `player` has it, where it came with a player."""

    code = "unknown_rank"


class UnknownTable(Impossible):
    """`table` isn't one of the three."""

    code = "unknown_table"


class UnknownVersion(Impossible):
    """`version` isn't a version of the rules."""

    code = "unknown_rule_version"


class BadExp(Impossible):
    """`exp` isn't a whole number, or is below zero where a rank's EXP can't be."""

    code = "bad_exp"


class TooFewPlayers(Impossible):
    """A hand needs two players dealt in; `players` were."""

    code = "hand_too_few_players"


class BadAmount(Impossible):
    """The ante or bet of `player`, `amount`, isn't a whole number of chips from zero up."""

    code = "hand_bad_amount"


class UnequalAntes(Impossible):
    """`player` has another ante, `amount`, than the first player, `expected`."""

    code = "hand_unequal_antes"


class NotDealtIn(Impossible):
    """`player` has bets, or has won, without an ante."""

    code = "hand_no_ante"


class NoWinner(Impossible):
    """Nobody has won."""

    code = "hand_no_winner"


class WinnerTwice(Impossible):
    """`player` stands among the winners twice."""

    code = "hand_winner_twice"


class OwnOpponent(Impossible):
    """`player` is named as his own opponent."""

    code = "own_opponent"


class BadSeat(Impossible):
    """The entry of `player` isn't (player, dan from 0 to 10, tick, seat number) with whole numbers; `seat` is the
    number that came."""

    code = "table_bad_seat"


class SeatedTwice(Impossible):
    """`player` sits twice, the second time on `seat`."""

    code = "table_seated_twice"


class SeatTaken(Impossible):
    """`player` and `other` sit on the same `seat`."""

    code = "table_seat_taken"


class BadLock(Impossible):
    """A lock isn't of two different players, or `player` has two."""

    code = "table_bad_lock"


class NotSeated(Impossible):
    """`player` doesn't sit at the table."""

    code = "table_not_seated"


class BadEvent(Impossible):
    """Entry `place` of a table's log (counted from 0) isn't an event that a log has."""

    code = "table_bad_event"
