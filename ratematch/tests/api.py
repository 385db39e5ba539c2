"""Two players who meet through the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from accounts.models import User
from accounts.tests.factories import api_client
from ratematch.models import Player
from ratematch.rules.lifecycle import State
from ratematch.tests import factories

API = "/api/v1/ratematch"


class ApiSide:
    """One of the two, with a client of the API."""

    def __init__(self, user: User, match: int) -> None:
        self.user, self.match = user, match
        self.client = api_client(user)
        self.address = f"{API}/matches/{match}"

    def read(self) -> Any:
        """The match as this one sees it."""
        return self.client.get(self.address).json()

    def move(self, verb: str, **more: str) -> Any:
        """A move that has to succeed, in the present state; the answer."""
        answer = self.client.post(f"{self.address}/moves", {"verb": verb, "state": self.read()["state"]} | more)
        assert answer.status_code == 200, answer.json()
        return answer.json()

    def submit(self, remark: str = "") -> Any:
        """Hand in what was attached."""
        answer = self.client.post(f"{self.address}/submit", {"state": self.read()["state"], "remark": remark})
        assert answer.status_code == 200, answer.json()
        return answer.json()

    def attach(self, data: bytes, name: str = "shot.png", **more: Any) -> HttpResponse:
        """Upload a screenshot."""
        upload = factories.upload(data, name)
        return self.client.post(f"{self.address}/pictures", {"picture": upload}, format="multipart", **more)

    def get(self, what: str) -> list[Any]:
        """The rows of `events` of the match, or of one's own `ratings`."""
        player = Player.objects.get(user=self.user).pk
        address = f"{API}/players/{player}/ratings" if what == "ratings" else f"{self.address}/{what}"
        return self.client.get(address).json()["results"]


class Pair(tuple[ApiSide, ApiSide]):
    """Both sides, Player 1 first."""

    id: int


def pair_of(table: factories.Table) -> Pair:
    """Both sides of a table, with clients."""
    made = Pair(ApiSide(table.user(seat), table.id) for seat in (0, 1))
    made.id = table.id
    return made


def make_pair(state: State, one: Player | None = None, two: Player | None = None) -> Pair:
    """A match that has come to `state` just now."""
    return pair_of(factories.Table(one, two, now=timezone.now()).to(state))
