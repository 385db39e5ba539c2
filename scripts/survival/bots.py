"""Players who never stop clicking, also while the site is gone: a kill catches some of their calls halfway."""

import threading
import time
from typing import Any

from survival.players import Player

LOOK_EVERY_S = 0.15


class Bot(threading.Thread):
    """Queues, plays to an agreed end, queues again. Repeats what had no answer."""

    def __init__(self, player: Player) -> None:
        super().__init__(name=f"bot {player.user}", daemon=True)
        self.player = player
        self.matches: set[int] = set()
        self.problem = ""
        self._enough = threading.Event()

    def finish(self) -> None:
        """No new match; the running one is played to its end."""
        self._enough.set()

    def run(self) -> None:
        try:
            while self._one_look():
                time.sleep(LOOK_EVERY_S)
        except Exception as error:
            self.problem = f"{self.name}: {error!r}"

    def _one_look(self) -> bool:
        """Look once, and do what can be done; False when it's over."""
        queue = self.player.call("GET", "/api/v1/ratematch/queue").json()
        if queue["match"]:
            self.matches.add(queue["match"])
            self._play(queue["match"])
        elif self._enough.is_set():
            if not queue["entry"]:
                return False
            self.player.call("DELETE", "/api/v1/ratematch/queue")
        elif not queue["entry"]:
            self.player.join()
        return True

    def _play(self, match: int) -> None:
        seen = self.player.read(match)
        seat = 0 if seen["inside"]["you"] == "player1" else 1
        if move := _choose(seen["inside"], seat):
            verb, value = move
            self.player.move(match, seat, verb, seen["state"], **value)


def _choose(inside: Any, seat: int) -> tuple[str, dict[str, str]] | None:
    """The next move: Player 1 opens the room and wins."""
    possible = inside["possible"]
    if "set_room_number" in possible and not inside["room_number"]:
        return "set_room_number", {"room_number": "BOT-1"}
    if "enter_room" in possible and inside["room_number"]:
        return "enter_room", {}
    if "declare" in possible:
        return "declare", {"claim": ("win", "loss")[seat]}
    if "report_result" in possible:
        return "report_result", {}
    return None
