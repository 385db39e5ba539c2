"""How the rules of Battle Poker say no. A game is as it was before when one of these is raised."""

from __future__ import annotations

from common.errors import Conflict, Invalid


class UnknownCard(Invalid):
    """Not one of the 54 cards; the fact `card` is what came instead, shortened, and fit to be printed anywhere."""

    def __init__(self, card: object) -> None:
        told = str(card)[:20].encode(errors="replace").decode()
        super().__init__("unknown_card", field="cards", card=told)


class NotThreeCards(Invalid):
    """A choice has three cards; the fact `count` is how many came (0 for what isn't a collection at all)."""

    def __init__(self, count: int) -> None:
        super().__init__("not_three_cards", field="cards", count=count)


class SameCardTwice(Invalid):
    """One card was named more than once."""

    def __init__(self) -> None:
        super().__init__("same_card_twice", field="cards")


class BothJokers(Invalid):
    """Both jokers in one set. No hand ever holds both."""

    def __init__(self) -> None:
        super().__init__("both_jokers", field="cards")


class CardNotHeld(Invalid):
    """The fact `card` isn't in that hand."""

    def __init__(self, card: str) -> None:
        super().__init__("card_not_held", field="cards", card=card)


class GameFinished(Conflict):
    """A choice came after round 9."""

    def __init__(self) -> None:
        super().__init__("battle_finished")


class GameUnfinished(Conflict):
    """What is asked for is known only after round 9."""

    def __init__(self) -> None:
        super().__init__("battle_unfinished")


class BadDeck(Invalid):
    """A deck is the 52 cards without jokers, each once."""

    def __init__(self) -> None:
        super().__init__("bad_poker_deck", field="deck")


class BadSeat(Invalid):
    """A seat is 0 or 1."""

    def __init__(self) -> None:
        super().__init__("no_such_seat", field="seat")


class BadSeed(Invalid):
    """A server seed has exactly so many bytes as the fact `bytes` says."""

    def __init__(self, length: int) -> None:
        super().__init__("bad_server_seed", field="seed", bytes=length)


class BadWords(Invalid):
    """The player's words are valid text of at most `limit` characters."""

    def __init__(self, limit: int) -> None:
        super().__init__("bad_deal_words", field="words", limit=limit)


class BadRound(Invalid):
    """There are rounds 1 to `rounds`."""

    def __init__(self, rounds: int) -> None:
        super().__init__("no_such_round", field="round", rounds=rounds)
