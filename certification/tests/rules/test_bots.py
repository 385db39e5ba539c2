"""Rules §5: the bots play legally, by what they see, and not like fools."""

import pytest

from certification.bots import Style, choose
from certification.hand import Hand, Kind, Verb, chips_needed, shuffled
from certification.rules.pots import pot_of
from certification.rules.settlement import balance
from certification.tests.rules.hands import act, deal, random_move, seeded


def chosen(style, hand, number=0):
    """What a bot on turn does, such as "draw:7c8d9h"."""
    choice = choose(style, hand.view(hand.turn), seeded(number))
    return ":".join([choice.verb, "".join(choice.cards)]).rstrip(":")


def verbs(style, hand):
    """What a bot on turn does in this place, whatever its whims."""
    return {chosen(style, hand, number) for number in range(40)}


def draw(own, moves):
    hand = deal(Kind.DRAW, (1, 2, 3), own)
    act(hand, moves)
    return hand


@pytest.mark.parametrize(
    ("own", "tight", "loose"),
    [
        ("2h 4h 6d 9c Kd", {"check"}, {"check", "bet"}),
        ("5h 5c 6d 9c Kd", {"check"}, {"bet"}),
        ("Qh Qc 6d 9c Kd", {"bet"}, {"bet"}),
        ("Ah Kh Qh Jh Th", {"bet"}, {"bet"}),
    ],
)
def test_opening(own, tight, loose):
    assert verbs(Style.TIGHT, draw(own, "")) == tight
    assert verbs(Style.LOOSE, draw(own, "")) == loose


@pytest.mark.parametrize(
    ("own", "tight", "loose"),
    [
        ("2h 4h 6d 9c Kd", {"fold"}, {"fold", "call"}),
        ("5h 5c 6d 9c Kd", {"fold"}, {"call", "raise"}),
        ("Qh Qc 6d 9c Kd", {"call"}, {"raise"}),
        ("Qh Qc Qd 9c Kd", {"raise"}, {"raise"}),
    ],
)
def test_before_a_bet(own, tight, loose):
    """Three are still in, so a lone pair isn't worth more than it is."""
    assert verbs(Style.TIGHT, draw(own, "check bet call")) == tight
    assert verbs(Style.LOOSE, draw(own, "check bet call")) == loose


@pytest.mark.parametrize(
    ("own", "thrown"),
    [
        ("Ah Kh Qh Jh Th", ""),
        ("5h 5c 5d 9c 9d", ""),
        ("5h 5c 5d 5s 9d", ""),
        ("5h 5c 5d 9c Kd", "9cKd"),
        ("5h 5c 9s 9c Kd", "Kd"),
        ("5h 5c 6h 7h Kh", "6h7hKh"),
        ("2h 5h 9h Kh Kc", "2h5h9h"),
        ("2h 5h 9h Kh Ac", "Ac"),
        ("5h 6c 7d 8s Kc", "Kc"),
        ("Ah 2c 3d 4s 9c", "2c3d4s"),  # open at one end only
        ("2h 5c 9d Ks Ac", "2h5c9d"),
    ],
)
def test_drawing(own, thrown):
    hand = draw(own, "check check check")
    for style in Style:
        assert verbs(style, hand) == {f"draw:{thrown}".rstrip(":")}


@pytest.mark.parametrize(
    ("own", "board", "tight"),
    [
        ("As Ah", "", {"bet"}),
        ("Ks Qd", "", {"bet"}),
        ("7s 2d", "", {"check"}),
        ("As Kd", "Ac 7d 2h", {"bet"}),  # the highest pair there can be with this board
        ("8s 7c", "Ac 7d 2h", {"check"}),
        ("9s 8c", "Ac Ad 2h", {"check"}),  # the pair is everybody's
        ("9s 8s", "As 5s 2h", {"check"}),
        ("9s 8s", "As 5s 2s", {"bet"}),
    ],
)
def test_holdem(own, board, tight):
    hand = deal(Kind.HOLDEM, (1, 2, 3), own, "3c 4c", "3d 4d", board)
    if board:
        act(hand, "check check check")
    assert verbs(Style.TIGHT, hand) == tight


def test_a_board_that_everybody_plays_is_nobody_s_hand():
    hand = deal(Kind.HOLDEM, (1, 2, 3), "2c 3c", "2d 3d", "2h 3h", "Ts Js Qs Ks As")
    act(hand, "check " * 9)
    assert verbs(Style.TIGHT, hand) == {"check"}


def evening(kind, mixture, number, hands):
    """The balance of each sort of player, per hand and player, at 初級 stakes; None plays whatever is legal."""
    random = seeded(number)
    seats = range(1, len(mixture) + 1)
    chips = dict.fromkeys(seats, chips_needed(kind, unit=10, ante=20))
    total = dict.fromkeys(mixture, 0)
    for _ in range(hands):
        style = dict(zip(seats, random.sample(mixture, len(mixture)), strict=True))
        hand = Hand.deal(kind, seats, unit=10, ante=20, chips=chips, deck=shuffled(random))
        while not hand.over:
            if style[hand.turn] is None:
                hand.act(*random_move(hand, random))
            else:
                choice = choose(style[hand.turn], hand.view(hand.turn), random)
                hand.act(hand.turn, choice.verb, choice.cards)
        pot = pot_of(antes=hand.antes, bets=hand.bets, winners=hand.winners)
        for seat in seats:
            total[style[seat]] += balance(pot, seat) / hands / mixture.count(style[seat])
    return {who: round(float(chips), 1) for who, chips in total.items()}


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("style", Style)
def test_bots_beat_chance(kind, style):
    won = evening(kind, [style, None], 1, 300)
    assert won[style] > 0, won


@pytest.mark.parametrize("kind", Kind)
def test_tight_beats_loose_at_a_full_table(kind):
    won = evening(kind, [Style.TIGHT] * 2 + [Style.LOOSE] * 3, 1, 200)
    assert won[Style.TIGHT] > won[Style.LOOSE], won


@pytest.mark.long
@pytest.mark.parametrize("kind", Kind)
def test_tight_beats_loose_in_the_long_run(kind):
    won = evening(kind, [Style.TIGHT] * 2 + [Style.LOOSE] * 3, 2, 2_000)
    assert won[Style.TIGHT] > 0 > won[Style.LOOSE], won


def test_loose_puts_in_more_often_than_tight():
    counts = dict.fromkeys(Style, 0)
    random = seeded(1)
    for number in range(100):
        hand = Hand.deal(
            Kind.HOLDEM, (1, 2, 3), unit=10, ante=20, chips=dict.fromkeys((1, 2, 3), 980), deck=shuffled(random)
        )
        for style in Style:
            counts[style] += choose(style, hand.view(1), seeded(number)).verb is Verb.BET
    assert counts[Style.LOOSE] > 1.5 * counts[Style.TIGHT] > 0
