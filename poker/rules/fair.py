"""Fair dealing (rules §6): the deal is promised before the first card and can be checked after the last.

docs/fair-dealing.md says the same as a recipe for any language; a test runs its lines against this file.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from common.errors import Refusal
from poker.rules.cards import DECK, Card
from poker.rules.categories import three_of
from poker.rules.errors import BadRound, BadSeed, BadWords
from poker.rules.game import ROUNDS, Game, check_seat

SEED_BYTES: Final = 32
WORDS_LIMIT: Final = 200  # characters
DOMAIN: Final = b"banzuke poker 1\n"  # another derivation will get another number
NUMBER_BYTES: Final = 4


def new_seed() -> bytes:
    """A server seed that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is shown before the first card: SHA-256 of the server seed, in hexadecimal. Raises BadSeed."""
    _check_seed(seed)
    return hashlib.sha256(seed).hexdigest()


@dataclass(frozen=True)
class Deal:
    """All that follows from a server seed and the player's words. Secret until the game is over.

    Args:
        seed: 32 bytes that the server chose and committed to before it knew the words.
        words: what the player added, up to 200 characters; may be empty.

    Raises BadSeed, BadWords.
    """

    seed: bytes = field(repr=False)  # so that no log has it
    words: str = ""

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        if not isinstance(self.words, str) or len(self.words) > WORDS_LIMIT:
            raise BadWords(WORDS_LIMIT)
        try:
            self.words.encode()
        except UnicodeEncodeError:  # half a surrogate pair
            raise BadWords(WORDS_LIMIT) from None

    @property
    def commitment(self) -> str:
        """SHA-256 of the server seed, in hexadecimal."""
        return commitment(self.seed)

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The 52 cards in drawing order: Fisher and Yates over the stream `deck`."""
        deck, numbers = list(DECK), self._numbers("deck")
        for last in range(len(deck) - 1, 0, -1):
            other = _below(last + 1, numbers)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    @property
    def computer_seed(self) -> str:
        """What all chance in the computer's choices comes from, 64 hexadecimal digits; seat and round are mixed in."""
        return self._block("computer").hex()

    def nonce(self, round_number: int) -> str:
        """What keeps a hashed choice of this round from being guessed; may be shown after it. Raises BadRound."""
        return self._block(f"nonce:{_checked(round_number)}").hex()

    def promise(self, round_number: int, choice: Iterable[Card]) -> str:
        """What is shown before the player chooses, in place of the computer's choice.

        Raises BadRound, NotThreeCards, UnknownCard, SameCardTwice, BothJokers.
        """
        return promise(round_number, choice, self.nonce(round_number))

    @cached_property
    def _key(self) -> bytes:
        return hmac.digest(self.seed, DOMAIN + self.words.encode(), "sha256")

    def _block(self, label: str) -> bytes:
        return hmac.digest(self._key, label.encode(), "sha256")

    def _numbers(self, stream: str) -> Iterator[int]:
        """Endless 32-bit numbers, eight from each block."""
        counter = 0
        while True:
            block = self._block(f"{stream}:{counter}")
            for start in range(0, len(block), NUMBER_BYTES):
                yield int.from_bytes(block[start : start + NUMBER_BYTES])
            counter += 1


def promise(round_number: int, choice: Iterable[Card], nonce: str) -> str:
    """SHA-256 over the round, the cards in the order of `CARDS` and the nonce, in hexadecimal.

    Raises as `Deal.promise`.
    """
    cards = " ".join(three_of(choice).cards)
    return hashlib.sha256(f"{_checked(round_number)}:{cards}:{nonce}".encode()).hexdigest()


def replay(deck: Sequence[Card], choices: Iterable[tuple[Sequence[Card], Sequence[Card]]]) -> Game:
    """The game that these choices make of this deck, finished or not. Raises as `Game` and `Game.play` do."""
    game = Game(deck)
    for three0, three1 in choices:
        game.play(three0, three1)
    return game


def broken_promises(
    deal: Deal,
    *,
    commitment: str,
    computer_seat: int,
    promises: Sequence[str],
    choices: Sequence[tuple[Sequence[Card], Sequence[Card]]],
) -> tuple[str, ...]:
    """What the revealed seed shows to be untrue of a game; empty when all was kept.

    `commitment` and `promises` are what was shown before the game and before each round, `choices` what was played.

    Returns:
        `commitment` if another seed was promised; `choices` if no game of this deck goes like that; `promise 3` if in
        round 3 the computer didn't play what was promised, or nothing was.

    Raises BadSeat.
    """
    check_seat(computer_seat)
    found = [] if deal.commitment == commitment else ["commitment"]
    try:
        game = replay(deal.deck, choices)
    except Refusal:
        return (*found, "choices")
    for result in game.history:
        shown = promises[result.round - 1] if result.round <= len(promises) else None
        if shown != deal.promise(result.round, result.shown[computer_seat]):
            found.append(f"promise {result.round}")
    return tuple(found)


def _below(limit: int, numbers: Iterator[int]) -> int:
    """A number from 0 to below `limit`, each equally likely: what would favour the low ones is thrown away."""
    span = 1 << 8 * NUMBER_BYTES
    fair = span - span % limit
    return next(number for number in numbers if number < fair) % limit


def _check_seed(seed: bytes) -> None:
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise BadSeed(SEED_BYTES)


def _checked(round_number: int) -> int:
    if not isinstance(round_number, int) or not 1 <= round_number <= ROUNDS:
        raise BadRound(ROUNDS)
    return round_number
