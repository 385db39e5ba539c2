"""The ways in which a demo match can go. A story takes a fresh sitting and its true result, and tells it to its end.

`result` is what the game gave `sitting.one`: 1, 0.5 or 0. Stories that need somebody in the right take a drawn game
for a win of `one`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

from accounts.models import User
from ratematch.demo import screens
from ratematch.demo.sitting import Sitting
from ratematch.rules.lifecycle import Claim, Verb

CLAIMS = {1.0: (Claim.WIN, Claim.LOSS), 0.5: (Claim.DRAW, Claim.DRAW), 0.0: (Claim.LOSS, Claim.WIN)}
GAME_CLOCK = ZoneInfo("Asia/Tokyo")
"""The clock that the outside game's screens show."""

# --- what most stories are made of ---


def room_number(rng: random.Random) -> str:
    return f"{rng.choice('ABCDEFGHKMNPRT')}{rng.randint(1, 9)}-{rng.randint(100, 999)}"


def name_in_game(user: User) -> str:
    """Latin letters, since the screens are drawn in a font that has no others."""
    return user.email.partition("@")[0]


def play(sitting: Sitting, rng: random.Random) -> None:
    """A room is opened and entered, now and then at the second try, and the game is played."""
    sitting.move(sitting.host, Verb.SET_ROOM, room_number(rng), after_s=rng.randint(20, 70))
    if rng.random() < 0.05:
        sitting.move(sitting.guest, Verb.WRONG_NUMBER, after_s=40)
        sitting.move(sitting.host, Verb.SET_ROOM, room_number(rng), after_s=25)
    sitting.move(sitting.guest, Verb.ENTER, after_s=rng.randint(15, 60))
    sitting.now += timedelta(seconds=rng.randint(300, 1300))


def both_press(sitting: Sitting, rng: random.Random) -> None:
    first = rng.choice((sitting.one, sitting.two))
    sitting.move(first, Verb.REPORT, after_s=rng.randint(10, 60))
    sitting.move(sitting.other(first), Verb.REPORT, after_s=rng.randint(5, 80))


def both_say(sitting: Sitting, one: Claim, two: Claim, rng: random.Random) -> None:
    sitting.move(sitting.one, Verb.DECLARE, one, after_s=rng.randint(4, 30))
    sitting.move(sitting.two, Verb.DECLARE, two, after_s=rng.randint(4, 50))


def winner_and_loser(sitting: Sitting, result: float) -> tuple[User, User]:
    return (sitting.one, sitting.two) if result else (sitting.two, sitting.one)


# --- the stories ---

Story = Callable[[Sitting, float, random.Random], None]


def agreed(sitting: Sitting, result: float, rng: random.Random) -> None:
    play(sitting, rng)
    both_press(sitting, rng)
    both_say(sitting, *CLAIMS[result], rng)


def agreed_at_second_try(sitting: Sitting, result: float, rng: random.Random) -> None:
    play(sitting, rng)
    both_press(sitting, rng)
    both_say(sitting, Claim.WIN, Claim.WIN, rng)
    both_say(sitting, *CLAIMS[result], rng)


def silent_after_report(sitting: Sitting, result: float, rng: random.Random) -> None:
    winner, _loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    both_press(sitting, rng)
    sitting.move(winner, Verb.DECLARE, Claim.WIN, after_s=12)
    sitting.read(sitting.one, sitting.two)
    sitting.wait()


def silent_in_reconfirm(sitting: Sitting, result: float, rng: random.Random) -> None:
    winner, _loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    both_press(sitting, rng)
    both_say(sitting, Claim.WIN, Claim.WIN, rng)
    sitting.move(winner, Verb.DECLARE, Claim.WIN, after_s=20)
    sitting.wait()


def left_before_play(sitting: Sitting, result: float, rng: random.Random) -> None:
    sitting.move(sitting.guest, Verb.LEAVE, after_s=rng.randint(125, 300))


def never_entered(sitting: Sitting, result: float, rng: random.Random) -> None:
    sitting.move(sitting.host, Verb.SET_ROOM, room_number(rng), after_s=50)
    sitting.wait()


def left_during_play(sitting: Sitting, result: float, rng: random.Random) -> None:
    winner, loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    sitting.move(loser, Verb.LEAVE, after_s=1)
    sitting.move(winner, Verb.LEAVE, after_s=rng.randint(20, 200))


def left_during_play_unanswered(sitting: Sitting, result: float, rng: random.Random) -> None:
    _winner, loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    sitting.move(loser, Verb.LEAVE, after_s=1)
    sitting.wait()


def reported_without_proof(sitting: Sitting, result: float, rng: random.Random) -> None:
    """The opponent never presses, and the winner has no screenshot."""
    winner, _loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    sitting.move(winner, Verb.REPORT, after_s=20)
    sitting.wait()
    sitting.move(winner, Verb.NO_EVIDENCE, after_s=90)


def proof_too_late(sitting: Sitting, result: float, rng: random.Random) -> None:
    winner, _loser = winner_and_loser(sitting, result)
    play(sitting, rng)
    sitting.move(winner, Verb.REPORT, after_s=20)
    sitting.wait()
    sitting.wait()


def nothing_proven(sitting: Sitting, result: float, rng: random.Random) -> None:
    _in_dispute(sitting, rng)
    for user in (sitting.one, sitting.two):
        sitting.move(user, Verb.NO_EVIDENCE, after_s=40)


def disputed(sitting: Sitting, result: float, rng: random.Random) -> None:
    """Ends in REVIEW: the winner hands in the game's match history, the other nothing."""
    winner, loser = winner_and_loser(sitting, result)
    _in_dispute(sitting, rng)
    own, other = name_in_game(winner), name_in_game(loser)
    rows = [(own, other, "WIN 3-1"), (own, "Marlow", "LOSE 2-3")]
    picture = screens.history(rows, sitting.now.astimezone(GAME_CLOCK))
    sitting.show(winner, picture, "history.png", "", after_s=70)
    sitting.move(loser, Verb.NO_EVIDENCE, after_s=30)


def _in_dispute(sitting: Sitting, rng: random.Random) -> None:
    play(sitting, rng)
    both_press(sitting, rng)
    both_say(sitting, Claim.WIN, Claim.WIN, rng)
    both_say(sitting, Claim.WIN, Claim.WIN, rng)


def open_case(sitting: Sitting) -> None:
    """Ends in REVIEW: `one` hands in the match history, `two` the final screen, and each says to have won."""
    one, two = sitting.one, sitting.two
    room = "K7-204"
    sitting.move(sitting.host, Verb.SET_ROOM, room, after_s=48)
    sitting.move(sitting.guest, Verb.ENTER, after_s=31)
    shown_at = (sitting.now + timedelta(seconds=1290)).astimezone(GAME_CLOCK)
    sitting.move(two, Verb.REPORT, after_s=1462)
    sitting.move(one, Verb.REPORT, after_s=14)
    for _round in ("first", "again"):
        sitting.move(one, Verb.DECLARE, Claim.WIN, after_s=16)
        sitting.move(two, Verb.DECLARE, Claim.WIN, after_s=41)
    rows = [
        (one.display_name, two.display_name, "WIN 3-2"),
        (one.display_name, "Linden", "LOSE 1-3"),
        (one.display_name, "ferrule", "WIN 3-0"),
        (one.display_name, "Pell", "WIN 3-1"),
    ]
    sitting.show(one, screens.history(rows, shown_at), "history.png", "この対局は一覧のいちばん上です。", after_s=94)
    picture = screens.result(two.display_name, one.display_name, score="9810-8455", took="21:30", room=room)
    sitting.show(two, picture, "final.jpg", "The screen right after the game.", after_s=52)


MIX: tuple[tuple[Story, int], ...] = (
    (agreed_at_second_try, 5),
    (silent_after_report, 6),
    (silent_in_reconfirm, 2),
    (left_before_play, 5),
    (never_entered, 2),
    (left_during_play, 4),
    (left_during_play_unanswered, 1),
    (reported_without_proof, 2),
    (proof_too_late, 1),
    (nothing_proven, 1),
    (disputed, 2),
)
"""How many of the matches go which way; all others are agreed."""
