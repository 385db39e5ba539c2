"""The moderators' side: the queue, a case, the ruling, and lists where nothing can be changed (rules §5)."""

import io
import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.models import Block, Notice, User
from accounts.tests.staff import staff_client
from ratematch.admin import cases
from ratematch.models import CaseLook, Match, MatchEvent, Picture, RatingChange, Ruling
from ratematch.pictures import differing_bits
from ratematch.rules.lifecycle import Outcome, State
from ratematch.services import rulings
from ratematch.tests import factories
from ratematch.tests.factories import Table, in_review

pytestmark = pytest.mark.django_db

REVIEW = reverse("admin:ratematch_review")
REASON = "The top line of the history names the winner."


def case_url(table):
    return reverse("admin:ratematch_case", args=[table.id])


def signed_in(user):
    """A browser of `user`, with a second factor, as the admin wants it of staff."""
    return staff_client(user)


@pytest.fixture
def kunugi():
    return factories.moderator("kunugi")


@pytest.fixture
def mod(kunugi):
    return signed_in(kunugi)


def send(client, table, step, outcome="player1", reason=REASON, seen=""):
    data = {"step": step, "outcome": outcome, "reason": reason, "seen_ruling": seen}
    return client.post(case_url(table), data)


def text_of(response):
    """The page without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def stripes(seed):
    """A picture whose likeness says something."""
    image = Image.new("L", (90, 80))
    image.putdata([(x // 10 * (7 + seed) + y // 10 * (3 + seed * 5)) * 29 % 256 for y in range(80) for x in range(90)])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


# --- the queue ---


def test_queue_shows_the_oldest_first_with_its_age(mod):
    young, old = in_review(), in_review()
    now = timezone.now()
    for table, age in ((young, timedelta(minutes=3)), (old, timedelta(hours=2, minutes=31))):
        MatchEvent.objects.filter(match=table.id, state_to=State.REVIEW).update(at=now - age)
    page = mod.get(REVIEW)
    assert [match.pk for match, _cause in page.context["rows"]] == [old.id, young.id]
    text = text_of(page)
    assert "2 hours, 31 minutes" in text
    assert str(old.player(0)) in text
    assert "The two don&#x27;t agree on the result" in text
    assert f'href="{case_url(old)}">Next case' in page.content.decode()


def test_empty_queue_says_so(mod):
    Table().to(State.SETTLED)
    assert "Nothing waits for a ruling" in text_of(mod.get(REVIEW))


def test_index_leads_to_the_queue_and_says_how_many_wait(mod):
    in_review()
    page = mod.get(reverse("admin:index"))
    assert "1 match waits for a ruling" in text_of(page)
    assert f'href="{REVIEW}"' in page.content.decode()


def test_queue_says_who_has_a_case_open(mod):
    table = in_review()
    rulings.look(match_id=table.id, moderator=factories.moderator("hinoki"), now=timezone.now())
    assert "hinoki" in text_of(mod.get(REVIEW))


def test_next_case_passes_over_what_others_have_open_and_goes_round(mod, kunugi):
    first, second, third = in_review(), in_review(), in_review()
    now = timezone.now()
    rulings.look(match_id=second.id, moderator=factories.moderator("hinoki"), now=now)
    assert cases.next_case(kunugi, now).pk == first.id
    assert cases.next_case(kunugi, now, after=first.row).pk == third.id
    assert cases.next_case(kunugi, now, after=third.row).pk == first.id


def test_next_case_is_never_the_moderators_own(kunugi):
    own = in_review()
    own.row.seats[0].player.__class__.objects.filter(pk=own.player(0).pk).update(user=kunugi)
    assert cases.next_case(kunugi, timezone.now()) is None


# --- a case ---


def test_case_shows_both_sides(mod):
    table = in_review(1600, 1800)
    page = mod.get(case_url(table))
    html, text = page.content.decode(), text_of(page)
    for number, seat in ((1, 0), (2, 1)):
        assert f"Player {number}, {table.player(seat)}" in text
    assert text.count("“I won”") + text.count("I won") >= 4
    for picture in Picture.objects.filter(match=table.id):
        assert html.count(reverse("ratematch:picture", args=[picture.pk])) == 2
    assert "REVIEW" in text
    assert "K7-204" in text


def test_case_shows_remarks_and_who_handed_in_nothing(mod):
    table = in_review()
    side = table.row.seats[0]
    side.remark = "<b>3–2 for me</b>"
    side.save()
    Picture.objects.filter(match=table.id, seat=1).delete()
    page = mod.get(case_url(table))
    assert "&lt;b&gt;3–2 for me&lt;/b&gt;" in page.content.decode()
    assert "Handed in no picture" in text_of(page)


def test_every_event_of_a_match_has_words(mod):
    table = in_review()
    verbs = set(MatchEvent.objects.filter(match=table.id).values_list("verb", flat=True))
    assert {"matched", "attach", "declare", "submit_evidence"} <= verbs
    assert "handed in evidence" in text_of(mod.get(case_url(table)))


def test_same_and_similar_pictures_of_other_matches_are_shown(mod):
    same, other = stripes(1), stripes(2)
    earlier = in_review(pictures=(same, other))
    shrunk = io.BytesIO()
    Image.open(io.BytesIO(other)).resize((180, 160)).save(shrunk, "PNG")
    table = in_review(pictures=(same, shrunk.getvalue()))
    page = mod.get(case_url(table))
    text = text_of(page)
    assert f"match {earlier.id}, the same file" in text
    assert re.search(rf"match {earlier.id}, (9\d|100)% alike", text)
    assert f'href="{case_url(earlier)}"' in page.content.decode()


def test_pictures_of_the_same_match_or_far_apart_are_no_twins(mod):
    in_review(pictures=(stripes(1), stripes(1)))
    table = in_review(pictures=(stripes(2), stripes(2)))
    picture = Picture.objects.filter(match=table.id).first()
    first = Picture.objects.order_by("pk").first()
    assert differing_bits(picture.likeness, first.likeness) > cases.ALIKE_BITS
    assert "Compare the two" not in text_of(mod.get(case_url(table)))


def test_earlier_rulings_of_both_are_listed(mod, kunugi):
    earlier = in_review()
    rulings.rule(
        match_id=earlier.id, moderator=kunugi, outcome="void", reason="x", seen_ruling=None, now=timezone.now()
    )
    table = Table(earlier.player(0), factories.player()).to(State.EVIDENCE)
    page = mod.get(case_url(table))
    assert f'href="{case_url(earlier)}">{earlier.id}</a>' in page.content.decode()


def test_case_of_no_match_is_404(mod):
    assert mod.get(reverse("admin:ratematch_case", args=[999_999])).status_code == 404
    assert mod.get(reverse("admin:ratematch_case_company", args=[999_999])).status_code == 404


def test_opening_a_case_applies_a_clock_that_has_run_out(mod):
    table = Table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() - timedelta(seconds=1))
    mod.get(case_url(table))
    assert table.row.state == State.VOID


# --- the ruling ---


@pytest.mark.parametrize("outcome", list(Outcome))
def test_preview_is_what_the_ruling_then_does(mod, outcome):
    table = in_review(1600, 1800)
    previews = {option.value: option for option in mod.get(case_url(table)).context["case"].options}
    promised = [change.after for change, _note in previews[outcome].changes]
    assert previews["player1"].preview == "+24 / −24"
    checked = text_of(send(mod, table, "check", outcome))
    send(mod, table, "rule", outcome)
    assert [table.player(seat).rating for seat in (0, 1)] == promised
    for before, after in zip((1600, 1800), promised, strict=True):
        assert f"{before} → {after}" in checked


def test_preview_says_when_the_floor_stops_a_change(mod):
    table = in_review(1200, 1200)
    assert "+16 / 0 (stops at 1200)" in text_of(mod.get(case_url(table)))


def test_checking_decides_nothing(mod):
    table = in_review()
    page = send(mod, table, "check")
    assert (page.status_code, Ruling.objects.count(), table.row.state) == (200, 0, State.REVIEW)
    html = page.content.decode()
    assert html.index('value="edit"') < html.index('value="rule"')  # the safe choice comes first
    assert REASON in html


def test_going_back_keeps_what_was_typed(mod):
    table = in_review()
    html = send(mod, table, "edit", "draw").content.decode()
    assert re.search(r'value="draw"[^>]*checked', html)
    assert REASON in html


def test_ruling_settles_notifies_both_and_goes_to_the_next_case(mod, kunugi):
    table, following = in_review(1600, 1800), in_review()
    page = mod.post(
        case_url(table), {"step": "rule", "outcome": "player1", "reason": REASON, "seen_ruling": ""}, follow=True
    )
    assert page.redirect_chain == [(case_url(following), 302)]
    assert "Both players have been told" in text_of(page)
    ruling = Ruling.objects.get()
    assert (ruling.moderator, ruling.outcome, ruling.reason) == (kunugi, "player1", REASON)
    assert table.row.state == State.SETTLED
    told = Notice.objects.filter(kind="ratematch.ruled").values_list("user", flat=True)
    assert set(told) == {table.user(0).pk, table.user(1).pk}


def test_last_ruling_leads_back_to_the_queue(mod):
    assert send(mod, in_review(), "rule").url == REVIEW


@pytest.mark.parametrize("step", ["check", "rule"])
def test_missing_reason_keeps_the_outcome_and_is_said_at_the_field(mod, step):
    table = in_review()
    page = send(mod, table, step, "player2", reason="  ")
    html = page.content.decode()
    assert (page.status_code, Ruling.objects.count()) == (422, 0)
    assert re.search(r'value="player2"[^>]*checked', html)
    textarea = re.search(r"<textarea[^>]*>", html)[0]
    assert 'aria-invalid="true"' in textarea
    described = re.search(r'aria-describedby="([^"]+)"', textarea)[1]
    assert f'id="{described}"' in html
    assert "Write a reason" in text_of(page)


def test_missing_outcome_keeps_the_reason(mod):
    page = send(mod, in_review(), "check", "")
    assert (page.status_code, Ruling.objects.count()) == (422, 0)
    assert REASON in text_of(page)
    assert "Choose an outcome" in text_of(page)


def test_no_outcome_is_chosen_beforehand(mod):
    assert "checked" not in mod.get(case_url(in_review())).content.decode()


def test_too_long_a_reason_names_the_limit(mod):
    assert "Shorten the reason to 2000" in text_of(send(mod, in_review(), "rule", reason="x" * 2001))


# --- two moderators ---


@pytest.mark.parametrize("step", ["check", "rule"])
def test_second_moderator_sees_the_first_ruling_and_overwrites_nothing(mod, step):
    table = in_review()
    mod.get(case_url(table))
    hinoki = signed_in(factories.moderator("hinoki"))
    assert send(hinoki, table, "rule", "player2", "Her picture has the time.").status_code == 302
    ratings = [table.player(seat).rating for seat in (0, 1)]
    page = send(mod, table, step, "player1")
    text = text_of(page)
    assert page.status_code == 409
    assert "hinoki has ruled on this match meanwhile" in text
    assert "Her picture has the time." in text
    assert REASON in text  # what was typed stays
    assert Ruling.objects.get().outcome == "player2"
    assert [table.player(seat).rating for seat in (0, 1)] == ratings
    assert f'name="seen_ruling" value="{Ruling.objects.get().pk}"' in page.content.decode()


def test_a_double_click_rules_once_and_is_no_conflict(mod):
    table = in_review()
    assert [send(mod, table, "rule").status_code for _click in range(2)] == [302, 302]
    assert (Ruling.objects.count(), RatingChange.objects.count()) == (1, 2)


def test_who_else_has_the_case_open_is_shown_and_looked_up_again(mod):
    table, hinoki = in_review(), factories.moderator("hinoki")
    page = mod.get(case_url(table))
    assert "has this case open too" not in text_of(page)
    url = reverse("admin:ratematch_case_company", args=[table.id])
    shown = {"seen": "", "shown": page.context["shown"]}
    assert mod.get(url, shown).status_code == 204
    signed_in(hinoki).get(case_url(table))
    part = mod.get(url, shown)
    assert "hinoki has this case open too" in text_of(part)
    send(signed_in(hinoki), table, "rule")
    assert "hinoki has ruled on this match meanwhile" in text_of(mod.get(url, shown))


# --- overturning ---


def test_overturning_shows_the_history_and_compensates(mod):
    table = in_review(1600, 1800)
    send(mod, table, "rule", "player1")
    first = Ruling.objects.get()
    page = mod.get(case_url(table))
    assert "in force" in text_of(page)
    previews = {option.value: option.preview for option in page.context["case"].options}
    assert previews == {"player1": "No change", "player2": "−32 / +32", "draw": "−16 / +16", "void": "−24 / +24"}
    assert "It replaces the ruling of kunugi" in text_of(send(mod, table, "check", "player2", seen=first.pk))
    send(mod, table, "rule", "player2", seen=first.pk)
    assert [table.player(seat).rating for seat in (0, 1)] == [1592, 1808]
    text = text_of(mod.get(case_url(table)))
    assert text.count("in force") == 2  # the heading and the tag
    assert "replaced" in text


def test_an_agreed_result_can_be_overturned(mod):
    table = Table().to(State.SETTLED)
    assert "A new ruling replaces it" in text_of(mod.get(case_url(table)))
    assert send(mod, table, "rule", "void").status_code == 302
    assert table.row.state == State.VOID


def test_a_running_match_has_no_form(mod):
    table = Table()
    Match.objects.filter(pk=table.id).update(deadline_at=timezone.now() + timedelta(hours=1))
    page = mod.get(case_url(table))
    assert page.context["form"] is None
    assert "The match is still running" in text_of(page)
    assert send(mod, table, "rule").status_code == 409
    assert Ruling.objects.count() == 0


# --- who may ---


def test_own_match_has_no_form_and_says_why():
    table = in_review()
    player = table.user(0)
    User.objects.filter(pk=player.pk).update(is_staff=True)
    player.user_permissions.add(Permission.objects.get(codename="rule_match"))
    client = signed_in(player)
    page = client.get(case_url(table))
    assert page.context["form"] is None
    assert "another moderator has to rule on it" in text_of(page)
    assert send(client, table, "rule").status_code == 403
    assert (Ruling.objects.count(), CaseLook.objects.count()) == (0, 0)


def admin_pages(table):
    lists = [
        reverse(f"admin:ratematch_{name}_changelist")
        for name in ("match", "player", "ruling", "ratingchange", "picture")
    ]
    company = reverse("admin:ratematch_case_company", args=[table.id])
    return [REVIEW, case_url(table), company, *lists]


def test_staff_without_the_permission_get_403():
    table, client = in_review(), signed_in(factories.user(is_staff=True))
    assert {client.get(url).status_code for url in admin_pages(table)} == {403}
    assert send(client, table, "rule").status_code == 403
    assert "wait for a ruling" not in text_of(client.get(reverse("admin:index")))


def test_players_and_strangers_stay_out():
    table = in_review()
    for client in (signed_in(table.user(0)), Client()):
        assert {client.get(url).status_code for url in admin_pages(table)} == {302}
        assert send(client, table, "rule").status_code == 302
    assert signed_in(table.user(0)).get(REVIEW, follow=True).status_code == 403
    assert Ruling.objects.count() == 0


def test_superusers_who_are_staff_may_rule():
    table = in_review()
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    assert send(chief, table, "rule").status_code == 302


def test_a_ruling_needs_its_secret_of_the_form(kunugi):
    client = staff_client(kunugi, enforce_csrf_checks=True)
    assert send(client, in_review(), "rule").status_code == 403
    assert Ruling.objects.count() == 0


# --- lists ---


def test_matches_are_found_by_number_name_and_state(mod):
    table, other = in_review(), Table()
    url = reverse("admin:ratematch_match_changelist")
    for query in ({"q": str(table.id)}, {"q": str(table.player(0))}, {"state__exact": "review"}):
        found = mod.get(url, query).context["cl"].queryset
        assert table.id in [row.pk for row in found]
        if "state__exact" in query:
            assert other.id not in [row.pk for row in found]


def test_a_match_opens_as_its_case(mod):
    table = in_review()
    page = mod.get(reverse("admin:ratematch_match_change", args=[table.id]))
    assert page.url == case_url(table)


def test_nothing_of_rated_matches_can_be_added_changed_or_deleted(rf):
    chief = factories.user(is_staff=True, is_superuser=True)
    client, table = signed_in(chief), in_review()
    send(client, table, "rule")
    request = rf.get("/")
    request.user = chief
    ours = {model: ma for model, ma in admin.site._registry.items() if model._meta.app_label == "ratematch"}
    assert len(ours) == 5
    for model, model_admin in ours.items():
        assert not model_admin.has_add_permission(request)
        assert not model_admin.has_change_permission(request)
        assert not model_admin.has_delete_permission(request)
        assert model_admin.get_actions(request) == {}
        name = f"admin:ratematch_{model._meta.model_name}"
        row = model.objects.first()
        assert client.get(reverse(f"{name}_add")).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        assert client.post(reverse(f"{name}_change", args=[row.pk]), {"reason": "other"}).status_code in (302, 403)
        assert client.get(reverse(f"{name}_change", args=[row.pk]), follow=True).status_code == 200
    assert Ruling.objects.get().reason == REASON


@pytest.fixture
def queries_of(mod):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count(url):
        mod.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert mod.get(url).status_code == 200
        return len(queries)

    return count


def test_query_counts_do_not_grow_with_rows(queries_of, kunugi):
    def fill():
        table = in_review(pictures=(stripes(1), stripes(2)))
        rulings.look(match_id=table.id, moderator=factories.moderator(), now=timezone.now())
        ended = in_review()
        rulings.rule(
            match_id=ended.id, moderator=kunugi, outcome="draw", reason="x", seen_ruling=None, now=timezone.now()
        )
        return table

    table = fill()
    urls = [url for url in admin_pages(table) if "company" not in url] + [reverse("admin:index")]
    one = [queries_of(url) for url in urls]
    fill()
    fill()
    assert [queries_of(url) for url in urls] == one
    assert max(one) <= 40


# --- other pages of the admin ---


def test_users_can_be_looked_up_but_their_password_not():
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    someone = factories.user("nagi_hare")
    found = chief.get(reverse("admin:accounts_user_changelist"), {"q": someone.email})
    assert "nagi_hare" in text_of(found)
    html = chief.get(reverse("admin:accounts_user_change", args=[someone.pk])).content.decode()
    assert "password" not in re.sub(r"<nav.*?</nav>", "", html, flags=re.DOTALL).lower()
    assert someone.password not in html
    assert chief.get(reverse("admin:accounts_user_add")).status_code == 403


def test_only_superusers_hand_out_rights():
    clerk = factories.user(is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    client, someone = signed_in(clerk), factories.user("nagi_hare")
    raised = {"display_name": "nagi_hare", "is_active": "", "is_staff": "on", "is_superuser": "on"}
    assert client.post(reverse("admin:accounts_user_change", args=[someone.pk]), raised).status_code == 302
    someone.refresh_from_db()
    assert (someone.is_active, someone.is_staff, someone.is_superuser) == (False, False, False)
    assert client.post(reverse("admin:accounts_user_change", args=[clerk.pk]), raised).status_code == 403


def test_blocks_and_notices_are_read_only():
    chief = signed_in(factories.user(is_staff=True, is_superuser=True))
    block = Block.objects.create(user=factories.user(), blocked=factories.user())
    in_review()
    for name, row in (("block", block), ("notice", Notice.objects.first())):
        assert chief.get(reverse(f"admin:accounts_{name}_changelist")).status_code == 200
        assert chief.get(reverse(f"admin:accounts_{name}_change", args=[row.pk])).status_code == 200
        assert chief.post(reverse(f"admin:accounts_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_admin_pages_keep_the_strict_policy_and_the_accounts_theme(mod, kunugi):
    User.objects.filter(pk=kunugi.pk).update(theme="dark")
    table = in_review()
    for url in (*admin_pages(table), reverse("admin:index")):
        page = mod.get(url)
        html = page.content.decode()
        assert " style=" not in html
        assert "<style" not in html
        assert not re.search(r"<script(?![^>]*\bsrc=)", html)
        if "company" not in url:
            assert 'data-theme="dark"' in html
            assert "theme-toggle" not in html
