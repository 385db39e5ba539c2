"""A second referee, written from §1.2 and §1.3 alone: slow, literal, and with nothing of the kernel's in it.

Positions are dicts from (file, rank) to a FEN's letter. Captures, retakes and exchanges are tried out one by one, a
threat is new if it can't be found in the position before the move, and every run is read off the whole game again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Square = tuple[int, int]
Position = dict[Square, str]
Play = tuple[Square, Square]

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def is_red(letter: str) -> bool:
    return letter.isupper()


def on_board(square: Square) -> bool:
    return 0 <= square[0] < 9 and 0 <= square[1] < 10


def crossed(square: Square, red: bool) -> bool:
    """Whether a side's piece there stands beyond the river."""
    return square[1] >= 5 if red else square[1] <= 4


def in_palace(square: Square, red: bool) -> bool:
    return 3 <= square[0] <= 5 and (square[1] <= 2 if red else square[1] >= 7)


def reached(position: Position, source: Square) -> list[Square]:
    """Where the piece on `source` may go or capture, its own king's safety aside (§1.1)."""
    letter, (file, rank) = position[source], source
    red, kind = is_red(letter), letter.lower()
    found: list[Square] = []
    if kind in "rc":
        for right, up in STRAIGHT:
            square, met = (file + right, rank + up), 0
            while on_board(square) and met < 2:
                if square in position:
                    met += 1
                    if met == (1 if kind == "r" else 2):
                        found.append(square)
                elif not met:
                    found.append(square)
                square = (square[0] + right, square[1] + up)
    elif kind == "n":
        for right, up in STRAIGHT:
            if (file + right, rank + up) not in position:
                for side in (1, -1):
                    found.append((file + 2 * right + side * abs(up), rank + 2 * up + side * abs(right)))
    elif kind == "b":
        for right, up in SLANTED:
            target = (file + 2 * right, rank + 2 * up)
            if (file + right, rank + up) not in position and not crossed(target, red):
                found.append(target)
    elif kind == "a":
        found += [(file + right, rank + up) for right, up in SLANTED if in_palace((file + right, rank + up), red)]
    elif kind == "k":
        found += [(file + right, rank + up) for right, up in STRAIGHT if in_palace((file + right, rank + up), red)]
    else:
        found.append((file, rank + (1 if red else -1)))
        if crossed(source, red):
            found += [(file + 1, rank), (file - 1, rank)]
    return [s for s in found if on_board(s) and not (s in position and is_red(position[s]) == red)]


def king_of(position: Position, red: bool) -> Square:
    return next(square for square, letter in position.items() if letter == ("K" if red else "k"))


def checking(position: Position, red: bool) -> set[Square]:
    """The squares of the pieces that could take this side's king, the other king included."""
    king = king_of(position, red)
    found = {s for s, letter in position.items() if is_red(letter) != red and king in reached(position, s)}
    other = king_of(position, not red)
    low, high = sorted((king[1], other[1]))
    if king[0] == other[0] and not any((king[0], rank) in position for rank in range(low + 1, high)):
        found.add(other)
    return found


def after(position: Position, source: Square, target: Square) -> Position:
    """The position with that piece moved."""
    moved = dict(position)
    moved[target] = moved.pop(source)
    return moved


def may_go(position: Position, source: Square, target: Square) -> bool:
    """Whether that is a legal move of the piece on `source`."""
    red = is_red(position[source])
    return target in reached(position, source) and not checking(after(position, source, target), red)


def legal_plays(position: Position, red: bool) -> list[Play]:
    own = [square for square, letter in position.items() if is_red(letter) == red]
    return [(s, t) for s in own for t in reached(position, s) if may_go(position, s, t)]


def could_capture(position: Position, source: Square, target: Square) -> bool:
    """Whether the capture is legal, or barred only because the side stands in check already."""
    if may_go(position, source, target):
        return True
    red = is_red(position[source])
    return target in reached(position, source) and (
        checking(after(position, source, target), red) <= checking(position, red)
    )


def protectors(position: Position, attacker: Square, victim: Square) -> set[Square]:
    """Who could legally retake on the victim's square after the capture."""
    taken = after(position, attacker, victim)
    red = is_red(position[victim])
    return {s for s, letter in taken.items() if is_red(letter) == red and may_go(taken, s, victim)}


def takes_back(position: Position, attacker: Square, victim: Square) -> bool:
    """Like against like, where the victim could take the attacker: an offer to exchange."""
    kind = position[attacker].lower()
    return kind == position[victim].lower() and kind in "rnc" and may_go(position, victim, attacker)


def rook_by_lesser(position: Position, attacker: Square, victim: Square) -> bool:
    """A rook attacked by a horse or a cannon."""
    return position[victim].lower() == "r" and position[attacker].lower() in "nc"


def gains(position: Position, attacker: Square, victim: Square) -> bool:
    """Whether the victim, captured, would be a gain: by a piece that may not chase for ever, of one that it may not."""
    kind, captured = position[attacker].lower(), position[victim].lower()
    if kind in "kp" or captured == "k" or (captured == "p" and not crossed(victim, is_red(position[victim]))):
        return False
    return rook_by_lesser(position, attacker, victim) or not protectors(position, attacker, victim)


def chased(before: Position, play: Play) -> dict[Square, set[Square]]:
    """The chased pieces and who chases them, as squares after the move (§1.3)."""
    now = after(before, *play)
    red = is_red(before[play[0]])
    found: dict[Square, set[Square]] = {}
    for attacker in (s for s, letter in now.items() if is_red(letter) == red):
        for victim in (s for s in reached(now, attacker) if s in now):
            if (
                may_go(now, attacker, victim)
                and gains(now, attacker, victim)
                and not takes_back(now, attacker, victim)
                and is_new(before, play, attacker, victim)
            ):
                found.setdefault(victim, set()).add(attacker)
    return found


def is_new(before: Position, play: Play, attacker: Square, victim: Square) -> bool:
    """Whether a gainful threat, by its squares after the move, wasn't there before the move.

    Who offered to exchange before could, being to move, have captured with gain: that threat was there.
    """
    came_from = play[0] if attacker == play[1] else attacker
    if not could_capture(before, came_from, victim):
        return True
    if gains(before, came_from, victim):
        return False
    # It was protected: the protector must still reach the square, and no longer be able to retake legally.
    taken = after(after(before, *play), attacker, victim)
    return any(victim in reached(taken, s) for s in protectors(before, came_from, victim))


@dataclass
class Turn:
    """One ply: what it did, by the numbers of pieces."""

    capture: bool
    checkers: set[int]
    chases: dict[int, set[int]]


@dataclass
class Game:
    """A game from a FEN on, and its referee."""

    position: Position
    red_to_move: bool
    numbers: dict[Square, int]
    """The physical piece on each square."""
    history: list[tuple[frozenset[tuple[Square, str]], bool]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

    @classmethod
    def from_fen(cls, fen: str) -> Game:
        rows, turn = fen.split()[:2]
        position: Position = {}
        for rank, row in zip(range(9, -1, -1), rows.split("/"), strict=True):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    position[file, rank] = letter
                    file += 1
        game = cls(position, turn != "b", {square: number for number, square in enumerate(position)})
        game.history.append((frozenset(position.items()), game.red_to_move))
        return game

    def push(self, iccs: str) -> None:
        source, target = (("abcdefghi".index(iccs[i]), int(iccs[i + 1])) for i in (0, 2))
        before, capture = self.position, target in self.position
        self.position = after(before, source, target)
        self.numbers[target] = self.numbers.pop(source)
        self.red_to_move = not self.red_to_move
        checkers = checking(self.position, self.red_to_move)
        chases = {} if checkers or capture else chased(before, (source, target))
        number = self.numbers.__getitem__
        self.turns.append(
            Turn(capture, {*map(number, checkers)}, {number(v): {*map(number, by)} for v, by in chases.items()})
        )
        self.history.append((frozenset(self.position.items()), self.red_to_move))

    def _since_capture(self) -> int:
        """How many plies have been made since the last capture."""
        return next((n for n, turn in enumerate(reversed(self.turns)) if turn.capture), len(self.turns))

    def _own(self, last_mover: bool) -> list[Turn]:
        """A side's turns since the last capture, the latest first."""
        stretch = self.turns[::-1][: self._since_capture()]
        return stretch[0::2] if last_mover else stretch[1::2]

    def _checks(self, last_mover: bool) -> tuple[int, int]:
        """How long the side's run of checks is, and its limit."""
        length, pieces = 0, set()
        for turn in self._own(last_mover):
            if not turn.checkers:
                break
            length += 1
            pieces |= turn.checkers
        return length, {0: 7, 1: 7, 2: 13}.get(len(pieces), 19)

    def _chases(self, last_mover: bool) -> dict[int, int]:
        """How long the side's run of chases of each piece is."""
        runs = {}
        for victim in {v for turn in self.turns for v in turn.chases}:
            runs[victim] = 0
            for turn in self._own(last_mover):
                if victim not in turn.chases:
                    break
                runs[victim] += 1
        return runs

    def _replies_all_check(self, length: int) -> bool:
        """Whether every reply within the last mover's run of so many turns gave check."""
        replies = self._own(last_mover=False)[: length - 1]
        return bool(replies) and all(turn.checkers for turn in replies)

    def _effective(self) -> int:
        """Plies that count towards row 5."""
        made = {True: 0, False: 0}
        count, uncounted = 0, False
        since = self._since_capture()
        for number, turn in enumerate(self.turns[len(self.turns) - since :]):
            side = number % 2 == 0
            made[side] += bool(turn.checkers)
            too_many = bool(turn.checkers) and made[side] > 10
            if not too_many and not uncounted:
                count += 1
            uncounted = too_many
        return count

    def _repeated(self) -> bool:
        """Row 8."""
        here = [ply for ply, seen in enumerate(self.history) if seen == self.history[-1]]
        if len(here) < 5:
            return False
        between = self.turns[here[-2] : here[-1]]
        for side in (between[0::2], between[1::2]):
            if side and (all(t.checkers for t in side) or set.intersection(*({*t.chases} for t in side))):
                return False
        return True

    def verdict(self) -> str | None:
        """Who has lost (`red`, `black`), `draw`, or None if the game goes on; the order is §1.2's."""
        mover, other = ("black", "red") if self.red_to_move else ("red", "black")
        if not legal_plays(self.position, self.red_to_move):
            return other
        checks, limit = self._checks(last_mover=True)
        chases = max(self._chases(last_mover=True).values(), default=0)
        charged = chases >= 7 and not self._replies_all_check(chases)
        if checks >= limit and self._checks(last_mover=False)[0] >= checks - 1:
            return "draw"
        if charged and max(self._chases(last_mover=False).values(), default=0) >= chases - 1:
            return "draw"
        if checks >= limit or charged:
            return mover
        if not any(letter.lower() in "rncp" for letter in self.position.values()):
            return "draw"
        if self._effective() >= 120 or len(self.turns) >= 400 or self._repeated():
            return "draw"
        return None
