"""One hand from the deal to the showdown (rules §5), run by PokerKit behind our seats.

PokerKit holds the cards, whose turn it is and what is legal, and says who has won. It is given stacks that can't run
out, since a seat is dealt in only with chips for the most that a hand can cost; what went in is counted here, because
PokerKit hands an uncalled bet back and our settlement doesn't need it to. Who gets which chips is `settlement`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pokerkit import Automation, BettingStructure, ChipsPushing, HoleCardsShowingOrMucking, State
from pokerkit import Deck as Decks

from certification.hand.errors import (
    BadDiscard,
    BadMove,
    HandOver,
    NotInHand,
    NotPossible,
    NotYourTurn,
    TooFewChips,
)
from certification.hand.kinds import HIGH_HAND, Kind, card, chips_needed, shuffled, streets
from certification.hand.log import Action, HandLog, Start, Verb
from certification.hand.view import Move, Option, View, view_of

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,  # in turn, and only who may still win has to show
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Hand:
    """A hand in progress or over. Make one with `Hand.deal` or `Hand.replay`."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.bets = dict.fromkeys(start.seats, 0)
        """All that each seat has put in beside the ante, in chips."""
        self.away: set[int] = set()
        """Seats whose players have gone; their turns are played for them."""
        self.actions: list[Action] = []
        self.moves: list[Move] = []
        self.round = 0
        self.board: list[str] = []
        self.hole: dict[int, list[str]] = {seat: [] for seat in start.seats}
        """What each seat holds, or held when it folded."""
        self.discarded: dict[int, list[str]] = {seat: [] for seat in start.seats}
        self._deck = iter(start.deck)
        self._state = State(
            AUTOMATIC,
            Decks.STANDARD,
            (HIGH_HAND,),
            streets(start.kind, start.unit),
            BettingStructure.FIXED_LIMIT,
            ante_trimming_status=True,
            raw_antes=start.ante,
            raw_blinds_or_straddles=0,
            bring_in=0,
            raw_starting_stacks=chips_needed(start.kind, unit=start.unit, ante=start.ante) + 1,
            player_count=len(start.seats),
        )
        self._deal()

    @classmethod
    def deal(
        cls,
        kind: Kind,
        seats: Sequence[int],
        *,
        unit: int,
        ante: int,
        chips: Mapping[int, int],
        deck: Sequence[str] | None = None,
    ) -> Hand:
        """Start a hand.

        Args:
            kind: what is played.
            seats: those dealt in, in the order in which they act.
            unit: chips of a bet unit.
            ante: chips that each puts in before the cards.
            chips: what each seat has.
            deck: the cards as they are dealt; shuffled when None.

        Raises:
            BadKind, BadSeats, BadStakes, BadDeck: no hand can start like this.
            TooFewChips: a seat can't pay the most that the hand can cost.
        """
        start = Start(kind, tuple(seats), unit, ante, shuffled() if deck is None else tuple(deck))
        needed = chips_needed(kind, unit=unit, ante=ante)
        for seat in start.seats:
            if chips.get(seat, 0) < needed:
                raise TooFewChips(seat=seat, chips=chips.get(seat, 0), needed=needed)
        return cls(start)

    @classmethod
    def replay(cls, log: HandLog) -> Hand:
        """The hand that `log` tells of, as far as it goes.

        Raises:
            NotLegal, Impossible: the log tells of a move that wasn't possible.
        """
        hand = cls(log.start)
        for action in log.actions:
            hand._enter(action)
        return hand

    @property
    def log(self) -> HandLog:
        """Enough to play the hand again."""
        return HandLog(self.start, tuple(self.actions))

    @property
    def over(self) -> bool:
        return not self._state.status

    @property
    def turn(self) -> int | None:
        """The seat that has to move; None when the hand is over."""
        index = self._state.stand_patter_or_discarder_index
        if index is None:
            index = self._state.actor_index
        return None if index is None else self.start.seats[index]

    @property
    def antes(self) -> dict[int, int]:
        """What `settlement.settle` takes: the ante by seat. `bets` and `winners` go with it."""
        return dict.fromkeys(self.start.seats, self.start.ante)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who shares in the pot, in the order of acting; empty until the hand is over."""
        pushed = [operation.amounts for operation in self._state.operations if isinstance(operation, ChipsPushing)]
        return tuple(seat for index, seat in enumerate(self.start.seats) if any(amounts[index] for amounts in pushed))

    @property
    def shown(self) -> dict[int, tuple[str, ...]]:
        """The cards shown at the showdown by seat. Who can't win any more doesn't show."""
        shown = [
            self.start.seats[operation.player_index]
            for operation in self._state.operations
            if isinstance(operation, HoleCardsShowingOrMucking) and operation.hole_cards
        ]
        return {seat: tuple(self.hole[seat]) for seat in shown}

    def legal(self) -> tuple[Option, ...]:
        """What the seat on turn can do and the chips it costs him; empty when the hand is over."""
        state = self._state
        if self._drawing:
            return (Option(Verb.DRAW),)
        if self.turn is None:
            return ()
        index = state.actor_index
        assert index is not None
        assert state.checking_or_calling_amount is not None
        to_call = state.checking_or_calling_amount
        options = [Option(Verb.FOLD), Option(Verb.CALL, to_call)] if to_call else [Option(Verb.CHECK)]
        raised_to = state.min_completion_betting_or_raising_to_amount
        if raised_to is not None:
            options.append(Option(Verb.RAISE if any(state.bets) else Verb.BET, raised_to - state.bets[index]))
        return tuple(options)

    def act(self, seat: int, verb: str, cards: Iterable[str] = ()) -> None:
        """Make a move; `cards` are those discarded by a draw. Turns of absent players that follow are played too.

        Raises:
            NotInHand, BadMove, BadDiscard: it is no move, or the cards aren't the seat's.
            HandOver, NotYourTurn, NotPossible: not now.
        """
        self._check_dealt_in(seat)
        if verb not in list(Verb):
            raise BadMove(field="verb", seat=seat, verb=verb)
        self._enter(Action(seat, Verb(verb), tuple(cards)))
        self._play_for_the_absent()

    def time_out(self, seat: int) -> None:
        """Move for a seat that has let its time run out: check if it is free, else fold; keep all cards in a draw.

        Raises:
            NotInHand, HandOver, NotYourTurn: there is no time that could have run out.
        """
        self._check_turn(seat)
        self._enter(self._default(seat))
        self._play_for_the_absent()

    def sit_out(self, seat: int) -> None:
        """The seat's player has gone: its turns are played as if their time had run out, until `come_back`.

        Raises:
            NotInHand: the seat wasn't dealt in.
            HandOver: there is nothing left to play.
        """
        self.act(seat, Verb.SIT_OUT)

    def come_back(self, seat: int) -> None:
        """The seat's player is here again.

        Raises:
            NotInHand: the seat wasn't dealt in.
            HandOver: there is nothing left to play.
        """
        self.act(seat, Verb.COME_BACK)

    def view(self, viewer: int | None) -> View:
        """The hand as a seat may see it, or as somebody may who only looks on.

        Raises:
            NotInHand: the viewer wasn't dealt in.
        """
        if viewer is not None:
            self._check_dealt_in(viewer)
        return view_of(self, viewer)

    @property
    def _drawing(self) -> bool:
        return self._state.stand_patter_or_discarder_index is not None

    def _deal(self) -> None:
        """Deal whatever is due: into hands, seat after seat, or onto the board."""
        state = self._state
        while True:
            if (index := state.hole_dealee_index) is not None:
                cards = self._next_cards(len(state.hole_dealing_statuses[index]))
                state.deal_hole(map(card, cards), index)
                self.hole[self.start.seats[index]] += cards
            elif (count := state.board_dealing_count) is not None:
                cards = self._next_cards(count)
                state.deal_board(map(card, cards))
                self.board += cards
            else:
                return

    def _next_cards(self, count: int) -> list[str]:
        return [next(self._deck) for _ in range(count)]

    def _enter(self, action: Action) -> None:
        """Apply one entry of a log, if it is legal."""
        if action.verb in (Verb.SIT_OUT, Verb.COME_BACK):
            self._change_presence(action)
            return
        self._check_turn(action.seat)
        options = self.legal()
        option = next((option for option in options if option.verb is action.verb), None)
        if option is None:
            raise NotPossible(seat=action.seat, verb=action.verb.value, legal=[each.verb.value for each in options])
        self._check_discard(action)
        self.actions.append(action)
        self.moves.append(Move(self.round, action.seat, action.verb, option.amount, len(action.cards), action.forced))
        self.bets[action.seat] += option.amount
        match action.verb:
            case Verb.FOLD:
                self._state.fold()
            case Verb.CHECK | Verb.CALL:
                self._state.check_or_call()
            case Verb.BET | Verb.RAISE:
                self._state.complete_bet_or_raise_to()
            case Verb.DRAW:
                self._state.stand_pat_or_discard(map(card, action.cards))
                self.hole[action.seat] = [held for held in self.hole[action.seat] if held not in action.cards]
                self.discarded[action.seat] += action.cards
        self._deal()
        if self._state.street_index is not None:
            self.round = self._state.street_index

    def _change_presence(self, action: Action) -> None:
        self._check_dealt_in(action.seat)
        if self.over:
            raise HandOver(seat=action.seat)
        away = self.away | {action.seat} if action.verb is Verb.SIT_OUT else self.away - {action.seat}
        if away != self.away:
            self.away = away
            self.actions.append(action)

    def _play_for_the_absent(self) -> None:
        while (turn := self.turn) in self.away and turn is not None:
            self._enter(self._default(turn))

    def _default(self, seat: int) -> Action:
        """What is played for a seat whose time has run out or whose player has gone: the first of these is legal."""
        legal = {option.verb for option in self.legal()}
        verb = next(verb for verb in (Verb.CHECK, Verb.DRAW, Verb.FOLD) if verb in legal)
        return Action(seat, verb, forced=True)

    def _check_dealt_in(self, seat: int) -> None:
        if seat not in self.start.seats:
            raise NotInHand(field="seat", seat=seat)

    def _check_turn(self, seat: int) -> None:
        self._check_dealt_in(seat)
        if self.turn is None:
            raise HandOver(seat=seat)
        if seat != self.turn:
            raise NotYourTurn(seat=seat, turn=self.turn)

    def _check_discard(self, action: Action) -> None:
        held = self.hole[action.seat] if action.verb is Verb.DRAW else []
        for place, code in enumerate(action.cards):
            if code not in held or code in action.cards[:place]:
                raise BadDiscard(field="cards", seat=action.seat, card=code)
