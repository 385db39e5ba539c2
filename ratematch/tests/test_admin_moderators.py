"""The page on which chief moderators appoint and dismiss."""

import pytest
from django.urls import reverse

from accounts.models import User
from ratematch.policies import can_moderate
from ratematch.services import staff
from ratematch.services.staff import Role
from ratematch.tests import factories
from ratematch.tests.desk import signed_in, text_of

pytestmark = pytest.mark.django_db

URL = reverse("admin:ratematch_moderators")


def dismiss_url(user):
    return reverse("admin:ratematch_dismiss", args=[user.pk])


def test_appointing_by_name_or_address_and_dismissing(chief):
    by_name, by_address = factories.user("hinoki"), factories.user("tsuga")
    assert chief.post(URL, {"who": "Hinoki", "role": "moderator"}).url == URL
    assert chief.post(URL, {"who": f" {by_address.email}", "role": "chief"}).url == URL
    page = chief.get(URL)
    assert [(str(user), role.value) for user, role in page.context["people"]] == [
        ("hinoki", "moderator"),
        ("tsuga", "chief"),
    ]
    assert "tsuga: appointed as chief moderator sakaki" in text_of(page)
    assert chief.post(dismiss_url(by_name)).url == URL
    assert not can_moderate(User.objects.get(pk=by_name.pk))
    assert "hinoki: dismissed sakaki" in text_of(chief.get(URL))


def test_appointed_moderators_get_in(chief):
    hinoki = factories.user("hinoki")
    chief.post(URL, {"who": "hinoki", "role": "moderator"})
    assert signed_in(User.objects.get(pk=hinoki.pk)).get(reverse("admin:ratematch_review")).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({"who": "nobody", "role": "chief"}, 422, "Nobody has this name or address"),
        ({"who": "", "role": "chief"}, 422, ""),
        ({"who": "hinoki", "role": "king"}, 422, ""),
        ({"who": "sakaki", "role": "moderator"}, 403, "another chief moderator"),
        ({"who": "hinoki", "role": "moderator"}, 409, "this role already"),
    ],
)
def test_refusals_are_said_at_the_field(chief, sakaki, sent, status, said):
    hinoki = factories.user("hinoki")
    staff.appoint(actor=sakaki, user_id=hinoki.pk, role=Role.MODERATOR, now=factories.NOW)
    page = chief.post(URL, sent)
    assert page.status_code == status
    assert said in text_of(page)
    assert page.context["form"].errors


def test_refusals_of_dismissing_are_said_on_the_page(chief, sakaki):
    for user in (sakaki, factories.user()):
        page = chief.post(dismiss_url(user), follow=True)
        assert page.context["messages"]
        assert 'role="alert"' in page.content.decode()


def test_it_is_for_chiefs(mod):
    assert mod.get(URL).status_code == 403
    assert mod.post(URL, {"who": "kunugi", "role": "chief"}).status_code == 403
    assert mod.post(dismiss_url(factories.user())).status_code == 403
