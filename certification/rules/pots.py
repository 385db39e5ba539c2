"""The chips of a hand (rules §2): what went in, what a winner takes out, what the house keeps."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from certification.rules.errors import BadAmount, NotDealtIn, NoWinner, TooFewPlayers, UnequalAntes, WinnerTwice

Player = Hashable

ANTE_KEPT = Fraction("0.5")
"""The part of all antes that the house keeps [set by the game]."""

OTHERS_KEPT = Fraction("0.3")
"""The part of the other players' bets that the house keeps; a winner's own come back whole [set by the game]."""


@dataclass(frozen=True, slots=True)
class House:
    """What the house keeps of a hand, in chips: its deductions, and the odd chips of shares cut to whole chips."""

    deducted: Fraction
    odd: Fraction

    @property
    def total(self) -> int:
        """Both together: always whole chips."""
        return int(self.deducted + self.odd)


@dataclass(frozen=True, slots=True)
class Pot:
    """A hand's antes and bets by player, and who shares in it. Made by `pot_of`, so it is possible."""

    antes: Mapping[Player, int]
    bets: Mapping[Player, int]
    winners: tuple[Player, ...]

    @property
    def all_antes(self) -> int:
        return sum(self.antes.values())

    @property
    def all_bets(self) -> int:
        return sum(self.bets.values())

    @property
    def before(self) -> int:
        """All antes and all bets."""
        return self.all_antes + self.all_bets

    def paid(self, player: Player) -> int:
        """Ante and bets of one player."""
        return self.antes[player] + self.bets[player]

    def after(self, winner: Player) -> Fraction:
        """The pot after deductions, as it is for this winner: the others' bets include those of other winners."""
        own = self.bets[winner]
        return (1 - ANTE_KEPT) * self.all_antes + (1 - OTHERS_KEPT) * (self.all_bets - own) + own

    def exact_share(self, winner: Player) -> Fraction:
        """What a winner takes, before it is cut to whole chips."""
        return self.after(winner) / len(self.winners)

    def share(self, winner: Player) -> int:
        """What a winner takes, in whole chips [ours: the rest stays with the house]."""
        return floor(self.exact_share(winner))

    def house(self) -> House:
        """What the house keeps, worked out from the deductions rather than from what is missing."""
        deducted = [ANTE_KEPT * self.all_antes + OTHERS_KEPT * (self.all_bets - self.bets[one]) for one in self.winners]
        odd = [self.exact_share(winner) - self.share(winner) for winner in self.winners]
        return House(sum(deducted, Fraction()) / len(self.winners), sum(odd, Fraction()))


def pot_of(*, antes: Mapping[Player, int], bets: Mapping[Player, int], winners: Collection[Player]) -> Pot:
    """The pot of a hand. Who has an ante was dealt in; who of them has no entry in `bets` didn't bet.

    Raises:
        TooFewPlayers, BadAmount, UnequalAntes, NotDealtIn, NoWinner, WinnerTwice: no table can have had this hand.
    """
    if len(antes) < 2:
        raise TooFewPlayers(field="antes", players=len(antes))
    ante = next(iter(antes.values()))
    for player, amount in antes.items():
        _check_amount("antes", player, amount)
        if amount != ante:
            raise UnequalAntes(field="antes", player=player, amount=amount, expected=ante)
    for player, amount in bets.items():
        if player not in antes:
            raise NotDealtIn(field="bets", player=player)
        _check_amount("bets", player, amount)
    if not winners:
        raise NoWinner(field="winners")
    seen: set[Player] = set()
    for player in winners:
        if player not in antes:
            raise NotDealtIn(field="winners", player=player)
        if player in seen:
            raise WinnerTwice(field="winners", player=player)
        seen.add(player)
    in_order = tuple(player for player in antes if player in seen)
    return Pot(dict(antes), {player: bets.get(player, 0) for player in antes}, in_order)


def _check_amount(field: str, player: Player, amount: int) -> None:
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise BadAmount(field=field, player=player, amount=amount)
