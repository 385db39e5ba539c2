"""Where players stand with fair play, as moderators see it: points, penalties, levels, what was reported (rules §4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Count, F, Prefetch, Q, QuerySet

from ratematch.models import (
    CATEGORY_NAMES,
    Flag,
    LevelChange,
    Match,
    Mute,
    Penalty,
    Player,
    Report,
    Ruling,
    Side,
)
from ratematch.rules import fairplay
from ratematch.rules.fairplay import Category, Level
from ratematch.services import levels

SHOWN = 20
"""How many of each of a player's rows a page shows, the newest first."""
LEAVING_DAYS = (7, 30, 90)


@dataclass(frozen=True, slots=True)
class Leaving:
    """How often a player has left in the last so many days: before play, during it, out of how many matches."""

    days: int
    matches: int
    before_play: int
    in_play: int


@dataclass(frozen=True)
class Standing:
    """A player at one moment. `replaced` is a ruling whose penalties go if a new one is made."""

    player: Player
    now: datetime
    policy: fairplay.Policy
    replaced: Ruling | None = None

    @cached_property
    def penalties(self) -> list[Penalty]:
        """Those in force, and the newest of all others."""
        rows = self.player.penalties.select_related("by", "withdrawn_by", "ruling", "report", "flag").order_by("-pk")
        counts = Q(withdrawn_at=None, expires_at__gt=self.now)
        return [*rows.filter(counts), *rows.exclude(counts)[:SHOWN]]

    @cached_property
    def in_force(self) -> list[Penalty]:
        """The penalties that count now."""
        return [row for row in self.penalties if row.withdrawn_at is None and row.expires_at > self.now]

    @cached_property
    def value(self) -> fairplay.Standing:
        """Points and level as the rules make them of the penalties in force."""
        return fairplay.standing([(row.points, row.expires_at) for row in self.in_force], self.now, self.policy)

    @cached_property
    def going(self) -> list[Penalty]:
        """Those in force that go with the ruling `replaced`."""
        return [row for row in self.in_force if self.replaced and row.ruling_id == self.replaced.pk]

    def level_after(self, category: str = "") -> Level:
        """The level that a decision with a penalty for `category`, or with none, would lead to."""
        rows = [(row.points, row.expires_at) for row in self.in_force if row not in self.going]
        if category:
            rows.append((self.policy.points[Category(category)], self.now + self.policy.lasts))
        return fairplay.standing(rows, self.now, self.policy).level

    @cached_property
    def choices(self) -> list[tuple[str, str]]:
        """Categories for a form, each with its points and the level it would lead to: "Abuse (2, A → B)"."""
        return [
            (
                category.value,
                f"{name} ({self.policy.points[category]}, {self.value.level} → {self.level_after(category)})",
            )
            for category, name in CATEGORY_NAMES.items()
        ]

    @cached_property
    def log(self) -> list[LevelChange]:
        """Changes of the level, the newest first."""
        return list(self.player.level_changes.select_related("by", "penalty").order_by("-pk")[:SHOWN])

    @cached_property
    def against(self) -> list[Report]:
        """Reports of the player, the newest first."""
        return list(reports().filter(reported=self.player)[:SHOWN])

    @cached_property
    def filed(self) -> list[Report]:
        """The player's own reports of others, the newest first."""
        return list(reports().filter(reporter=self.player)[:SHOWN])

    @cached_property
    def flags(self) -> list[Flag]:
        """What the site noticed by itself, the newest first."""
        return list(self.player.flags.select_related("case").order_by("-pk")[:SHOWN])

    @cached_property
    def mutes(self) -> list[Mute]:
        """The newest first."""
        return list(self.player.mutes.select_related("by", "lifted_by").order_by("-pk")[:SHOWN])

    @cached_property
    def muted(self) -> Mute | None:
        """The mute that holds now, if there is one."""
        return next((row for row in self.mutes if row.lifted_at is None and row.until > self.now), None)

    @cached_property
    def leaving(self) -> list[Leaving]:
        """Within each of `LEAVING_DAYS`. One pass over the player's own matches of the longest."""
        counts = {}
        for days in LEAVING_DAYS:
            recent = Q(match__made_at__gte=self.now - timedelta(days=days))
            left = recent & Q(left_at__isnull=False)
            in_play = Q(left_at__gte=F("match__playing_at"))
            counts[f"matches_{days}"] = Count("pk", filter=recent)
            counts[f"left_{days}"] = Count("pk", filter=left)
            counts[f"in_play_{days}"] = Count("pk", filter=left & in_play)
        longest = self.now - timedelta(days=max(LEAVING_DAYS))
        found = Side.objects.filter(player=self.player, match__made_at__gte=longest).aggregate(**counts)
        return [
            Leaving(
                days,
                found[f"matches_{days}"],
                found[f"left_{days}"] - found[f"in_play_{days}"],
                found[f"in_play_{days}"],
            )
            for days in LEAVING_DAYS
        ]


def standing(player: Player, now: datetime, *, replaced: Ruling | None = None) -> Standing:
    """A player's, under the policy in force."""
    return Standing(player, now, levels.policy(), replaced)


def reports() -> QuerySet[Report]:
    """Reports with all that a line of them shows, the newest first."""
    return Report.objects.select_related("reporter__user", "reported__user", "case", "line").order_by("-pk")


def of_flag(flag: Flag) -> tuple[list[Report], list[Match]]:
    """The reports and the matches that a flag was made of."""
    made_of = list(reports().filter(pk__in=flag.facts.get("reports", ())))
    sides = Prefetch("sides", Side.objects.select_related("player__user").order_by("seat"))
    matches = Match.objects.filter(pk__in=flag.facts.get("matches", ())).prefetch_related(sides).order_by("-pk")
    return made_of, list(matches)


def moved_by(policy: fairplay.Policy, now: datetime) -> Counter[tuple[Level, Level]]:
    """How many players another policy would move from which level to which."""
    rows = Penalty.objects.filter(withdrawn_at=None, expires_at__gt=now)
    penalties: dict[int, list[tuple[int, datetime]]] = defaultdict(list)
    present: dict[int, Level] = {}
    for player, level, points, expires_at in rows.values_list(
        "player", "player__level", "points", "expires_at"
    ).iterator():
        penalties[player].append((points, expires_at))
        present[player] = Level(level)
    moves = ((present[player], fairplay.standing(own, now, policy).level) for player, own in penalties.items())
    return Counter(move for move in moves if move[0] is not move[1])
