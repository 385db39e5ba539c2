"""One hand of fixed-limit five-card draw or hold'em (rules §5): dealing, betting, drawing, showdown.

It knows seats, cards and chips put in. Ranks, EXP and who gets which chips are `certification.rules`' business, and
nothing here knows a database or a request.
"""

from certification.hand.kinds import Kind, chips_needed, most_units, shuffled
from certification.hand.log import Action, HandLog, Start, Verb
from certification.hand.play import Hand
from certification.hand.view import Move, Option, SeatView, View

__all__ = [
    "Action",
    "Hand",
    "HandLog",
    "Kind",
    "Move",
    "Option",
    "SeatView",
    "Start",
    "Verb",
    "View",
    "chips_needed",
    "most_units",
    "shuffled",
]
