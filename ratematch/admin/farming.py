"""Signs of farming and collusion: pairs, floors and addresses (rules §5). Signs, not proof: each leads to its players.

What it costs is bounded, whatever the site's size: pairs are counted over the newest `MATCHES` matches, found by
primary key; ratings at the floor over their rows of the history; addresses of the players of the newest `LOOKED_UP`.
A window in days narrows that further. How far back that reaches is said on the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from accounts.services import sessions
from ratematch.models import Match, Player, RatingChange, Side
from ratematch.rules import elo

MATCHES = 20_000
LOOKED_UP = 2_000
"""How many of the newest matches are looked at for players who share an address."""
WINDOWS = (7, 30, 90)
"""Days to choose from."""
OFTEN = 5
"""A pair is shown from so many matches on."""
ONE_SIDED = 0.9
"""A pair is one-sided when one of the two won at least this part of what they decided."""
AT_FLOOR = 5
"""A rating is parked when so many losses cost nothing."""
SHOWN = 30


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players and their matches with each other. `shares` are parts of all of each one's matches, 0 to 1."""

    players: tuple[Player, Player]
    matches: int
    wins: tuple[int, int]
    draws: int
    shares: tuple[float, float]
    same_address: bool

    @property
    def percents(self) -> tuple[int, int]:
        """The shares in percent."""
        return round(100 * self.shares[0]), round(100 * self.shares[1])

    @property
    def one_sided(self) -> bool:
        """Whether nearly all went to one of the two."""
        decided = sum(self.wins)
        return decided >= OFTEN and max(self.wins) >= ONE_SIDED * decided


@dataclass(frozen=True, slots=True)
class Parked:
    """A player at the floor: how many losses cost nothing, and to how many different opponents losses went."""

    player: Player
    losses: int
    opponents: int


@dataclass(frozen=True, slots=True)
class Shared:
    """Players who came from one network address, and how many matches they had with each other."""

    players: list[Player]
    matches: int


@dataclass(frozen=True, slots=True)
class Window:
    """What is looked at: matches and history rows from these keys on, since then. `reaches` is how far back that is."""

    days: int
    since: datetime
    first_match: int
    first_change: int
    reaches: datetime

    def sides(self) -> QuerySet[Side]:
        """The sides of its matches."""
        return Side.objects.filter(match__gt=self.first_match, match__made_at__gte=self.since)

    def met(self, **more: Any) -> QuerySet[Any, Any]:
        """Pairs who met, each once, with the first one's results. `more` narrows it, in the same join."""
        return (
            self.sides()
            .filter(match__sides__player__gt=F("player"), **more)
            .values("player", "match__sides__player")
            .annotate(
                n=Count("pk"),
                won=Count("pk", filter=Q(result="win")),
                lost=Count("pk", filter=Q(result="loss")),
                drawn=Count("pk", filter=Q(result="draw")),
            )
            .order_by("-n", "player", "match__sides__player")
        )


def window(now: datetime, days: int) -> Window:
    """The last so many days, or as far back as the newest `MATCHES` matches reach."""
    since = now - timedelta(days=days)
    first_match = (Match.objects.aggregate(last=Max("pk"))["last"] or 0) - MATCHES
    first_change = (RatingChange.objects.aggregate(last=Max("pk"))["last"] or 0) - 2 * MATCHES
    oldest = Match.objects.filter(pk__gt=first_match).order_by("pk").values_list("made_at", flat=True).first()
    return Window(days, since, first_match, first_change, max(since, oldest or since))


def pairs(seen: Window) -> list[Pair]:
    """Pairs that met at least `OFTEN` times, the most often first."""
    rows = [(row["player"], row["match__sides__player"], row) for row in seen.met().filter(n__gte=OFTEN)[:SHOWN]]
    ids = {pk for one, two, _row in rows for pk in (one, two)}
    players = _players(ids)
    totals = dict(seen.sides().filter(player__in=ids).values_list("player").annotate(Count("pk")))
    groups = sessions.shared_addresses({player.user_id for player in players.values()}).values()
    return [
        Pair(
            players=(players[one], players[two]),
            matches=row["n"],
            wins=(row["won"], row["lost"]),
            draws=row["drawn"],
            shares=(row["n"] / totals[one], row["n"] / totals[two]),
            same_address=any({players[one].user_id, players[two].user_id} <= group for group in groups),
        )
        for one, two, row in rows
    ]


def parked(seen: Window) -> list[Parked]:
    """Players at the floor with at least `AT_FLOOR` losses that cost nothing, the most first."""
    at_floor = {"before": elo.FLOOR, "after": elo.FLOOR, "computed__lt": 0}
    changes = RatingChange.objects.filter(pk__gt=seen.first_change, at__gte=seen.since, **at_floor)
    rows = changes.values_list("player").annotate(n=Count("pk")).filter(n__gte=AT_FLOOR).order_by("-n", "player")
    counts = dict(rows[:SHOWN])
    players = _players(counts)
    lost = seen.sides().filter(player__in=counts, result="loss", match__sides__result="win")
    opponents = dict(lost.values_list("player").annotate(Count("match__sides__player", distinct=True)))
    return [Parked(players[pk], n, opponents.get(pk, 0)) for pk, n in counts.items()]


def shared(seen: Window) -> list[Shared]:
    """Those of the players of the newest `LOOKED_UP` matches who share an address; who met most comes first."""
    newest = seen.sides().order_by("-match").values_list("player__user", "player")[: 2 * LOOKED_UP]
    player_of = dict(newest)
    groups = {
        frozenset(player_of[user] for user in group) for group in sessions.shared_addresses(player_of.keys()).values()
    }
    ids = {pk for group in groups for pk in group}
    met = {
        frozenset((row["player"], row["match__sides__player"])): row["n"]
        for row in seen.met(player__in=ids, match__sides__player__in=ids)
    }
    players = _players(ids)
    found = [
        Shared(
            sorted((players[pk] for pk in group), key=str),
            sum(met.get(frozenset(two), 0) for two in combinations(group, 2)),
        )
        for group in groups
    ]
    return sorted(found, key=lambda row: (-row.matches, -len(row.players), str(row.players[0])))[:SHOWN]


def _players(ids: Iterable[int]) -> dict[int, Player]:
    return Player.objects.select_related("user").in_bulk(list(ids))
