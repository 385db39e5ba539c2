"""What is killed, and when."""

import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.utils import timezone

from accounts.services import heartbeat
from common.live import STREAM
from survival import truth
from survival.bots import Bot
from survival.players import Ledger, Player
from survival.site import HEARTBEAT_EVERY_S, OUTAGE_AFTER_S, PARTS, Site, alive, wait_until
from survival.stories import STORIES, Table, deal
from survival.watchers import Watcher, numbers

BOTS = 4
WATCHERS = 6
BACK_WITHIN_S = 60
"""The supervisor starts a worker that fell silent again after 30 s."""
AWAY_S = OUTAGE_AFTER_S + 4
"""So long is a part kept dead at least."""
SILENT_S = 2
"""So long after the kill the clocks of the silent run out. In an outage everybody's do, just before its end."""
SHIFTED = "all open deadlines were moved"


@dataclass(frozen=True)
class Scenario:
    """One kill: of these parts, which are killed again whenever they are back, until clocks have run out."""

    name: str
    parts: tuple[str, ...]
    freeze: bool = False
    """Stopped in its tracks instead, until the matches are over: only reads move them on."""

    @property
    def everything(self) -> bool:
        """Whether the supervisor dies too, and somebody has to start the site again."""
        return set(self.parts) == set(PARTS)

    @property
    def outage(self) -> bool:
        """Whether pages are gone."""
        return "web" in self.parts


SCENARIOS = [
    Scenario("worker killed", ("worker",)),
    Scenario("worker frozen", ("worker",), freeze=True),
    Scenario("beat killed", ("beat",)),
    Scenario("Redis killed", ("redis",)),
    Scenario("worker and Redis killed", ("worker", "redis")),
    Scenario("web killed", ("web",)),
    Scenario("everything killed", tuple(PARTS)),
]


class Run:
    """All scenarios on one site, with the same players."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.ledger = Ledger()
        self.time = truth.Time()
        self.players = [Player(site.url, number) for number in range(2 * len(STORIES) + BOTS)]
        self.watchers = [Watcher(player) for player in self.players[:WATCHERS]]
        for watcher in self.watchers:
            watcher.start()
        self.pool = ThreadPoolExecutor(8)

    def stop(self) -> None:
        """Leave no thread with work to do."""
        for watcher in self.watchers:
            watcher.stop()
        self.pool.shutdown(cancel_futures=True)

    def play(self, turn: int, scenario: Scenario) -> list[str]:
        """One scenario; prints a line and answers what was wrong."""
        self.ledger = Ledger()
        for player in self.players:
            player.ledger = self.ledger
        seen_before = self._streams()
        shifts_before, outages_before = self._shifts_logged(), len(self.time.outages)

        tables = deal(self.players[:-BOTS], turn)
        mine = {table.match for table in tables}
        problems = self._each(tables, lambda table: table.play(table.story.opening))
        bots = [Bot(player) for player in self.players[-BOTS:]]
        for bot in bots:
            bot.start()
        problems += self._each(tables, lambda table: table.play(table.story.before))

        silent = {table.match for table in tables if not table.story.after}
        self._let_run_out(mine if scenario.outage else silent, AWAY_S - 1 if scenario.outage else SILENT_S)
        before = truth.deadlines(mine)
        killed_at = time.monotonic()
        self._kill(scenario)
        if scenario.outage:
            self._last_beat = heartbeat.last_beat(heartbeat.WEB)
            self._keep_away(scenario, killed_at)
            problems += self._outage(before, mine)
        problems += self._each(tables, lambda table: table.play(table.story.after))
        if not scenario.outage:
            self._keep_away(scenario, killed_at)
        wait_until(lambda: self._are_over(tables, scenario), 60, "all matches to end")
        ended_s = time.monotonic() - killed_at
        if scenario.freeze:
            self.site.signal_group("worker", signal.SIGCONT)
        wait_until(self._is_whole, BACK_WITHIN_S, "all parts to be back")
        back_s = time.monotonic() - killed_at
        for bot in bots:
            bot.finish()
        for bot in bots:
            bot.join(timeout=30)
            problems += [bot.problem or f"{bot.name} doesn't come to an end"] if bot.problem or bot.is_alive() else []
        theirs = set().union(*(bot.matches for bot in bots))
        wait_until(lambda: not truth.running(theirs), 30, "the bots' matches to end")
        wait_until(lambda: not truth.unchecked(), 30, "all pictures to be checked")

        law, late, clocks = truth.logs_are_lawful(mine | theirs, self.time)
        pictures, picture_count = truth.pictures_open(tables)
        problems += law + pictures
        problems += truth.stories_ended_right(tables)
        problems += truth.log_is_told(mine | theirs, self.ledger)
        problems += truth.ratings_add_up(mine | theirs)
        problems += truth.notices_came_once(mine | theirs)
        problems += truth.nobody_is_held()
        problems += self._watchers_know(mine)
        shifts = self._shifts_logged() - shifts_before
        if shifts != scenario.outage:
            problems.append(f"deadlines were moved {shifts} times (is the machine too busy for a heartbeat?)")

        seen = [now - was for now, was in zip(self._streams(), seen_before, strict=True)]
        moved = "".join(
            f", deadlines moved by {outage.gap.total_seconds():.1f} s" for outage in self.time.outages[outages_before:]
        )
        print(
            f"{'FAIL' if problems else 'PASS'}  {scenario.name}: {len(tables)} matches in every state and "
            f"{len(theirs)} of bots; {sum(self.ledger.accepted.values())} moves, {self.ledger.retries} calls repeated, "
            f"{sum(self.ledger.unsure.values())} left open; {clocks} clocks ran out, the latest "
            f"{late.total_seconds():.1f} s late; {picture_count} pictures; streams: {seen[0]} events, "
            f"{seen[1]} resyncs, {seen[2]} new; slowest answer {self.ledger.longest_s:.1f} s; "
            f"all over after {ended_s:.1f} s, all parts back after {back_s:.1f} s{moved}",
            flush=True,
        )
        for problem in problems:
            print(f"      {problem}", flush=True)
        return problems

    def _each(self, tables: list[Table], play: Callable[[Table], list[str]]) -> list[str]:
        return [refusal for refused in self.pool.map(play, tables) for refusal in refused]

    def _kill(self, scenario: Scenario) -> None:
        if scenario.everything:
            left = self.site.kill_all()
            wait_until(lambda: not alive(left), 20, "everything that was started to end")
        elif scenario.freeze:
            self.site.signal_group("worker", signal.SIGSTOP)
        else:
            self.site.kill(*scenario.parts)

    def _keep_away(self, scenario: Scenario, killed_at: float) -> None:
        """Let clocks run out before the site may heal; start it again if nobody else does."""
        until = killed_at + AWAY_S
        if scenario.everything:
            time.sleep(max(0, until - time.monotonic()))
            self.site.start()
        elif not scenario.freeze:
            self.site.keep_dead(scenario.parts, until)

    def _outage(self, before: dict[tuple[int, int], datetime], mine: set[int]) -> list[str]:
        """Wait for pages, and see that all open deadlines have moved by the time that nobody could reach them."""
        wait_until(self.site.answers, BACK_WITHIN_S, "pages to be back")
        after = truth.deadlines(mine)
        gaps = {after[key] - before[key] for key in before.keys() & after.keys()}
        if len(gaps) != 1:
            return [f"deadlines were moved by {sorted(map(str, gaps))}, not by one outage"]
        gap = gaps.pop()
        self.time.outages.append(truth.Outage(self._last_beat + gap, gap))
        if gap < timedelta(seconds=AWAY_S - HEARTBEAT_EVERY_S):
            return [f"deadlines were moved by {gap} only"]
        return []

    def _let_run_out(self, matches: Iterable[int], seconds: float) -> None:
        self.time.hurry(matches, timezone.now() + timedelta(seconds=seconds))

    def _are_over(self, tables: list[Table], scenario: Scenario) -> bool:
        self._let_run_out([table.match for table in tables], 1)
        if scenario.freeze:
            self._each(tables, lambda table: [table.players[0].read(table.match)["state"]])
        return not truth.running(table.match for table in tables)

    def _is_whole(self) -> bool:
        """All processes run, the worker sweeps and the web process beats."""
        fresh = timezone.now() - timedelta(seconds=2)
        beats = [heartbeat.last_beat(part) for part in (heartbeat.WEB, heartbeat.WORKER)]
        return set(self.site.parts()) == set(PARTS) and all(beat and beat > fresh for beat in beats)

    def _watchers_know(self, matches: set[int]) -> list[str]:
        """Each open page shows the true state of its matches."""

        def wrong() -> list[str]:
            return [
                f"{watcher.name} believes match {match} to be in {watcher.states.get(match)}, not in {state}"
                for watcher in self.watchers
                for match, state in truth.states_of(watcher.player.user.pk, matches).items()
                if watcher.states.get(match) != state
            ]

        problems = [problem for watcher in self.watchers for problem in watcher.problems]
        for watcher in self.watchers:
            watcher.problems.clear()
        try:
            wait_until(lambda: not wrong(), 10, "open pages to show what is true")
        except RuntimeError:
            problems += wrong()
        stream = [
            (numbers(at), fields["verb"], set(fields["to"].split()))
            for at, fields in redis.Redis.from_url(self.site.redis_url(), decode_responses=True).xrange(STREAM)
        ]
        problems += [missed for watcher in self.watchers for missed in watcher.missed(stream)]
        return problems

    def _streams(self) -> list[int]:
        """How many events, resyncs and new connections all open pages have had."""
        counts = [(watcher.events, watcher.resyncs, watcher.connections) for watcher in self.watchers]
        return [sum(column) for column in zip(*counts, strict=True)]

    def _shifts_logged(self) -> int:
        """How often the site says that it has moved deadlines."""
        logs = Path(settings.VAR_DIR, "log").glob("web.log*")
        return sum(log.read_text(errors="replace").count(SHIFTED) for log in logs)
