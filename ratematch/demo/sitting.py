"""One demo match, from queue to end, driven through the services by a clock of its own."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from accounts.services import notices, presence
from ratematch.models import Engagement, Match
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import deadlines, evidence, play, queue, screening


class Sitting:
    """Two users in a match. Each act happens `after_s` seconds after the one before.

    They are told apart as `one` and `two`, whoever the draw made Player 1.
    """

    def __init__(self, one: User, two: User, at: datetime, *, waited_s: int) -> None:
        """Both join the empty queue, `two` at `at` and `one` before; `waited_s` must be less than presence lasts."""
        self.one, self.two, self.now = one, two, at
        queue.join_queue(actor=one, condition=Engagement.ANY, now=at - timedelta(seconds=waited_s))
        queue.join_queue(actor=two, condition=Engagement.ANY, now=at)
        self._wait_if_just_met()
        match = Match.objects.with_sides().get(engagements__player__user=one)
        self.id, self.state, self.url = match.pk, match.state, match.get_absolute_url()
        self.host, self.guest = (side.player.user for side in match.seats)

    def _wait_if_just_met(self) -> None:
        """Both wait with their pages open until the rules give them to each other again."""
        if not Engagement.objects.waiting().exists():
            return
        self.now += timedelta(seconds=settings.RATEMATCH["REMATCH_WAIT_S"])
        for user in (self.one, self.two):
            presence.touch(user.pk, active=True, now=self.now)
        queue.pair_waiting(self.now)

    def other(self, user: User) -> User:
        return self.two if user == self.one else self.one

    def move(self, user: User, verb: Verb, value: str = "", *, after_s: float) -> None:
        """One move of §3."""
        self.now += timedelta(seconds=after_s)
        match = play.make_move(match_id=self.id, actor=user, verb=verb, seen=self.state, now=self.now, value=value)
        self.state = match.state

    def wait(self) -> None:
        """Nobody does anything until the clock has run out."""
        due = Match.objects.get(pk=self.id).deadline_at
        assert due
        self.now = due
        deadlines.settle(self.id, self.now)
        self.state = Match.objects.get(pk=self.id).state

    def show(self, user: User, picture: bytes, name: str, remark: str, *, after_s: float) -> None:
        """Attach one screenshot, have it checked, hand it in."""
        self.now += timedelta(seconds=after_s)
        upload = SimpleUploadedFile(name, picture)
        attached = evidence.attach_picture(match_id=self.id, actor=user, upload=upload, now=self.now)
        screening.check_picture(picture_id=attached.pk, now=self.now + timedelta(seconds=1))
        self.now += timedelta(seconds=30)
        match = evidence.submit(match_id=self.id, actor=user, seen=State.EVIDENCE, remark=remark, now=self.now)
        self.state = match.state

    def read(self, *users: User) -> None:
        """They have the match's page open and see where it stands."""
        for user in users:
            notices.mark_read_about(actor=user, url=self.url, now=self.now)
