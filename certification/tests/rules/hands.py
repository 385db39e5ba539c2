"""What tests of hands share: stacked decks, and whole hands played at random."""

from random import Random

from certification.hand import Hand, Kind, Verb, chips_needed, shuffled
from certification.hand.kinds import CARDS


def seeded(number):
    """Randomness that a test can repeat."""
    return Random(number)  # noqa: S311


def stacked(*dealt):
    """A deck that begins with these cards, such as "As Kd", in the order in which they are dealt."""
    first = " ".join(dealt).split()
    return (*first, *(card for card in CARDS if card not in first))


def deal(kind, seats, *dealt, unit=20, ante=40):
    """A hand at 中級 with a stacked deck, everybody having just enough chips."""
    needed = chips_needed(kind, unit=unit, ante=ante)
    return Hand.deal(kind, seats, unit=unit, ante=ante, chips=dict.fromkeys(seats, needed), deck=stacked(*dealt))


def act(hand, moves):
    """Make moves such as "check bet call": each by whoever has the turn. "draw:AsKd" discards those."""
    for move in moves.split():
        verb, _, cards = move.partition(":")
        hand.act(hand.turn, verb, [cards[at : at + 2] for at in range(0, len(cards), 2)])


def said(options):
    """Options as "fold call:80 raise:160"."""
    return " ".join(f"{option.verb}:{option.amount}" if option.amount else option.verb for option in options)


def random_move(hand, random):
    """A legal move of whoever has the turn, as `Hand.act` takes it."""
    option = random.choice(hand.legal())
    held = hand.hole[hand.turn]
    cards = random.sample(held, random.randint(0, len(held))) if option.verb is Verb.DRAW else []
    return hand.turn, option.verb, cards


def random_hand(random):
    """A hand about to begin: any kind, two to five seats in any order, any stakes."""
    kind = random.choice(list(Kind))
    seats = random.sample(range(1, 6), random.randint(2, 5))
    unit = random.choice([10, 20, 50])
    ante = random.choice([1, 2 * unit, 33])
    needed = chips_needed(kind, unit=unit, ante=ante)
    chips = {seat: needed + random.randint(0, 500) for seat in seats}
    return Hand.deal(kind, seats, unit=unit, ante=ante, chips=chips, deck=shuffled(random)), chips
