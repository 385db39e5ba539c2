"""Players' pages without a browser: forms that work without scripts, refusals beside what was typed, no secrets."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from accounts.services import presence
from accounts.tests.staff import staff_client
from ratematch.models import Engagement, Match, Picture
from ratematch.rules.lifecycle import State, Verb
from ratematch.services import evidence, screening
from ratematch.tests import factories
from ratematch.tests.factories import Table

pytestmark = pytest.mark.django_db

LOBBY = reverse("ratematch:lobby")


def now_table(*players):
    """A table whose time is the present, as pages take it from the clock."""
    return Table(*players, now=timezone.now() - timedelta(minutes=1))


def page(client, table, user=None):
    if user:
        client.force_login(user)
    return client.get(reverse("ratematch:match", args=[table.id]))


def move(client, table, verb, value="", state=None, **headers):
    data = {"verb": verb, "value": value, "state": state or table.row.state}
    return client.post(reverse("ratematch:move", args=[table.id]), data, headers=headers)


# --- the queue ---


def test_lobby_asks_strangers_to_sign_in(client):
    assert client.get(LOBBY).status_code == 302


def test_join_wait_and_leave_without_scripts(client):
    user = factories.user()
    client.force_login(user)
    assert "Find an opponent" in client.get(LOBBY).content.decode()
    assert client.post(reverse("ratematch:join"), {"condition": "near"}).url == LOBBY
    assert "Looking for an opponent" in client.get(LOBBY).content.decode()
    assert client.post(reverse("ratematch:leave")).url == LOBBY
    assert Engagement.objects.count() == 0


def test_join_twice_says_so_and_changes_nothing(client):
    client.force_login(factories.user())
    client.post(reverse("ratematch:join"), {"condition": "any"})
    answer = client.post(reverse("ratematch:join"), {"condition": "any"})
    assert answer.status_code == 409
    assert "You are already waiting." in answer.content.decode()


@pytest.mark.parametrize("condition", ["", "close", "x" * 500])
def test_join_with_nonsense_says_what_to_choose(client, condition):
    client.force_login(factories.user())
    answer = client.post(reverse("ratematch:join"), {"condition": condition})
    assert answer.status_code == 400
    assert "within 100 points" in answer.content.decode()


def test_lobby_takes_whoever_is_needed_to_the_match(client):
    table = now_table()
    client.force_login(table.user(0))
    address = reverse("ratematch:match", args=[table.id])
    assert client.get(LOBBY).url == address
    assert client.get(LOBBY, headers={"HX-Request": "true"})["HX-Redirect"] == address


def test_lobby_shows_what_is_at_stake(client):
    client.force_login(factories.player(rating=1600).user)
    text = client.get(LOBBY).content.decode()
    assert "1500" in text
    assert "+20" in text


# --- a match ---


def test_match_is_played_without_scripts(client):
    table = now_table()
    client.force_login(table.user(0))
    assert move(client, table, "set_room_number", " K7-204 ").status_code == 302
    assert table.row.room_number == "K7-204"
    client.force_login(table.user(1))
    assert move(client, table, "enter_room").status_code == 302
    assert table.row.state == State.PLAYING


def test_bad_room_number_keeps_what_was_typed_and_names_the_fix(client):
    table = now_table()
    client.force_login(table.user(0))
    answer = move(client, table, "set_room_number", "K7 204 <b>")
    text = answer.content.decode()
    assert answer.status_code == 400
    assert 'value="K7 204 &lt;b&gt;"' in text
    assert 'aria-invalid="true"' in text
    assert "without spaces" in text


def test_late_move_shows_the_match_as_it_is(client):
    table = now_table().to(State.PLAYING)
    client.force_login(table.user(0))
    answer = move(client, table, "set_room_number", "A1", state="room")
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "had already moved on" in text
    assert "The game is on" in text


@pytest.mark.parametrize(("verb", "status"), [("dance", 404), ("", 404), ("submit_evidence", 400)])
def test_move_that_is_none(client, verb, status):
    table = now_table()
    client.force_login(table.user(0))
    assert move(client, table, verb).status_code == status


def test_move_by_a_stranger_is_refused(client):
    table = now_table()
    client.force_login(factories.user())
    assert move(client, table, "leave_match").status_code == 403
    assert table.row.state == State.ROOM


def test_overdue_clock_is_applied_by_reading(client):
    table = now_table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now())
    assert "This match is void" in page(client, table, table.user(0)).content.decode()


def test_reading_a_match_marks_its_notices_as_read(client):
    table = now_table()
    page(client, table, table.user(0))
    assert not Notice.objects.filter(user=table.user(0), read_at=None).exists()
    assert Notice.objects.filter(user=table.user(1), read_at=None).exists()


def test_match_that_is_not_there(client):
    assert client.get(reverse("ratematch:match", args=[10**9])).status_code == 404


def test_leaving_is_not_offered_before_it_opens(client):
    table = Table(now=timezone.now())
    text = page(client, table, table.user(0)).content.decode()
    assert "Leaving opens in" in text
    assert "Leave match" not in text


def test_running_clock_never_stands_without_its_consequence(client):
    for state in (State.ROOM, State.PLAYING, State.ABANDONED, State.REPORTING, State.RECONFIRM, State.EVIDENCE):
        table = now_table().to(state)
        for seat in (0, 1):
            text = page(client, table, table.user(seat)).content.decode()
            assert "data-seconds=" in text
            assert "At zero" in text


def test_claims_look_alike_and_say_what_they_lead_to(client):
    table = now_table(factories.player(rating=1600), factories.player(rating=1600)).to(State.REPORTING)
    table.move(1, Verb.DECLARE, "win")
    text = page(client, table, table.user(0)).content.decode()
    assert text.count('class="act"') == 3
    assert "checked" not in text
    assert "Agrees with them, so it is settled at once: −16 (1600 → 1584)." in text
    assert text.count("so both declare once more") == 2


# --- evidence ---


def picture_of(table, seat):
    picture = evidence.attach_picture(
        match_id=table.id, actor=table.user(seat), upload=factories.upload(factories.png()), now=table.now
    )
    screening.check_picture(picture_id=picture.pk, now=table.now)
    return picture


def test_upload_and_hand_in_with_one_press(client):
    table = now_table().to(State.EVIDENCE)
    client.force_login(table.user(0))
    data = {"picture": factories.upload(factories.png()), "submit": "1", "state": "evidence", "remark": "top row"}
    answer = client.post(reverse("ratematch:attach", args=[table.id]), data)
    assert answer.status_code == 302
    side = table.row.seats[0]
    assert (side.remark, bool(side.handing_in_at)) == ("top row", True)


def test_refused_file_says_why_and_keeps_the_remark(client):
    table = now_table().to(State.EVIDENCE)
    client.force_login(table.user(0))
    data = {"picture": factories.upload(b"GIF89a" + bytes(99)), "submit": "1", "state": "evidence", "remark": "top row"}
    answer = client.post(reverse("ratematch:attach", args=[table.id]), data)
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "JPEG, PNG or WebP" in text
    assert "top row</textarea>" in text
    assert Picture.objects.count() == 0


def test_press_without_a_file_says_so_at_the_field(client):
    table = now_table().to(State.EVIDENCE)
    client.force_login(table.user(0))
    answer = client.post(reverse("ratematch:attach", args=[table.id]), {"submit": "1", "state": "evidence"})
    assert answer.status_code == 400
    assert 'id="picture-e"' in answer.content.decode()
    assert "Choose a picture first" in answer.content.decode()


def test_one_bad_file_of_several_is_named_and_none_is_stored(client):
    table = now_table().to(State.EVIDENCE)
    client.force_login(table.user(0))
    files = [factories.upload(factories.png(), "good.png"), factories.upload(b"GIF89a" + bytes(99), "bad.gif")]
    answer = client.post(reverse("ratematch:attach", args=[table.id]), {"picture": files, "state": "evidence"})
    assert answer.status_code == 400
    assert "<b>bad.gif</b>" in answer.content.decode()
    assert Picture.objects.count() == 0


def test_submit_without_a_picture_says_what_is_missing(client):
    table = now_table().to(State.EVIDENCE)
    client.force_login(table.user(0))
    answer = client.post(reverse("ratematch:submit", args=[table.id]), {"state": "evidence"})
    assert answer.status_code == 409
    assert "at least one screenshot" in answer.content.decode()


def test_picture_is_given_only_to_who_may_see_it(client):
    table = now_table().to(State.EVIDENCE)
    address = reverse("ratematch:picture", args=[picture_of(table, 0).pk])
    assert client.get(address).status_code == 302
    for user, status in (
        (table.user(0), 200),
        (table.user(1), 404),  # until it is handed in
        (factories.moderator(), 404),  # without a second factor, a moderator is anybody
        (factories.user(), 404),
        (factories.user(is_staff=True), 404),
    ):
        client.force_login(user)
        assert client.get(address).status_code == status
    assert staff_client(factories.moderator()).get(address).status_code == 200
    evidence.submit(match_id=table.id, actor=table.user(0), seen="evidence", now=table.now)
    client.force_login(table.user(1))
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "no-store" in answer["Cache-Control"]


# --- secrets ---


def test_nothing_secret_is_on_any_page_of_a_strangers(client):
    table = now_table().to(State.EVIDENCE)
    picture = picture_of(table, 0)
    evidence.submit(match_id=table.id, actor=table.user(0), seen="evidence", now=table.now, remark="my remark")
    addresses = [
        reverse("ratematch:match", args=[table.id]),
        reverse("ratematch:ladder"),
        reverse("home"),
        *(reverse("ratematch:player", args=[table.player(seat).pk]) for seat in (0, 1)),
        *(reverse("profile", args=[table.user(seat).pk]) for seat in (0, 1)),
    ]
    for user in (None, factories.user()):
        if user:
            client.force_login(user)
        for address in addresses:
            text = client.get(address).content.decode()
            for secret in ("K7-204", "my remark", reverse("ratematch:picture", args=[picture.pk]), "@example.org"):
                assert secret not in text, (address, secret)


# --- lists ---


def settled(count, player=None):
    player = player or factories.player()
    for number in range(count):
        Table(player, factories.player(), now=timezone.now() - timedelta(hours=2 * (number + 1))).to(State.SETTLED)
        presence.touch(player.user_id, active=True, now=timezone.now())
    return player


def queries(client, address):
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as context:
        assert client.get(address).status_code == 200
    return len(context)


def test_query_counts_do_not_grow_with_rows(client):
    player = settled(1)
    client.force_login(player.user)
    addresses = [
        reverse("ratematch:ladder"),
        reverse("ratematch:player", args=[player.pk]),
        LOBBY,
        reverse("home"),
    ]
    one = [queries(client, address) for address in addresses]
    settled(2, player)
    assert [queries(client, address) for address in addresses] == one


def test_ladder_orders_by_rating_and_shows_my_place(client):
    strong, weak = factories.player("mizunara", 1900), factories.player("Pell", 1300)
    Table(strong, weak, now=timezone.now() - timedelta(hours=1)).to(State.SETTLED)
    client.force_login(weak.user)
    text = client.get(reverse("ratematch:ladder")).content.decode()
    table = text[text.index("<table") :]
    assert table.index("mizunara") < table.index("Pell")
    assert "Go to my place, 2" in text
    assert 'id="me"' in text


def test_ladder_filters_by_name_and_time(client):
    Table(factories.player("mizunara"), factories.player("Pell"), now=timezone.now() - timedelta(days=40)).to(
        State.SETTLED
    )
    ladder = reverse("ratematch:ladder")
    assert "mizunara" in client.get(ladder).content.decode()
    assert "mizunara" not in client.get(ladder, {"within": "30"}).content.decode()
    found = client.get(ladder, {"q": "MIZU", "within": "all"}).content.decode()
    assert "mizunara" in found
    assert "Pell" not in found
    assert "Nobody by that name." in client.get(ladder, {"q": "zzz"}).content.decode()


@pytest.mark.parametrize(
    "query", [{"page": "x"}, {"page": "-1"}, {"page": "9" * 30}, {"within": "soon"}, {"q": "\x00"}]
)
def test_ladder_bears_nonsense(client, query):
    assert client.get(reverse("ratematch:ladder"), query).status_code in (200, 400)


def test_why_card_shows_the_sum(client):
    table = now_table(factories.player(rating=1200), factories.player(rating=1200)).to(State.SETTLED)
    text = page(client, table, table.user(1)).content.decode()
    assert "−16" in text
    assert "reached, so 0" in text
    assert "0.5000" in text


def test_player_without_matches_has_an_empty_page(client):
    player = factories.player()
    text = client.get(reverse("ratematch:player", args=[player.pk])).content.decode()
    assert "No course yet." in text


def test_rules_are_open_to_everybody(client):
    assert client.get(reverse("ratematch:rules")).status_code == 200


@pytest.mark.parametrize("number", [0, 2**31, 2**63, 10**30])
def test_numbers_that_no_row_has_are_not_found(client, number):
    client.force_login(factories.moderator())
    for name, arguments in (
        ("match", [number]),
        ("player", [number]),
        ("picture", [number]),
        ("move", [number]),
        ("submit", [number]),
        ("remove", [number, number]),
    ):
        address = reverse(f"ratematch:{name}", args=arguments)
        send = client.post if name in ("move", "submit", "remove") else client.get
        answer = send(address, {"verb": "leave_match", "state": "room"} if send == client.post else None)
        assert answer.status_code == 404, address
    assert client.get(reverse("admin:ratematch_case", args=[number])).status_code in (302, 404)
    assert client.get(reverse("profile", args=[number])).status_code == 404


def test_log_of_a_strangers_match_tells_neither_claims_nor_who_attached_what(client):
    table = now_table().to(State.RECONFIRM)
    picture_of(table, 0)
    for viewer, seen in ((None, False), (factories.user(), False), (table.user(0), True)):
        if viewer:
            client.force_login(viewer)
        text = client.get(reverse("ratematch:match", args=[table.id])).content.decode()
        assert ("declared that" in text) is seen
        assert ("attached a picture" in text) is seen
    client.force_login(table.user(1))
    text = client.get(reverse("ratematch:match", args=[table.id])).content.decode()
    assert "declared that" in text
    assert "attached a picture" not in text  # it may never be handed in


def test_home_applies_the_clocks_of_my_matches(client):
    table = now_table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now())
    client.force_login(table.user(0))
    client.get(reverse("home"))
    assert table.row.state == State.VOID


def test_lobby_does_not_promise_a_rematch(client):
    table = now_table().to(State.SETTLED)
    one, two = table.user(0), table.user(1)
    for user in (one, two):
        presence.touch(user.pk, active=True, now=timezone.now())
    client.force_login(two)
    client.post(reverse("ratematch:join"), {"condition": "near"})
    client.force_login(one)
    assert "0 waiting" in client.get(LOBBY).content.decode()


def test_remark_with_a_nul_is_taken_without_it(client):
    table = now_table().to(State.EVIDENCE)
    picture_of(table, 0)
    client.force_login(table.user(0))
    client.post(reverse("ratematch:submit", args=[table.id]), {"state": "evidence", "remark": "a\0b"})
    assert table.row.seats[0].remark == "ab"


def test_pressing_too_often_says_when_to_try_again(client, settings):
    settings.PAGE_RATE = (2, 60)
    client.force_login(factories.user())
    for _ in range(2):
        client.post(reverse("ratematch:join"), {"condition": "any"})
    answer = client.post(reverse("ratematch:leave"))
    assert answer.status_code == 429
    assert "try again in" in answer.content.decode()
    assert Engagement.objects.count() == 1
