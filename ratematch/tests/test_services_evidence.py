"""Screenshots: attached, checked, handed in; and every hostile file refused (rules §3.6)."""

import io
import os
import struct
import zlib
from datetime import timedelta

import pytest
from PIL import Image

from common.errors import Conflict, Forbidden, Invalid, Missing
from ratematch import pictures
from ratematch.admin.twins import ALIKE_BITS
from ratematch.demo import screens
from ratematch.models import Picture, private_storage
from ratematch.rules.lifecycle import Ending, State, Verb
from ratematch.services import deadlines, evidence, screening
from ratematch.tests import factories
from ratematch.tests.factories import Table, jpeg, png, upload

pytestmark = pytest.mark.django_db


def attach(table, seat, data=None, name="shot.png", **kwargs):
    return evidence.attach_picture(
        match_id=table.id, actor=table.user(seat), upload=upload(data or png(), name, **kwargs), now=table.now
    )


def submit(table, seat, **kwargs):
    return evidence.submit(match_id=table.id, actor=table.user(seat), seen=table.row.state, now=table.now, **kwargs)


def check(picture, table):
    screening.check_picture(picture_id=picture.pk, now=table.now)
    picture.refresh_from_db()
    return picture


def stored():
    return private_storage().listdir("evidence")[1] if private_storage().exists("evidence") else []


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path):
    for name in ("base_location", "location"):
        monkeypatch.setitem(private_storage().__dict__, name, str(tmp_path))


@pytest.mark.parametrize(("data", "suffix"), [(png(), ".png"), (jpeg(), ".jpg")])
def test_picture_is_checked_and_kept_as_a_clean_copy(data, suffix):
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, data), table)
    assert (picture.status, picture.width, picture.height) == (Picture.READY, 640, 360)
    assert picture.file.name.endswith(suffix)
    assert len(stored()) == 1  # what came in is gone
    assert "shot" not in picture.file.name


def test_clean_copy_has_no_metadata_and_stands_upright():
    image = Image.new("RGB", (400, 200), "red")
    exif = image.getexif()
    exif[0x0112] = 6  # turned by 90 degrees
    exif[0x010E] = "taken at home"
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif)
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, out.getvalue(), "x.jpg"), table)
    assert (picture.width, picture.height) == (200, 400)
    with private_storage().open(picture.file.name) as file:
        data = file.read()
    assert b"taken at home" not in data
    assert not Image.open(io.BytesIO(data)).getexif()


def test_large_picture_is_shrunk():
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, png((4000, 1000))), table)
    assert (picture.width, picture.height) == (2560, 640)


def bomb():
    """A PNG of 50,000 by 50,000 pixels in a few kilobytes."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 50_000, 50_000, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(100_000))) + chunk(b"IEND", b"")


def animated(kind):
    frames = [Image.new("RGB", (32, 32), colour) for colour in ("red", "green")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()


AT_THE_DOOR = {
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "picture_not_image"),
    "html": (b"<!doctype html><script>alert(1)</script>", "picture_not_image"),
    "gif": (b"GIF89a" + bytes(100), "picture_not_image"),
    "pdf": (b"%PDF-1.7" + bytes(100), "picture_not_image"),
    "heic": (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100), "picture_heic"),
    "avif": (
        b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif"[:24].replace(b"avif", b"mif1") + bytes(99),
        "picture_heic",
    ),
    "thirty megabytes": (png() + bytes(30 * 1024 * 1024), "picture_too_large"),
    "wave file": (b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(100), "picture_not_image"),
}


@pytest.mark.parametrize(("data", "code"), AT_THE_DOOR.values(), ids=AT_THE_DOOR)
def test_hostile_file_is_refused_at_the_door_and_nothing_is_stored(data, code):
    table = Table().to(State.PLAYING)
    with pytest.raises(Invalid) as no:
        attach(table, 0, data)
    assert (no.value.code, no.value.field) == (code, "picture")
    assert (Picture.objects.count(), stored()) == (0, [])


def test_empty_file_is_refused():
    table = Table().to(State.PLAYING)
    with pytest.raises(Invalid) as no:
        evidence.attach_picture(match_id=table.id, actor=table.user(0), upload=upload(b""), now=table.now)
    assert no.value.code == "picture_empty"


IN_THE_CHECK = {
    "decompression bomb": (bomb(), "picture_too_many_pixels"),
    "more than 25 megapixels": (png((6000, 5000)), "picture_too_many_pixels"),
    "animated png": (animated("PNG"), "picture_animated"),
    "animated webp": (animated("WEBP"), "picture_animated"),
    "cut off": (png((800, 600))[:400], "picture_damaged"),
    "cut off jpeg": (jpeg((800, 600))[:2000], "picture_damaged"),
    "only a head": (b"\x89PNG\r\n\x1a\n" + bytes(50), "picture_not_image"),
    "noise behind a head": (b"\xff\xd8\xff\xe0" + bytes(range(256)) * 20, "picture_not_image"),
}


@pytest.mark.parametrize(("data", "code"), IN_THE_CHECK.values(), ids=IN_THE_CHECK)
def test_hostile_picture_is_refused_by_the_check_and_nothing_is_kept(data, code):
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, data), table)
    assert (picture.status, picture.refusal, picture.file.name) == (Picture.REFUSED, code, "")
    assert stored() == []


def test_polyglot_loses_all_but_its_pixels():
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, png() + b"<script>alert(1)</script>PK\x03\x04"), table)
    assert picture.status == Picture.READY
    with private_storage().open(picture.file.name) as file:
        assert b"<script>" not in file.read()


def test_wrong_extension_does_not_matter_but_content_does():
    table = Table().to(State.PLAYING)
    assert check(attach(table, 0, jpeg(), "shot.svg", content_type="image/svg+xml"), table).status == Picture.READY


def test_checking_twice_changes_nothing():
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0), table)
    name = picture.file.name
    assert check(picture, table).file.name == name
    assert len(stored()) == 1


@pytest.mark.parametrize("state", [State.ROOM, State.SETTLED])
def test_attaching_is_refused_before_play_and_after_the_end(state):
    table = Table().to(state)
    with pytest.raises(Conflict) as no:
        attach(table, 0)
    assert (no.value.code, stored()) == ("wrong_state", [])


def test_attaching_a_fourth_picture_is_refused():
    table = Table().to(State.PLAYING)
    for _ in range(3):
        attach(table, 0)
    with pytest.raises(Conflict) as no:
        attach(table, 0)
    assert no.value.code == "too_many_pictures"
    assert attach(table, 1)


def test_a_refused_picture_makes_room_for_another():
    table = Table().to(State.PLAYING)
    for _ in range(3):
        check(attach(table, 0, png()[:60]), table)
    assert attach(table, 0)


def test_attaching_to_somebody_elses_match_is_forbidden():
    table = Table().to(State.PLAYING)
    with pytest.raises(Forbidden):
        evidence.attach_picture(match_id=table.id, actor=factories.user(), upload=upload(png()), now=table.now)


def test_submit_hands_in_what_was_attached_before():
    table = Table().to(State.PLAYING)
    check(attach(table, 0), table)
    table.move(0, Verb.REPORT)
    table.move(0, Verb.PROVE_INSTEAD)
    submit(table, 0, remark=" see the top row ")
    side = table.row.seats[0]
    assert (side.answer, side.remark, side.needed) == ("submitted", "see the top row", False)


def test_submit_without_a_picture_is_refused():
    table = Table().to(State.EVIDENCE)
    with pytest.raises(Conflict) as no:
        submit(table, 0)
    assert no.value.code == "no_pictures"


def test_submit_while_a_picture_is_being_checked_takes_effect_when_it_is_ready():
    table = Table().to(State.EVIDENCE)
    picture = attach(table, 0)
    submit(table, 0)
    assert table.row.seats[0].answer == ""
    check(picture, table)
    assert table.row.seats[0].answer == "submitted"


def test_submit_is_taken_back_when_the_only_picture_is_refused():
    table = Table().to(State.EVIDENCE)
    picture = attach(table, 0, png()[:60])
    submit(table, 0)
    check(picture, table)
    side = table.row.seats[0]
    assert (side.answer, side.handing_in_at) == ("", None)


def test_picture_handed_in_in_time_counts_though_no_worker_checked_it():
    table = Table().to(State.EVIDENCE)
    attach(table, 0)
    submit(table, 0)
    assert deadlines.settle(table.id, table.row.deadline_at)
    assert table.row.state == State.REVIEW


def test_bad_picture_handed_in_in_time_does_not_count():
    table = Table().to(State.EVIDENCE)
    attach(table, 0, png()[:60])
    submit(table, 0)
    assert deadlines.settle(table.id, table.row.deadline_at)
    assert table.row.ending == Ending.NOTHING_PROVEN


def test_nothing_can_be_attached_after_the_answer():
    table = Table().to(State.EVIDENCE)
    check(attach(table, 0), table)
    submit(table, 0)
    with pytest.raises(Conflict) as no:
        attach(table, 0)
    assert no.value.code == "already_answered"


def test_lost_check_is_found_by_the_sweep():
    table = Table().to(State.PLAYING)
    attach(table, 0)
    screening.check_waiting(table.now)
    assert Picture.objects.get().status == Picture.NEW
    screening.check_waiting(table.now + timedelta(seconds=5))
    assert Picture.objects.get().status == Picture.READY


def make_unreadable(picture):
    """A storage that fails: where the file should be there is a folder."""
    path = private_storage().path(picture.file.name)
    os.unlink(path)
    os.mkdir(path)


def test_picture_that_cannot_be_read_holds_up_no_other():
    table = Table().to(State.PLAYING)
    broken, fine = attach(table, 0), attach(table, 1)
    make_unreadable(broken)
    screening.check_waiting(table.now + timedelta(seconds=5))
    for picture in (broken, fine):
        picture.refresh_from_db()
    assert (broken.status, fine.status) == (Picture.NEW, Picture.READY)


def test_picture_that_cannot_be_read_does_not_keep_the_match_from_ending():
    table = Table().to(State.EVIDENCE)
    picture = attach(table, 0)
    submit(table, 0)
    path = private_storage().path(picture.file.name)
    make_unreadable(picture)
    assert deadlines.settle(table.id, table.row.deadline_at)
    picture.refresh_from_db()
    assert (picture.status, table.row.ending) == (Picture.REFUSED, Ending.NOTHING_PROVEN)
    assert not os.path.exists(path)


def test_jpeg_with_a_second_picture_as_phones_make_them_is_taken():
    out = io.BytesIO()
    second = Image.new("RGB", (320, 180), "green")
    Image.new("RGB", (640, 360), "red").save(out, "MPO", save_all=True, append_images=[second])
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0, out.getvalue(), "photo.jpg"), table)
    assert (picture.status, picture.width) == (Picture.READY, 640)


def test_refused_pictures_cannot_be_sent_for_ever(settings):
    settings.RATEMATCH = settings.RATEMATCH | {"PICTURES_TRIED_MAX": 4}
    table = Table().to(State.PLAYING)
    for _ in range(4):
        check(attach(table, 0, png()[:60]), table)
    with pytest.raises(Conflict) as no:
        attach(table, 0)
    assert no.value.code == "too_many_pictures"
    assert stored() == []


def test_refused_attaching_leaves_no_file():
    table = Table().to(State.ROOM)
    with pytest.raises(Conflict):
        attach(table, 0)
    assert stored() == []


def test_moderator_who_plays_sees_no_more_than_a_player():
    table = Table().to(State.EVIDENCE)
    picture = check(attach(table, 0), table)
    opponent = table.user(1)
    opponent.is_staff = True
    opponent.save()
    opponent.user_permissions.set(factories.moderator().user_permissions.all())
    with pytest.raises(Missing):
        evidence.picture_for(picture_id=picture.pk, viewer=type(opponent).objects.get(pk=opponent.pk))


def test_press_at_the_last_moment_counts_though_its_picture_was_not_checked(monkeypatch):
    table = Table().to(State.EVIDENCE)
    attach(table, 0)
    due = table.row.deadline_at
    real = screening.check_before_the_clock

    def press_between(match_id, now):
        real(match_id, now)
        if not table.row.seats[0].handing_in_at:
            attached = attach(table, 0)
            table.row.sides.filter(seat=0).update(handing_in_at=due - timedelta(milliseconds=1))
            assert attached.status == Picture.NEW

    monkeypatch.setattr(screening, "check_before_the_clock", press_between)
    assert deadlines.settle(table.id, due)
    assert table.row.state == State.REVIEW


def test_lost_check_is_made_up_for_by_whoever_reads_the_match():
    table = Table().to(State.PLAYING)
    attach(table, 0)
    screening.check_lost(table.id, table.now)
    assert Picture.objects.get().status == Picture.NEW
    screening.check_lost(table.id, table.now + timedelta(seconds=5))
    assert Picture.objects.get().status == Picture.READY


def test_attached_picture_can_be_taken_back_until_it_is_handed_in():
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0), table)
    with pytest.raises(Missing):
        evidence.remove_picture(match_id=table.id, actor=table.user(1), picture_id=picture.pk, now=table.now)
    evidence.remove_picture(match_id=table.id, actor=table.user(0), picture_id=picture.pk, now=table.now)
    assert Picture.objects.count() == 0


def test_only_the_two_players_and_moderators_see_a_picture():
    table = Table().to(State.PLAYING)
    picture = check(attach(table, 0), table)
    for viewer in (table.user(0), factories.moderator()):
        assert evidence.picture_for(picture_id=picture.pk, viewer=viewer) == picture
    for viewer in (factories.user(), factories.user(is_staff=True)):
        with pytest.raises(Missing):
            evidence.picture_for(picture_id=picture.pk, viewer=viewer)


def test_the_opponent_sees_a_picture_once_it_is_handed_in():
    table = Table().to(State.EVIDENCE)
    picture = check(attach(table, 0), table)
    with pytest.raises(Missing):
        evidence.picture_for(picture_id=picture.pk, viewer=table.user(1))
    submit(table, 0)
    assert evidence.picture_for(picture_id=picture.pk, viewer=table.user(1)) == picture


def test_likeness_tells_copies_of_one_screen_from_two_screens_of_one_game():
    def screen(winner, loser, score):
        return Image.open(io.BytesIO(screens.result(winner, loser, score=score, took="6:21", room="K7"))).convert("RGB")

    one, other = screen("Quarry8", "nagi_hare", "9810-8455"), screen("mizunara", "Pell", "7810-1455")
    small = io.BytesIO()
    one.resize((640, 400)).save(small, "JPEG", quality=60)
    likeness = pictures.difference_hash
    assert pictures.differing_bits(likeness(one), likeness(Image.open(small))) <= ALIKE_BITS
    assert pictures.differing_bits(likeness(one), likeness(other)) > ALIKE_BITS
