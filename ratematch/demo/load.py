"""Loads the demo: five weeks of evenings, then today."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from accounts.models import User
from accounts.services import notices
from ratematch.demo import people, stories
from ratematch.demo.people import PEOPLE, Person
from ratematch.demo.sitting import Sitting
from ratematch.models import Engagement, Match
from ratematch.rules import elo
from ratematch.rules.lifecycle import Ending, Outcome, State
from ratematch.services import queue, rulings

SEED = 1603
DAYS = 35
DRAWS = 0.05
A_DAY = (4, 7)
"""Fewest and most matches of a day."""

RULED_AFTER = timedelta(hours=5)


def load(now: datetime) -> None:
    """Make the demo's people and all that they have done up to `now`. Takes some seconds; see `people.are_there`."""
    users = people.make(now)
    rng = random.Random(SEED)  # noqa: S311  # the same demo each time; nothing secret
    _past(users, rng, now)
    _today(users, rng, now)


def _past(users: dict[str, User], rng: random.Random, now: datetime) -> None:
    moments = list(_moments(rng, now))
    rest = len(moments) - sum(count for _story, count in stories.MIX)
    plan = [story for story, count in stories.MIX for _time in range(count)] + [stories.agreed] * rest
    rng.shuffle(plan)
    last_met: dict[str, str] = {}
    to_overturn = None
    for number, (at, story) in enumerate(zip(moments, plan, strict=True)):
        one, two = _opponents(rng, last_met)
        sitting = Sitting(users[one.name], users[two.name], at, waited_s=rng.randint(2, 40))
        story(sitting, _result(one, two, rng), rng)
        if to_overturn is None and story is stories.silent_after_report and number > rest // 2:
            to_overturn = sitting
    for user in users.values():
        notices.mark_all_read(actor=user, now=now)
