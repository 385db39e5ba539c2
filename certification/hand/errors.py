"""How a hand refuses what isn't legal. Each error names the seat and what is wrong."""

from __future__ import annotations

from typing import Any

from certification.rules.errors import Impossible, told
from common.errors import Conflict


class NotLegal(Conflict):
    """A move that the hand doesn't allow now. `facts` say who (`seat`) and what was tried or missing."""

    code = ""

    def __init__(self, **facts: Any) -> None:
        super().__init__(self.code, **facts)

    def __str__(self) -> str:
        return told(self)


class HandOver(NotLegal):
    """`seat` tries to move, but the hand has ended."""

    code = "hand_over"


class NotYourTurn(NotLegal):
    """`seat` tries to move, but it is `turn`'s turn."""

    code = "hand_not_your_turn"


class NotPossible(NotLegal):
    """`seat` has the turn, but can't make the move `verb` now; `legal` are those that he can make."""

    code = "hand_move_not_possible"


class TooFewChips(NotLegal):
    """`seat` has `chips`, and being dealt in takes `needed`."""

    code = "hand_too_few_chips"


class NotInHand(Impossible):
    """`seat` wasn't dealt in."""

    code = "hand_not_dealt_in"


class BadKind(Impossible):
    """`kind` is no kind of hand."""

    code = "hand_bad_kind"


class BadSeats(Impossible):
    """A hand is for two to five different seats; `seat` is the one that is too many or comes twice."""

    code = "hand_bad_seats"


class BadStakes(Impossible):
    """Ante and bet unit are whole chips, at least one each; `amount` isn't."""

    code = "hand_bad_stakes"


class BadDeck(Impossible):
    """A deck is the 52 cards, each once; `card` is the first that is wrong, None if cards are missing."""

    code = "hand_bad_deck"


class BadMove(Impossible):
    """`verb`, tried by `seat`, is no move at all."""

    code = "hand_bad_move"


class BadDiscard(Impossible):
    """`seat` wants to discard `card`, which he doesn't hold, or names twice, or with another move than a draw."""

    code = "hand_bad_discard"
