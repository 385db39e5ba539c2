"""Free matches (rules §6): open, join, the room number, close."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.services import blocks, heartbeat, presence
from accounts.tests.factories import api_client
from common.errors import Conflict, Forbidden, Invalid, Missing
from common.live import SITE, STREAM
from common.redis import client as redis
from ratematch.models import Engagement, FreeRoom, Player, RatingChange
from ratematch.services import free, queue
from ratematch.tests import factories
from ratematch.tests.api import API
from ratematch.tests.factories import NOW, Table

pytestmark = pytest.mark.django_db


def opened(player=None, now=NOW, title="Ten minutes, no draws"):
    player = player or factories.player()
    return free.open_room(actor=player.user, title=title, comment="", now=now)


def joined(now=NOW):
    """A room with both in it: host, guest, room."""
    host, guest = factories.player(), factories.player()
    room = opened(host, now)
    return host, guest, free.join_room(room_id=room.pk, actor=guest.user, now=now)


def move(room, player, verb, value="", seen="", now=NOW):
    room.refresh_from_db()
    return free.make_move(room_id=room.pk, actor=player.user, verb=verb, seen=seen or room.state, now=now, value=value)


def test_a_free_match_from_open_to_closed_moves_no_rating():
    host, guest, room = joined()
    assert Engagement.objects.filter(room=room).count() == 2
    assert Notice.objects.filter(user=host.user, kind="ratematch.room_joined").count() == 1
    move(room, host, "set_room_number", "K7-204")
    assert move(room, guest, "enter_room").state == "playing"
    room = move(room, guest, "close_room")
    assert (room.state, room.closed_by, Engagement.objects.count(), RatingChange.objects.count()) == (
        "closed",
        guest,
        0,
        0,
    )


def test_one_is_in_one_room_or_queue_or_match_only():
    player = factories.player()
    room = opened(player)
    for refused in (
        lambda: opened(player),
        lambda: queue.join_queue(actor=player.user, condition="any", now=NOW),
        lambda: free.join_room(room_id=opened().pk, actor=player.user, now=NOW),
    ):
        with pytest.raises(Conflict) as no:
            refused()
        assert (no.value.code, no.value.facts["room"]) == ("in_a_room", room.pk)
    waiting = factories.player()
    queue.join_queue(actor=waiting.user, condition="any", now=NOW)
    with pytest.raises(Conflict) as no:
        opened(waiting)
    assert no.value.code == "already_waiting"
    assert FreeRoom.objects.count() == 2


def test_who_comes_second_finds_the_room_taken():
    _host, _guest, room = joined()
    with pytest.raises(Conflict) as no:
        free.join_room(room_id=room.pk, actor=factories.user(), now=NOW)
    assert (no.value.code, Engagement.objects.count()) == ("room_taken", 2)


def test_level_d_neither_opens_nor_joins_nor_is_joined():
    barred = factories.player(level="D")
    with pytest.raises(Forbidden):
        opened(barred)
    room = opened()
    with pytest.raises(Forbidden):
        free.join_room(room_id=room.pk, actor=barred.user, now=NOW)
    Player.objects.filter(pk=room.host_id).update(level="D")
    with pytest.raises(Missing):  # a refusal that names the level would tell the guest of it
        free.join_room(room_id=room.pk, actor=factories.user(), now=NOW)
    assert free.close_deserted(NOW) == 1


def test_blocked_players_see_no_room_of_each_other(client):
    host, guest = factories.player(), factories.player()
    room = opened(host, timezone.now())
    blocks.block(actor=host.user, user_id=guest.user_id)
    with pytest.raises(Missing):
        free.join_room(room_id=room.pk, actor=guest.user, now=timezone.now())
    client.force_login(guest.user)
    assert room.title not in client.get(reverse("ratematch:free")).content.decode()
    assert client.get(room.get_absolute_url()).status_code == 404


@pytest.mark.parametrize(
    ("who", "verb", "value", "code"),
    [
        ("guest", "set_room_number", "1", "not_yours_to_do"),
        ("host", "enter_room", "", "not_yours_to_do"),
        ("guest", "enter_room", "", "no_room_number"),
        ("host", "set_room_number", "no blanks", "bad_room_number"),
        ("host", "nonsense", "", "bad_verb"),
    ],
)
def test_moves_that_cant_be_made_are_refused(who, verb, value, code):
    host, guest, room = joined()
    with pytest.raises((Conflict, Invalid)) as no:
        move(room, host if who == "host" else guest, verb, value)
    assert no.value.code == code


def test_late_click_finds_the_room_elsewhere():
    host, guest, room = joined()
    move(room, host, "set_room_number", "1")
    move(room, guest, "enter_room")
    with pytest.raises(Conflict) as no:
        move(room, guest, "close_room", seen="room")
    assert (no.value.code, no.value.facts["state"]) == ("room_moved", "playing")
    with pytest.raises(Forbidden):
        move(room, factories.player(), "close_room")


@pytest.mark.parametrize(("state", "after"), [("open", 60), ("room", 15), ("playing", 180)])
def test_rooms_close_by_themselves(state, after):
    if state == "open":
        room = opened()
    else:
        host, guest, room = joined()
        if state == "playing":
            move(room, host, "set_room_number", "1")
            move(room, guest, "enter_room")
    minutes = timedelta(minutes=after)
    assert not free.close_one_due(NOW + minutes - timedelta(seconds=1))
    assert free.close_one_due(NOW + minutes)
    assert not free.close_one_due(NOW + minutes)
    room.refresh_from_db()
    assert (room.state, room.closed_by, Engagement.objects.count()) == ("closed", None, 0)


def test_a_page_read_after_an_outage_closes_no_room_before_its_clock_is_moved():
    room = opened()
    heartbeat.beat("web", NOW + timedelta(minutes=50))
    assert not free.settle(room.pk, NOW + timedelta(minutes=70))
    heartbeat.beat("web", NOW + timedelta(minutes=70))
    assert free.settle(room.pk, NOW + timedelta(minutes=70))


def test_a_room_that_cant_be_closed_doesnt_hold_up_the_others():
    broken, other = opened(), opened(now=NOW + timedelta(seconds=1))
    FreeRoom.objects.filter(pk=broken.pk).update(state="broken")
    late = NOW + timedelta(hours=2)
    assert free.close_one_due(late)
    assert free.close_one_due(late)
    assert not free.close_one_due(late)
    other.refresh_from_db()
    broken.refresh_from_db()
    assert (other.state, broken.deadline_at) == ("closed", late + free.PUSH_AHEAD)


def test_what_is_overdue_holds_nobody_though_no_worker_runs():
    late = NOW + timedelta(hours=5)
    host, guest, _room = joined()
    opened(host, late)
    queue.join_queue(actor=guest.user, condition="near", now=late)
    table = Table(now=NOW)
    opened(table.player(0), late)
    free.join_room(room_id=opened(now=late).pk, actor=table.user(1), now=late)
    assert table.row.state == "void"


def test_who_comes_second_is_told_so_by_the_page(client):
    _host, guest, room = joined(timezone.now())
    client.force_login(factories.user())
    page = client.post(reverse("ratematch:free_join", args=[room.pk]))
    assert page.status_code == 409
    text = page.content.decode()
    assert "Somebody else was faster" in text
    assert str(guest) not in text
    assert "Other rooms" in client.get(room.get_absolute_url()).content.decode()
    refreshed = client.get(room.get_absolute_url(), HTTP_HX_REQUEST="true")
    assert refreshed.status_code == 409  # which htmx swaps in, so that nobody goes on looking at a room to join
    assert client.get(reverse("ratematch:free_room", args=[10**30])).status_code == 404


def test_what_happens_in_a_room_is_told_to_the_two_and_everybody_hears_only_of_the_list(
    django_capture_on_commit_callbacks,
):
    def heard(act):
        redis().delete(STREAM)
        with django_capture_on_commit_callbacks(execute=True):
            act()
        told = [fields for _id, fields in redis().xrange(STREAM)]
        return sorted((fields["to"] == SITE, fields["verb"]) for fields in told if fields["verb"] != "notice")

    both = [(False, "room"), (True, "rooms")]
    host, guest = factories.player(), factories.player()
    assert heard(lambda: opened(host)) == both
    room = FreeRoom.objects.get()
    assert heard(lambda: free.join_room(room_id=room.pk, actor=guest.user, now=NOW)) == both
    assert heard(lambda: move(room, host, "set_room_number", "K7-204")) == [(False, "room")]
    assert heard(lambda: move(room, guest, "close_room")) == [(False, "room")]


def test_open_room_of_one_who_has_gone_is_closed():
    room = opened()
    assert free.close_deserted(NOW + timedelta(seconds=299)) == 0
    other = opened(now=NOW + timedelta(seconds=250))
    assert free.close_deserted(NOW + timedelta(seconds=301)) == 1
    room.refresh_from_db()
    other.refresh_from_db()
    assert (room.state, other.state) == ("closed", "open")


@pytest.mark.parametrize(
    ("title", "comment", "field"), [("  ", "", "title"), ("x" * 61, "", "title"), ("x", "y" * 301, "comment")]
)
def test_room_with_a_bad_text_names_the_field(title, comment, field):
    with pytest.raises(Invalid) as no:
        free.open_room(actor=factories.user(), title=title, comment=comment, now=NOW)
    assert no.value.field == field


def test_free_match_by_pages(client):
    host, guest = factories.player("hana"), factories.player("ren")
    presence.touch(host.user_id, active=True, now=timezone.now())
    client.force_login(host.user)
    answer = client.post(reverse("ratematch:free"), {"title": "Warm up", "comment": "gently"}, follow=True)
    room = FreeRoom.objects.get()
    assert answer.redirect_chain == [(room.get_absolute_url(), 302)]
    assert "Go to your room" in client.get(reverse("ratematch:free")).content.decode()
    assert client.get(reverse("ratematch:lobby")).url == room.get_absolute_url()
    number = {"verb": "set_room_number", "state": "open", "value": "K7-204"}
    assert client.post(reverse("ratematch:free_move", args=[room.pk]), number).status_code == 302
    client.force_login(guest.user)
    assert "K7-204" not in client.get(room.get_absolute_url()).content.decode()
    assert client.post(reverse("ratematch:free_join", args=[room.pk])).status_code == 302
    page = client.get(room.get_absolute_url()).content.decode()
    assert '<b class="num" id="room-number">K7-204</b>' in page
    client.force_login(factories.user())
    assert client.get(room.get_absolute_url()).status_code == 404


@pytest.mark.usefixtures("answers_fit_the_schema")
def test_free_match_by_the_api():
    host, guest = api_client(factories.user()), api_client(factories.user())
    room = host.post(f"{API}/free-rooms", {"title": "Warm up"}, format="json")
    assert room.status_code == 201
    address = f"{API}/free-rooms/{room.json()['id']}"
    number = {"verb": "set_room_number", "state": "open", "room_number": "SECRET-1"}
    host.post(f"{address}/moves", number, format="json")
    assert [row["title"] for row in api_client().get(f"{API}/free-rooms").json()["results"]] == ["Warm up"]
    assert "SECRET-1" not in guest.get(address).content.decode()
    answer = guest.post(f"{address}/join").json()
    assert (answer["inside"]["you"], answer["inside"]["room_number"]) == ("guest", "SECRET-1")
    assert api_client(factories.user()).get(address).status_code == 404
    assert guest.post(f"{address}/moves", {"verb": "enter_room", "state": "room"}, format="json").status_code == 200
    assert guest.post(f"{address}/moves", {"verb": "enter_room", "state": "room"}, format="json").status_code == 409
    assert host.post(f"{address}/chat", {"text": "Good luck"}, format="json").status_code == 201
    assert guest.get(f"{address}/chat").json()["results"][0]["text"] == "Good luck"
