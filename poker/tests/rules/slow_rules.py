"""The rules once more, slowly: written from the rules page alone, without looking at the engine, to check it.

A card is (rank, suit), rank 2 to 14 and the ace 14; a joker is ("joker", its owner). Everything is a list.
"""

RANK = {text: number for number, text in enumerate("23456789TJQKA", start=2)}
NAME = {number: text for text, number in RANK.items()}
VALUE = {"s": 4, "h": 3, "d": 2, "c": 1}
STRONGEST_FIRST = "SABCDEF"
EVERY_CARD = [(rank, suit) for suit in "shdc" for rank in range(2, 15)]


def read(text):
    return ("joker", int(text[1]) - 1) if text[0] == "X" else (RANK[text[0]], text[1])


def write(card):
    return f"X{card[1] + 1}" if card[0] == "joker" else NAME[card[0]] + card[1]


def has_joker(three):
    return any(card[0] == "joker" for card in three)


def letter(three):
    if has_joker(three):
        others = [card for card in three if card[0] != "joker"]
        made = {letter([*others, stand_in]) for stand_in in EVERY_CARD}
        made = {"A" if found == "S" else found for found in made}  # with a joker it is never royal
        return min(made, key=STRONGEST_FIRST.index)
    ranks = sorted(card[0] for card in three)
    one_suit = three[0][1] == three[1][1] == three[2][1]
    run = ranks == [2, 3, 14] or (ranks[0] + 1 == ranks[1] and ranks[1] + 1 == ranks[2])
    if one_suit and ranks == [12, 13, 14]:
        return "S"
    if one_suit and run:
        return "A"
    if ranks[0] == ranks[2]:
        return "B"
    if run:
        return "C"
    if one_suit:
        return "D"
    if ranks[0] == ranks[1] or ranks[1] == ranks[2]:
        return "E"
    return "F"


def who_wins(threes):
    """0, 1 or None."""
    places = [STRONGEST_FIRST.index(letter(three)) for three in threes]
    if places[0] != places[1]:
        return 0 if places[0] < places[1] else 1
    jokers = [has_joker(three) for three in threes]
    if jokers[0] == jokers[1]:
        return None
    return 1 if jokers[0] else 0


def prey(three, pile):
    """The cards that a win with `three` takes from the loser's pile."""
    if has_joker(three):
        return []
    made = letter(three)
    if made not in ("S", "A", "B", "D"):
        return []
    suits = [card[1] for card in three]
    wanted = [suit for suit in "shdc" if suit not in suits] if made == "B" else suits[:1]
    candidates = sorted((card for card in pile if card[0] != "joker" and card[1] in wanted), reverse=True)
    if made == "A":
        return candidates[:3]
    if made == "D":
        return candidates[:1]
    return candidates


def value(pile):
    return sum(10 if card[0] == "joker" else VALUE[card[1]] for card in pile)


class SlowGame:
    def __init__(self, deck):
        self.deck = [read(card) for card in deck]
        self.hands = [[("joker", 0)], [("joker", 1)]]
        self.piles, self.stock, self.discards = [[], []], [], []
        self.round, self.winner = 1, None
        self.draw()

    def draw(self):
        """Both draw up to six, seat 0 all of his first; at the end of the deck nobody draws."""
        for hand in self.hands:
            while len(hand) < 6 and self.deck:
                hand.append(self.deck.pop(0))

    def play(self, *threes):
        threes = [[read(card) for card in three] for three in threes]
        for hand, three in zip(self.hands, threes, strict=True):
            for card in three:
                hand.remove(card)
        self.winner = who_wins(threes)
        if self.winner is None:
            self.stock = self.stock + threes[0] + threes[1]
        else:
            self.settle(threes[self.winner], threes[1 - self.winner])
        self.round += 1
        self.draw()

    def settle(self, won, lost):
        mine, yours = self.piles[self.winner], self.piles[1 - self.winner]
        for card in prey(won, yours):
            yours.remove(card)
            mine.append(card)
        mine.extend(lost)
        mine.extend(self.stock)
        self.stock = []
        if letter(won) in "SAC" and not has_joker(won):
            mine.extend(won)
        else:
            self.discards.extend(won)
