"""§6: what follows from a seed, and that a broken promise is found."""

import hashlib
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import Invalid
from poker.rules import DECK, Deal, Game, broken_promises, commitment, new_seed, promise, replay
from poker.rules.errors import BadRound, BadSeat, BadSeed, BadWords, NotThreeCards
from poker.rules.game import ROUNDS

SEED = bytes(range(32))


def dealt(seed=SEED, words="", computer_seat=1):
    """A whole game, played by taking the first three cards each time, as the server would keep it."""
    deal = Deal(seed, words)
    game, promises, choices = Game(deal.deck), [], []
    for number in range(1, ROUNDS + 1):
        pair = tuple(hand[:3] for hand in game.hands)
        promises.append(deal.promise(number, pair[computer_seat]))
        choices.append(pair)
        game.play(*pair)
    kept = {
        "commitment": deal.commitment,
        "computer_seat": computer_seat,
        "promises": promises,
        "choices": choices,
    }
    return deal, game, kept


def test_the_commitment_is_sha_256_of_the_seed() -> None:
    assert commitment(SEED) == Deal(SEED, "whatever").commitment == hashlib.sha256(SEED).hexdigest()
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_derivation_is_fixed() -> None:
    """By value: a game that was kept must replay for ever."""
    deal = Deal(SEED, "snow ☃")
    assert (
        hashlib.sha256(" ".join(deal.deck).encode()).hexdigest()
        == "de546352a6200430cda5db0f7f3368403f479bbac5fce1cdb3bc0ac5fe3ca0ae"
    )
    assert deal.deck[:10] == ("Kd", "3d", "As", "Qc", "3h", "Tc", "6c", "Ad", "9h", "2h")
    assert deal.computer_seed == "3bafb2a72feea034ae654ed7ae1ba6feee145a81dbdaa25e04b3b7754e5da66a"
    assert deal.promise(9, ("X2", "As", "2h")) == "3a5e8d7e3eb18c1ba12a8daa679552afd794f04ae69c6be140882a6bfb1bd7d6"


@given(st.binary(min_size=32, max_size=32), st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_a_deck_is_the_52_and_the_same_each_time(seed, words) -> None:
    deck = Deal(seed, words).deck
    assert sorted(deck) == sorted(DECK)
    assert Deal(seed, words).deck == deck


def test_seed_and_words_both_change_everything() -> None:
    deals = [Deal(SEED), Deal(SEED, "a"), Deal(SEED, "b"), Deal(SEED[::-1], "a")]
    assert len({deal.deck for deal in deals}) == 4
    nonces = [deal.nonce(number) for deal in deals for number in range(1, 10)]
    assert len({*nonces, *(deal.computer_seed for deal in deals)}) == 40


def test_every_card_comes_first_equally_often() -> None:
    """Chi-squared over 52 cards at three places of the deck, of 5,200 deals: below the 99.99th percentile of 51."""
    decks = [Deal(number.to_bytes(32), "").deck for number in range(5_200)]
    for place in (0, 25, 51):
        found = Counter(deck[place] for deck in decks)
        assert sum((found[card] - 100) ** 2 / 100 for card in DECK) < 96


def test_numbers_too_high_to_be_fair_are_thrown_away() -> None:
    from poker.rules.fair import _below

    stream = iter([2**32 - 1, 2**32 - 2, 4])  # 2**32 leaves 1 over three
    assert _below(3, stream) == (2**32 - 2) % 3
    assert next(stream) == 4
    assert [_below(52, count(number)) for number in (0, 51, 52)] == [0, 51, 0]


def test_a_deal_does_not_tell_its_seed_to_a_log() -> None:
    assert repr(Deal(SEED, "mine")) == "Deal(words='mine')"


def test_new_seeds_differ() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert len(new_seed()) == 32


@pytest.mark.parametrize("computer_seat", [0, 1])
def test_a_kept_game_has_no_broken_promise(computer_seat) -> None:
    deal, game, kept = dealt(words="mine", computer_seat=computer_seat)
    assert broken_promises(deal, **kept) == ()
    assert replay(deal.deck, kept["choices"]).history == game.history


def test_a_game_given_up_is_checked_as_far_as_it_went() -> None:
    deal, _, kept = dealt()
    kept["choices"] = kept["choices"][:4]
    assert broken_promises(deal, **kept) == ()
    # The fifth choice was promised already when the player went.
    assert broken_promises(deal, **{**kept, "promises": kept["promises"][:5]}) == ()


def test_another_seed_is_found() -> None:
    deal, _, kept = dealt()
    assert broken_promises(Deal(SEED[::-1]), **kept) == ("commitment", "choices")
    assert broken_promises(deal, **{**kept, "commitment": "0" * 64}) == ("commitment",)
    assert broken_promises(deal, **{**kept, "commitment": "☃"}) == ("commitment",)


def test_other_words_are_found() -> None:
    _, _, kept = dealt(words="mine")
    assert broken_promises(Deal(SEED, "yours"), **kept) == ("choices",)


def test_a_choice_that_was_not_the_promised_one_is_found() -> None:
    deal, _, kept = dealt()
    kept["promises"][0] = deal.promise(1, Game(deal.deck).hands[1][3:])
    kept["promises"][8] = "0" * 64
    assert broken_promises(deal, **kept) == ("promise 1", "promise 9")
    kept["promises"] = kept["promises"][:7]
    assert broken_promises(deal, **kept) == ("promise 1", "promise 8", "promise 9")


def test_cards_that_were_not_dealt_are_found() -> None:
    deal, _, kept = dealt()
    kept["choices"][3] = (("As", "Ah", "Ad"), ("Ks", "Kh", "Kd"))
    assert broken_promises(deal, **kept) == ("choices",)


def test_a_promise_does_not_depend_on_the_order_of_cards() -> None:
    assert promise(1, ("As", "X2", "2h"), "n") == promise(1, ("X2", "2h", "As"), "n")
    assert promise(1, ("As", "X2", "2h"), "n") != promise(2, ("As", "X2", "2h"), "n")
    assert promise(1, ("As", "X2", "2h"), "n") != promise(1, ("As", "X2", "2h"), "m")


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, None, 5])
def test_a_seed_has_32_bytes(seed) -> None:
    with pytest.raises(BadSeed):
        Deal(seed)
    with pytest.raises(BadSeed):
        commitment(seed)


@pytest.mark.parametrize("words", ["x" * 201, "\ud800", None, b"words"])
def test_words_are_text_of_two_hundred_characters(words) -> None:
    with pytest.raises(BadWords):
        Deal(SEED, words)
    assert Deal(SEED, "☃" * 200).deck


@pytest.mark.parametrize("number", [0, 10, -1, "1", None, 1.5])
def test_there_are_nine_rounds(number) -> None:
    deal = Deal(SEED)
    with pytest.raises(BadRound):
        deal.nonce(number)
    with pytest.raises(BadRound):
        deal.promise(number, ("As", "Kh", "X2"))


def test_only_three_cards_can_be_promised() -> None:
    with pytest.raises(NotThreeCards):
        Deal(SEED).promise(1, ("As", "Kh"))


def test_the_computer_sits_somewhere() -> None:
    deal, _, kept = dealt()
    with pytest.raises(BadSeat):
        broken_promises(deal, **{**kept, "computer_seat": 2})
    assert issubclass(BadSeat, Invalid)
