"""Matches that stand in every state when the kill comes, and how each has to end.

A story's `opening` and `before` are played, then something is killed, then its `after` is played by players who act
as soon as they can. Whoever has nothing more to do is silent, and the match's clocks decide. A step is a seat, a verb
and its value.
"""

from dataclasses import dataclass

from ratematch.rules.lifecycle import Ending, Outcome, State, Verb
from survival.players import Player

Step = tuple[int, str, str]

ATTACH = "attach"
FIELD = {Verb.SET_ROOM: "room_number", Verb.DECLARE: "claim"}

NUMBER: list[Step] = [(0, Verb.SET_ROOM, "K7-204")]
ENTER: list[Step] = [(1, Verb.ENTER, "")]
PLAY = [*NUMBER, *ENTER]
REPORT: list[Step] = [(0, Verb.REPORT, "")]
JOIN: list[Step] = [(1, Verb.REPORT, "")]
WIN: list[Step] = [(0, Verb.DECLARE, "win")]
LOSS: list[Step] = [(1, Verb.DECLARE, "loss")]
DRAW: list[Step] = [(0, Verb.DECLARE, "draw"), (1, Verb.DECLARE, "draw")]
DISPUTE: list[Step] = [*WIN, (1, Verb.DECLARE, "win")]
LEAVE: list[Step] = [(1, Verb.LEAVE, "")]
PROVE: list[Step] = [(0, Verb.PROVE_INSTEAD, "")]
HAND_IN: list[Step] = [(0, ATTACH, ""), (0, Verb.SUBMIT, "")]
OTHER_HANDS_IN: list[Step] = [(1, ATTACH, ""), (1, Verb.SUBMIT, "")]


@dataclass(frozen=True)
class Story:
    """What is played before and after the kill, and the end that the rules give."""

    name: str
    opening: list[Step]
    before: list[Step]
    after: list[Step]
    state: State
    ending: Ending | None = None
    outcome: Outcome | None = None


ONE, TWO = Outcome.PLAYER1, Outcome.PLAYER2
STORIES = [
    Story("in the room, silent", [], NUMBER, [], State.VOID, Ending.NEVER_ENTERED, Outcome.VOID),
    Story("in the room", [], NUMBER, ENTER + REPORT + JOIN + WIN + LOSS, State.SETTLED, Ending.AGREED, ONE),
    Story("in play, silent", PLAY, [], [], State.VOID, Ending.NEVER_REPORTED, Outcome.VOID),
    Story("in play", PLAY, HAND_IN[:1], REPORT + JOIN + DRAW, State.SETTLED, Ending.AGREED, Outcome.DRAW),
    Story("left, silent", PLAY, LEAVE, [], State.VOID, Ending.ABANDONED, Outcome.VOID),
    Story("left", PLAY, LEAVE, [*REPORT, (0, Verb.NO_EVIDENCE, "")], State.SETTLED, Ending.NO_PROOF, TWO),
    Story("one pressed, silent", PLAY, REPORT, [], State.SETTLED, Ending.PROOF_TOO_LATE, TWO),
    Story("one pressed", PLAY, REPORT, JOIN + WIN + LOSS, State.SETTLED, Ending.AGREED, ONE),
    Story("both pressed, silent", PLAY, REPORT + JOIN, [], State.VOID, Ending.NOTHING_PROVEN, Outcome.VOID),
    Story("one claim, silent", PLAY, REPORT + JOIN + WIN, [], State.SETTLED, Ending.SILENT_REPORT, ONE),
    Story("one claim", PLAY, REPORT + JOIN + WIN, LOSS, State.SETTLED, Ending.AGREED, ONE),
    Story("asked again, silent", PLAY, REPORT + JOIN + DISPUTE + WIN, [], State.SETTLED, Ending.SILENT_RECONFIRM, ONE),
    Story("asked again", PLAY, REPORT + JOIN + DISPUTE, WIN + LOSS, State.SETTLED, Ending.AGREED, ONE),
    Story("picture handed in", PLAY, REPORT + PROVE + HAND_IN, [], State.REVIEW),
    Story(
        "picture attached",
        PLAY,
        REPORT + JOIN + DISPUTE + DISPUTE + HAND_IN[:1],
        HAND_IN[1:] + OTHER_HANDS_IN,
        State.REVIEW,
    ),
]


class Table:
    """A story being played by two players."""

    def __init__(self, story: Story, match: int, pair: tuple[Player, Player]) -> None:
        self.story, self.match = story, match
        seat = pair[0].read(match)["inside"]["you"]
        self.players = pair if seat == "player1" else (pair[1], pair[0])

    def play(self, steps: list[Step]) -> list[str]:
        """Play some steps; answers what was refused, which nothing should be."""
        refused = []
        for seat, verb, value in steps:
            player = self.players[seat]
            state = player.read(self.match)["state"]
            if verb == ATTACH:
                answer = player.attach(self.match, seat)
            elif verb == Verb.SUBMIT:
                answer = player.submit(self.match, seat, state)
            else:
                more = {FIELD[Verb(verb)]: value} if value else {}
                answer = player.move(self.match, seat, verb, state, **more)
            if not answer.is_success:
                refused.append(f"{self}: {verb} in {state} was refused: {answer.status_code} {answer.json()['code']}")
        return refused

    def __str__(self) -> str:
        return f"match {self.match} ({self.story.name})"


def deal(players: list[Player], turn: int) -> list[Table]:
    """A match for each story, from the queue. Nobody meets the same player in the next turn."""
    half = len(STORIES)
    pairs = [(players[i], players[half + (i + turn) % half]) for i in range(half)]
    tables = []
    for story, pair in zip(STORIES, pairs, strict=True):
        pair[0].join()
        match = pair[1].join()
        assert match, "the second of two in the queue gets a match at once"
        tables.append(Table(story, match, pair))
    return tables
