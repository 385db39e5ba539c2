"""Rules §5 by value: dealing, betting, drawing, showdown, absence, and what isn't legal."""

import json

import pytest

from certification.hand import Hand, HandLog, Kind, Start, Verb, chips_needed, most_units, shuffled
from certification.hand.errors import (
    BadDeck,
    BadDiscard,
    BadKind,
    BadMove,
    BadSeats,
    BadStakes,
    HandOver,
    NotInHand,
    NotPossible,
    NotYourTurn,
    TooFewChips,
)
from certification.hand.kinds import CARDS
from certification.rules.settlement import settle
from certification.tests.rules.hands import act, deal, said

ACES = "As Ah 7c 8d 9h"
KINGS = "Ks Kh 2c 3d 4h"
NOTHING = "2s 4d 6h 8c Td"


def three():
    """Five-card draw between seats 4, 2 and 5, who act in this order."""
    return deal(Kind.DRAW, (4, 2, 5), ACES, KINGS, NOTHING)


def settled(hand, rank):
    ranks = dict.fromkeys(hand.start.seats, rank)
    given = {"table": "中級", "version": "2", "ranks": ranks, "opponents": {}}
    return settle(antes=hand.antes, bets=hand.bets, winners=hand.winners, **given)


def test_a_hand_of_draw():
    hand = three()
    assert hand.hole == {4: ACES.split(), 2: KINGS.split(), 5: NOTHING.split()}
    assert (hand.turn, said(hand.legal())) == (4, "check bet:80")
    act(hand, "bet")
    assert (hand.turn, said(hand.legal())) == (2, "fold call:80 raise:160")
    act(hand, "raise fold")
    assert (hand.turn, said(hand.legal())) == (4, "fold call:80 raise:160")
    act(hand, "call")
    assert (hand.turn, said(hand.legal()), hand.round) == (4, "draw", 1)
    act(hand, "draw:7c8d9h")
    assert hand.hole[4] == ["As", "Ah"]  # cards come when all have discarded
    act(hand, "draw")
    assert hand.hole[4] == ["As", "Ah", *hand.start.deck[15:18]]
    assert (hand.turn, said(hand.legal())) == (4, "check bet:160")
    act(hand, "check bet call")
    assert hand.over
    assert hand.turn is None
    assert hand.legal() == ()
    assert hand.winners == (4,)
    assert hand.antes == {4: 40, 2: 40, 5: 40}
    assert hand.bets == {4: 320, 2: 320, 5: 0}


def test_a_hand_of_holdem():
    hand = deal(Kind.HOLDEM, (1, 3), "As Ah", "Ks Kh", "Kd 7c 2d", "9h", "3s")
    act(hand, "bet call")
    assert hand.board == ["Kd", "7c", "2d"]
    assert said(hand.legal()) == "check bet:80"
    act(hand, "check check")
    assert hand.board[3:] == ["9h"]
    assert said(hand.legal()) == "check bet:160"
    act(hand, "bet raise call")
    assert hand.board[4:] == ["3s"]
    act(hand, "check check")
    assert (hand.winners, hand.bets) == ((3,), {1: 400, 3: 400})


def test_four_bets_a_round_at_most():
    hand = three()
    act(hand, "bet raise raise")
    assert said(hand.legal()) == "fold call:160 raise:240"
    act(hand, "raise")
    assert (hand.turn, said(hand.legal())) == (2, "fold call:160")


@pytest.mark.parametrize(("kind", "units"), [(Kind.DRAW, 48), (Kind.HOLDEM, 96)])
def test_the_most_that_a_hand_can_cost(kind, units):
    """Everybody bets and raises whatever he can, and has chips for just that."""
    hand = deal(kind, (1, 2, 3))
    while not hand.over:
        legal = [option.verb for option in hand.legal()]
        hand.act(hand.turn, next(verb for verb in (Verb.RAISE, Verb.BET, Verb.CALL, Verb.DRAW) if verb in legal))
    assert set(hand.bets.values()) == {units * 20}
    assert most_units(kind) == units
    assert chips_needed(kind, unit=20, ante=40) == 40 + units * 20


def test_folding_is_for_who_would_have_to_pay():
    assert Verb.FOLD not in {option.verb for option in three().legal()}


def test_an_uncalled_bet_counts_as_a_bet():
    """The game's first example: 七段 bets 80, all fold."""
    hand = deal(Kind.DRAW, (1, 2, 3, 4, 5))
    act(hand, "check check bet fold fold fold fold")
    assert (hand.over, hand.winners, hand.bets[3]) == (True, (3,), 80)
    line = settled(hand, "七段")[3]
    assert (line.net, line.score, line.exp) == (60, 80, 22)


def test_two_share():
    """The game's second example: two put in 160 and share."""
    hand = deal(Kind.HOLDEM, (1, 2, 3, 4, 5), "2c 3c 2d 3d 2h 3h 2s 3s 4c 5c", "Ts Js Qs Ks As")
    act(hand, "bet raise fold fold fold call")
    act(hand, "check " * 6)
    assert hand.winners == (1, 2)
    lines = settled(hand, "初段")
    assert [(lines[seat].net, lines[seat].score, lines[seat].exp) for seat in (1, 2)] == [(-14, 30, 27)] * 2


def test_drawing_all_five_for_all_five():
    hand = deal(Kind.DRAW, (1, 2, 3, 4, 5))
    act(hand, "check " * 5)
    for seat in (1, 2, 3, 4, 5):
        hand.act(seat, "draw", tuple(hand.hole[seat]))
    dealt = [card for cards in hand.hole.values() for card in cards]
    assert dealt == list(CARDS[25:50])


# Absence


def test_time_runs_out():
    hand = three()
    hand.time_out(4)  # checking is free
    act(hand, "bet")
    hand.time_out(5)  # calling isn't
    act(hand, "call")
    hand.time_out(4)  # keeps his cards
    assert [(move.seat, move.verb, move.forced) for move in hand.moves] == [
        (4, "check", True),
        (2, "bet", False),
        (5, "fold", True),
        (4, "call", False),
        (4, "draw", True),
    ]


def test_who_sits_out_is_played_for_until_he_comes_back():
    hand = three()
    hand.sit_out(2)
    assert hand.turn == 4
    act(hand, "check")
    assert hand.turn == 5  # 2 has checked
    act(hand, "check draw")
    assert hand.turn == 5  # 2 has kept his cards
    hand.come_back(2)
    act(hand, "draw check")
    assert hand.turn == 2


def test_who_sits_out_folds_to_a_bet():
    hand = three()
    hand.sit_out(4)
    assert hand.turn == 2
    hand.sit_out(2)
    assert hand.turn == 5
    act(hand, "bet")
    assert (hand.over, hand.winners) == (True, (5,))


def test_a_hand_that_all_have_left_is_checked_down():
    hand = three()
    for seat in (4, 2):
        hand.sit_out(seat)
        hand.sit_out(seat)  # again changes nothing
    hand.sit_out(5)
    assert (hand.over, hand.winners, set(hand.bets.values())) == (True, (4,), {0})
    assert [action.verb for action in hand.actions].count(Verb.SIT_OUT) == 3


# The log


def test_a_log_as_json_gives_the_same_hand():
    hand = three()
    act(hand, "bet call")
    hand.sit_out(2)
    act(hand, "call draw:7c8d9h draw check check")
    text = json.dumps(hand.log.as_data())
    again = Hand.replay(HandLog.from_data(json.loads(text)))
    assert again.log == hand.log
    for viewer in (None, 4, 2, 5):
        assert again.view(viewer) == hand.view(viewer)


def test_a_log_can_be_played_as_far_as_one_likes():
    hand = three()
    act(hand, "bet call fold draw draw check check")
    halfway = Hand.replay(HandLog(hand.start, hand.log.actions[:3]))
    assert (halfway.turn, said(halfway.legal()), halfway.round) == (4, "draw", 1)


def test_a_log_of_what_can_not_have_been():
    hand = three()
    act(hand, "bet call fold")
    with pytest.raises(NotYourTurn):
        Hand.replay(HandLog(hand.start, hand.log.actions[1:]))


# What one may see


def test_what_a_seat_sees():
    hand = three()
    act(hand, "bet call fold draw:7c8d9h")
    view = hand.view(4)
    own, other, folded = view.seats
    assert view.own == own
    assert (own.cards, own.hidden, view.discarded) == (("As", "Ah"), 0, ("7c", "8d", "9h"))
    assert (other.cards, other.hidden) == ((), 5)
    assert (folded.cards, folded.hidden, folded.folded) == ((), 0, True)
    assert (view.pot, own.bet, own.all_bets, view.turn, view.legal, view.winners) == (280, 0, 80, 2, (), ())
    assert [(move.seat, move.verb, move.amount, move.drawn) for move in view.moves] == [
        (4, "bet", 80, 0),
        (2, "call", 80, 0),
        (5, "fold", 0, 0),
        (4, "draw", 0, 3),
    ]
    assert said(hand.view(2).legal) == "draw"
    assert hand.view(5).own.cards == tuple(NOTHING.split())  # one may look at what one folded


def test_who_looks_on_sees_backs():
    view = three().view(None)
    assert [(seat.cards, seat.hidden) for seat in view.seats] == [((), 5)] * 3


def test_at_the_showdown_only_who_may_still_win_shows():
    hand = deal(Kind.DRAW, (1, 2, 3), KINGS, ACES, NOTHING)
    act(hand, "check check check draw draw draw check check check")
    assert hand.winners == (2,)
    cards = {seat.seat: (seat.cards, seat.hidden) for seat in hand.view(None).seats}
    assert cards == {1: (tuple(KINGS.split()), 0), 2: (tuple(ACES.split()), 0), 3: ((), 5)}
    assert hand.view(3).own.cards == tuple(NOTHING.split())


def test_who_wins_by_folds_shows_nothing():
    hand = three()
    act(hand, "bet fold fold")
    assert [seat.cards for seat in hand.view(None).seats] == [(), (), ()]


@pytest.mark.parametrize("moves", ["", "bet call fold", "bet call fold draw:7c8d", "check check bet fold call"])
def test_a_view_does_not_depend_on_what_one_can_not_see(moves):
    hand = three()
    other = deal(Kind.DRAW, (4, 2, 5), ACES, "2c Kh Ks 5s 4h", "Qs 4d 6h 8c Td")
    act(hand, moves)
    act(other, moves)
    assert hand.view(4) == other.view(4)
    assert hand.view(None) == other.view(None)


# What isn't legal


@pytest.mark.parametrize(
    ("moves", "seat", "verb", "cards", "error", "words"),
    [
        ("", 2, "check", "", NotYourTurn, "seat=2, turn=4"),
        ("", 1, "check", "", NotInHand, "seat=1"),
        ("", None, "check", "", NotInHand, "seat=None"),
        ("", 4, "fold", "", NotPossible, "seat=4, verb='fold', legal=['check', 'bet']"),
        ("", 4, "call", "", NotPossible, "verb='call'"),
        ("", 4, "raise", "", NotPossible, "verb='raise'"),
        ("", 4, "draw", "As", NotPossible, "verb='draw'"),
        ("", 4, "allin", "", BadMove, "seat=4, verb='allin'"),
        ("", 4, "", "", BadMove, "seat=4"),
        ("", 4, None, "", BadMove, "seat=4"),
        ("", 4, "check", "As", BadDiscard, "seat=4, card='As'"),
        ("bet", 2, "check", "", NotPossible, "seat=2, verb='check', legal=['fold', 'call', 'raise']"),
        ("bet", 2, "bet", "", NotPossible, "verb='bet'"),
        ("bet raise raise raise", 2, "raise", "", NotPossible, "verb='raise'"),
        ("check check check", 4, "check", "", NotPossible, "legal=['draw']"),
        ("check check check", 4, "draw", "Ks", BadDiscard, "seat=4, card='Ks'"),
        ("check check check", 4, "draw", "As As", BadDiscard, "card='As'"),
        ("check check check", 4, "draw", "??", BadDiscard, "card='??'"),
        ("check check check", 2, "draw", "Ks", NotYourTurn, "seat=2, turn=4"),
        ("bet fold fold", 4, "check", "", HandOver, "seat=4"),
        ("bet fold fold", 4, "sit_out", "", HandOver, "seat=4"),
        ("", 1, "sit_out", "", NotInHand, "seat=1"),
    ],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(moves, seat, verb, cards, error, words):
    hand = three()
    act(hand, moves)
    before = [hand.view(viewer) for viewer in (4, 2, 5)], hand.log
    with pytest.raises(error) as refused:
        hand.act(seat, verb, cards.split())
    assert words in str(refused.value)
    assert ([hand.view(viewer) for viewer in (4, 2, 5)], hand.log) == before


def test_time_runs_out_only_for_who_has_the_turn():
    with pytest.raises(NotYourTurn):
        three().time_out(2)


def test_a_view_is_for_who_was_dealt_in():
    with pytest.raises(NotInHand):
        three().view(1)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"kind": "omaha"}, BadKind, "kind='omaha'"),
        ({"kind": None}, BadKind, "kind=None"),
        ({"seats": ()}, BadSeats, "seat=None"),
        ({"seats": (3,)}, BadSeats, "seat=3"),
        ({"seats": (1, 2, 1)}, BadSeats, "seat=1"),
        ({"seats": (1, 2, 3, 4, 5, 6)}, BadSeats, "seat=6"),
        ({"unit": 0}, BadStakes, "amount=0"),
        ({"unit": 2.5}, BadStakes, "amount=2.5"),
        ({"ante": 0}, BadStakes, "amount=0"),
        ({"ante": -40}, BadStakes, "amount=-40"),
        ({"deck": CARDS[1:]}, BadDeck, "card=None"),
        ({"deck": (*CARDS[:51], "2c")}, BadDeck, "card='2c'"),
        ({"deck": (*CARDS[:51], "1c")}, BadDeck, "card='1c'"),
        ({"deck": (*CARDS, "2c")}, BadDeck, "card='2c'"),
    ],
)
def test_no_hand_starts_like_this(wrong, error, words):
    start = {"kind": Kind.DRAW, "seats": (1, 2), "unit": 20, "ante": 40, "deck": CARDS}
    Start(**start)
    with pytest.raises(error) as refused:
        Start(**(start | wrong))
    assert words in str(refused.value)


def test_nobody_is_dealt_in_who_could_run_out_of_chips():
    with pytest.raises(TooFewChips, match="seat=2, chips=999, needed=1000"):
        Hand.deal(Kind.DRAW, (1, 2), unit=20, ante=40, chips={1: 1000, 2: 999})
    with pytest.raises(TooFewChips, match="seat=2, chips=0"):
        Hand.deal(Kind.DRAW, (1, 2), unit=20, ante=40, chips={1: 1000})


def test_a_deck_is_shuffled_anew_each_time():
    assert sorted(shuffled()) == sorted(CARDS)
    assert shuffled() != shuffled()
