"""Programs that play through the API, and remember what they were told."""

import io
import threading
import time
import uuid
from collections import Counter
from typing import Any, NamedTuple

import httpx
from django.utils import timezone
from PIL import Image

from accounts.models import User
from accounts.services import tokens

API = "/api/v1/ratematch"
PATIENCE_S = 30


class Move(NamedTuple):
    """A move as the log has it."""

    match: int
    seat: int
    verb: str


class Ledger:
    """What players were told: which moves were accepted, and which calls never had an answer."""

    def __init__(self) -> None:
        self.accepted: Counter[Move] = Counter()
        self.unsure: Counter[Move] = Counter()
        self.retries = 0
        self.longest_s = 0.0
        self._lock = threading.Lock()

    def note(self, move: Move | None, *, accepted: bool, unsure: bool, retries: int, took_s: float) -> None:
        """Write down how a call went."""
        with self._lock:
            self.retries += retries
            if not retries:
                self.longest_s = max(self.longest_s, took_s)
            if move and accepted:
                self.accepted[move] += 1
            elif move and unsure:
                self.unsure[move] += 1


class Player:
    """One player's program."""

    def __init__(self, url: str, number: int) -> None:
        self.user = User.objects.create_user(f"{number}@example.org", f"player-{number}")
        _token, plain = tokens.create(
            actor=self.user, name="survive", scopes=["read", "play"], days=1, now=timezone.now()
        )
        self.headers = {"Authorization": f"Bearer {plain}"}
        self.http = httpx.Client(base_url=url, headers=self.headers, timeout=10)
        self.ledger = Ledger()

    def call(self, method: str, path: str, *, move: Move | None = None, **body: Any) -> httpx.Response:
        """A call that is made again, with the same key, until an answer comes. A failure of the site is no answer."""
        key = {"Idempotency-Key": uuid.uuid4().hex}
        until, unsure, retries = time.monotonic() + PATIENCE_S, False, 0
        while True:
            asked_at = time.monotonic()
            try:
                answer = self.http.request(method, path, headers=key, **body)
                if answer.status_code < 500:
                    break
                problem = f"{answer.status_code} {answer.text[:200]}"
            except httpx.ConnectError as error:
                problem = repr(error)
            except httpx.TransportError as error:
                problem, unsure = repr(error), True
            if time.monotonic() > until:
                raise RuntimeError(f"no answer to {method} {path} for {PATIENCE_S} s: {problem}")
            retries += 1
            time.sleep(0.2)
        self.ledger.note(
            move, accepted=answer.is_success, unsure=unsure, retries=retries, took_s=time.monotonic() - asked_at
        )
        return answer

    def join(self) -> int | None:
        """Wait for an opponent; answers the match, if there is one at once."""
        return self.call("POST", f"{API}/queue", json={"condition": "any"}).json().get("match")

    def needed_by(self) -> int | None:
        """The match that needs this player."""
        return self.call("GET", f"{API}/queue").json()["match"]

    def read(self, match: int) -> Any:
        """The match as this player sees it."""
        return self.call("GET", f"{API}/matches/{match}").json()

    def move(self, match: int, seat: int, verb: str, state: str, **value: str) -> httpx.Response:
        """A move, meant for `state`."""
        body = {"verb": verb, "state": state, **value}
        return self.call("POST", f"{API}/matches/{match}/moves", move=Move(match, seat, verb), json=body)

    def attach(self, match: int, seat: int) -> httpx.Response:
        """Upload a screenshot."""
        file = {"picture": ("shot.png", _picture(), "image/png")}
        return self.call("POST", f"{API}/matches/{match}/pictures", move=Move(match, seat, "attach"), files=file)

    def submit(self, match: int, seat: int, state: str) -> httpx.Response:
        """Hand in what was attached."""
        move = Move(match, seat, "submit_evidence")
        return self.call("POST", f"{API}/matches/{match}/submit", move=move, json={"state": state})

    def picture(self, number: int) -> bytes:
        """A screenshot's file."""
        return self.call("GET", f"{API}/pictures/{number}").content


def _picture() -> bytes:
    """A PNG unlike any other, of a size that takes a moment to check."""
    out = io.BytesIO()
    Image.effect_noise((1280, 720), 40).save(out, "PNG", compress_level=1)
    return out.getvalue()
