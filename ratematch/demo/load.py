"""Loads the demo: five weeks of evenings, then the hours before now."""

from __future__ import annotations

import math
import random
from datetime import datetime, timedelta

from accounts.models import User
from accounts.services import notices
from ratematch.demo import desk, people, stories
from ratematch.demo.people import ADMIN, MODERATOR, PEOPLE, Person
from ratematch.demo.sitting import Sitting
from ratematch.models import Engagement, Match
from ratematch.rules import elo
from ratematch.rules.lifecycle import Answer, Ending, Outcome, State
from ratematch.services import queue, rulings

SEED = 1603
DAYS = 35
MATCHES_A_DAY = (4, 6)
FIRST_HOUR = 9  # UTC: early evening in Tokyo
DRAWN = 0.05
NEAR = 150
"""Strength that makes two players about a third as likely to meet."""

PICTURE_DECIDES = "The match history that was handed in has this match in its first row, with its time and its result."
CLOCK_WAS_WRONG = "The other player has shown the final screen to us since: the one declaration that stood was wrong."


def load(now: datetime) -> None:
    """Make the demo's people and all that they have done up to `now`.

    Takes some seconds. Must not run twice (`people.are_there`), nor beside a worker, whose sweep would apply the clocks
    of the past matches while they are made.
    """
    users = people.make(now)
    rng = random.Random(SEED)  # noqa: S311  # the same demo each time; nothing secret
    _evenings(users, rng, now)
    _hours_before(users, rng, now)


def _evenings(users: dict[str, User], rng: random.Random, now: datetime) -> None:
    counts = [rng.randint(*MATCHES_A_DAY) for _day in range(DAYS)]
    plan = iter(_plan(sum(counts), rng))
    met: dict[str, str] = {}
    for days_ago, count in zip(range(DAYS, 0, -1), counts, strict=True):
        midnight = (now - timedelta(days=days_ago)).replace(hour=0, minute=0, second=0, microsecond=0)
        at = midnight + timedelta(hours=FIRST_HOUR, seconds=rng.randint(0, 3600))
        for _match in range(count):
            one, two = _opponents(rng, met)
            sitting = Sitting(users[one.name], users[two.name], at, waited_s=rng.randint(2, 40))
            next(plan)(sitting, _result(one, two, rng), rng)
            at = sitting.now + timedelta(seconds=rng.randint(120, 1500))
        for match in Match.objects.filter(state=State.REVIEW):
            _rule(match.pk, users[MODERATOR], at + timedelta(hours=1))
        if days_ago == DAYS // 3:
            _overturn_one(users[ADMIN], at + timedelta(hours=1))


def _plan(matches: int, rng: random.Random) -> list[stories.Story]:
    """Which story each of so many matches tells."""
    plan = [story for story, count in stories.MIX for _time in range(count)]
    plan += [stories.agreed] * (matches - len(plan))
    rng.shuffle(plan)
    return plan


def _opponents(rng: random.Random, met: dict[str, str]) -> tuple[Person, Person]:
    """Two who haven't just met, rather of like strength than not; notes in `met` that they have now."""
    one = rng.choices(PEOPLE, [person.keenness for person in PEOPLE])[0]
    others = [
        other
        for other in PEOPLE
        if other is not one and met.get(one.name) != other.name and met.get(other.name) != one.name
    ]
    nearness = [other.keenness * math.exp(-abs(other.strength - one.strength) / NEAR) for other in others]
    two = rng.choices(others, nearness)[0]
    met[one.name], met[two.name] = two.name, one.name
    return one, two


def _result(one: Person, two: Person, rng: random.Random) -> float:
    """What the game gives `one`, by the strengths that nobody sees."""
    if rng.random() < DRAWN:
        return 0.5
    return 1.0 if rng.random() < elo.expected_score(one.strength, two.strength) else 0.0


def _rule(match_id: int, moderator: User, now: datetime) -> None:
    """The moderator believes the one who handed something in."""
    match = Match.objects.with_sides().get(pk=match_id)
    shown = next(side.seat for side in match.seats if side.answer == Answer.SUBMITTED)
    outcome = Outcome.PLAYER1 if shown == 0 else Outcome.PLAYER2
    rulings.rule(
        match_id=match_id, moderator=moderator, outcome=outcome, reason=PICTURE_DECIDES, seen_ruling=None, now=now
    )


def _overturn_one(chief: User, now: datetime) -> None:
    """The latest match that one declaration decided goes to the other player after all."""
    match = Match.objects.filter(ending=Ending.SILENT_REPORT).latest("pk")
    outcome = Outcome.PLAYER2 if match.outcome == Outcome.PLAYER1 else Outcome.PLAYER1
    rulings.rule(match_id=match.pk, moderator=chief, outcome=outcome, reason=CLOCK_WAS_WRONG, seen_ruling=None, now=now)


def _hours_before(users: dict[str, User], rng: random.Random, now: datetime) -> None:
    """Cases that wait for a moderator, and four things that kawasemi has yet to read."""
    kawasemi, moderator = users["kawasemi"], users[MODERATOR]
    desk.templates()
    rude = desk.report(
        users["Linden"], "Insults in the game's own chat, all the time.", "abuse", now - timedelta(hours=20)
    )
    desk.penalise(rude, moderator, "abuse", "Keep it civil.", now - timedelta(hours=19))
    ruled = Sitting(kawasemi, users["Linden"], now - timedelta(hours=6), waited_s=20)
    stories.disputed(ruled, 1.0, rng)
    case = Sitting(users["nagi_hare"], users["Quarry8"], now - timedelta(hours=3), waited_s=25)
    stories.open_case(case)
    desk.talk(case)
    notices.mark_all_read(actor=kawasemi, now=case.now)

    won = Sitting(kawasemi, users["shiosai_k"], now - timedelta(hours=2), waited_s=8)
    stories.silent_after_report(won, 1.0, rng)
    queue.join_queue(actor=kawasemi, condition=Engagement.NEAR, now=now - timedelta(minutes=65))
    queue.drop_stale(now - timedelta(minutes=63))
    _rule(ruled.id, moderator, now - timedelta(minutes=50))
    desk.report(
        users["Linden"],
        "Pressed “report result” while the game was still on.",
        "early_report",
        now - timedelta(minutes=48),
    )
    for user in users.values():
        if user != kawasemi:
            notices.mark_all_read(actor=user, now=now - timedelta(minutes=45))
    desk.contest(won, users["shiosai_k"], kawasemi, now - timedelta(minutes=30))
