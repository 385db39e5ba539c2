"""Rules §5 for any hand: from the deal to the settlement nothing illegal, no chip lost, and the log tells it again."""

from itertools import chain

import pokerkit
import pytest

from certification.hand import Hand, Kind, Verb, most_units
from certification.rules.pots import pot_of
from certification.rules.settlement import Name, settle
from certification.tests.rules.hands import random_hand, random_move, seeded
from common.errors import Refusal


def play(random):
    """Play a hand to its end at random; now and then somebody leaves, comes back, or lets the time run out."""
    hand, chips = random_hand(random)
    while not hand.over:
        check_progress(hand, random)
        whim = random.random()
        if whim < 0.02:
            hand.sit_out(random.choice(hand.start.seats))
        elif whim < 0.04:
            hand.come_back(random.choice(hand.start.seats))
        elif whim < 0.06:
            hand.time_out(hand.turn)
        else:
            hand.act(*random_move(hand, random))
    return hand, chips


def check_progress(hand, random):
    """What holds at any moment of a hand."""
    seat = random.choice(hand.start.seats)
    view = hand.view(seat)
    others = chain.from_iterable(cards for other, cards in hand.hole.items() if other != seat)
    seen = {*view.board, *view.discarded, *chain.from_iterable(each.cards for each in view.seats)}
    assert seen.isdisjoint(others)
    assert bool(view.legal) == (seat == hand.turn)
    assert hand.turn not in hand.away
    assert view.pot == sum(hand.bets.values()) + sum(hand.antes.values())
    assert all(bet <= most_units(hand.start.kind) * hand.start.unit for bet in hand.bets.values())


def check_end(hand, chips):
    """What holds when a hand is over."""
    folded = {move.seat for move in hand.moves if move.verb is Verb.FOLD}
    assert hand.winners
    assert folded.isdisjoint(hand.winners)
    lines = settle(
        antes=hand.antes,
        bets=hand.bets,
        winners=hand.winners,
        table="中級",
        version="2",
        ranks=dict.fromkeys(hand.start.seats, "初段"),
        opponents={},
    )
    house = pot_of(antes=hand.antes, bets=hand.bets, winners=hand.winners).house().total
    assert sum(chips[seat] + line.net for seat, line in lines.items()) == sum(chips.values()) - house
    assert all(chips[seat] + line.net >= 0 for seat, line in lines.items())
    check_against_pokerkit(hand, lines)


def check_against_pokerkit(hand, lines):
    """PokerKit deducts nothing and gives odd chips to the first winner: else its pay-outs are our balances."""
    for seat, paid in zip(hand.start.seats, hand._state.payoffs, strict=True):
        balance = {step.name: step.value for step in lines[seat].working}[Name.BALANCE]
        assert abs(paid - balance) < len(hand.winners)
        assert paid == balance or len(hand.winners) > 1


def check_hands(first, count):
    for number in range(first, first + count):
        random = seeded(number)
        hand, chips = play(random)
        check_end(hand, chips)
        again = Hand.replay(hand.log)
        assert again.view(None) == hand.view(None), number
        assert (again.log, again.hole, again.winners) == (hand.log, hand.hole, hand.winners), number


@pytest.mark.parametrize("first", range(0, 1_000, 250))
def test_a_thousand_hands(first):
    check_hands(first, 250)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1_000, 11_000, 1_000))
def test_ten_thousand_hands(first):
    check_hands(first, 1_000)


@pytest.mark.parametrize("number", range(20))
def test_whatever_is_not_legal_is_refused_at_any_moment(number):
    random = seeded(number)
    hand, _ = random_hand(random)
    while not hand.over:
        legal = {option.verb for option in hand.legal()}
        for seat in range(7):
            for verb in set(Verb) - {Verb.SIT_OUT, Verb.COME_BACK}:
                if seat != hand.turn or verb not in legal:
                    before = hand.log, hand.turn, dict(hand.bets)
                    with pytest.raises(Refusal):
                        hand.act(seat, verb)
                    assert (hand.log, hand.turn, hand.bets) == before
        hand.act(*random_move(hand, random))


def deductions(ante, bet, players):
    """A PokerKit rake that takes what our house takes of equal contributions: half of antes, 30% of others' bets."""
    kept = players * ante // 2 + 3 * (players - 1) * bet // 10
    return lambda amount, state: (kept, amount - kept)


@pytest.mark.parametrize("number", range(30))
def test_equal_contributions_are_paid_out_as_by_pokerkit(number):
    """Hold'em by PokerKit's own game, its rake told our deductions; every third time the board is a royal flush."""
    random = seeded(number)
    players, ante, bet = random.randint(2, 5), random.choice([20, 40, 100]), random.choice([0, 80, 160])
    state = pokerkit.FixedLimitTexasHoldem.create_state(
        tuple(one for one in pokerkit.Automation if one is not pokerkit.Automation.BOARD_DEALING),
        True,
        ante,
        0,
        bet or 80,
        bet or 80,
        10_000,
        players,
        rake=deductions(ante, bet, players),
    )
    while state.status:
        if (due := state.board_dealing_count) is not None:
            royal = ["TsJsQs", "Ks", "As"][state.street_index - 1]
            state.deal_board(royal if number % 3 == 0 and can_be_dealt(state, royal) else due)
        elif bet and state.street_index == 0 and state.can_complete_bet_or_raise_to() and not any(state.bets):
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    winners = [one for one in range(players) if state.stacks[one] + ante + bet > 10_000]
    lines = settle(
        antes=dict.fromkeys(range(players), ante),
        bets=dict.fromkeys(range(players), bet),
        winners=winners,
        table="中級",
        version="2",
        ranks=dict.fromkeys(range(players), "初段"),
        opponents={},
    )
    ours = [lines[one].net for one in range(players)]
    odd = sum(state.payoffs) - sum(ours)
    ours[winners[0]] += odd
    assert list(state.payoffs) == ours
    assert 0 <= odd < len(winners)


def can_be_dealt(state, cards):
    return set(pokerkit.Card.parse(cards)) <= set(state.deck_cards)


def test_both_kinds_and_every_number_of_seats_come_up():
    starts = {(hand.start.kind, len(hand.start.seats)) for hand, _ in (random_hand(seeded(n)) for n in range(100))}
    assert starts == {(kind, seats) for kind in Kind for seats in (2, 3, 4, 5)}
