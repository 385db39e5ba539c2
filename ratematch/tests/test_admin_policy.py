"""The editor of the fair-play policy (rules §4)."""

import pytest
from django.urls import reverse
from django.utils import timezone

from ratematch.admin.forms import AUTOMATIC, LEVELS, POINTS
from ratematch.models import FairPlayPolicy, Player
from ratematch.services import penalties
from ratematch.tests import factories
from ratematch.tests.desk import text_of

pytestmark = pytest.mark.django_db

URL = reverse("admin:ratematch_fairplaypolicy_changelist")


def sent(step="check", **values):
    """The form as the page shows it, with other values."""
    row = FairPlayPolicy.objects.get()
    shown = {name: getattr(row, name) for name in (*POINTS, *LEVELS, *AUTOMATIC)} | values
    return {"step": step, **{name: value for name, value in shown.items() if value is not False}}


@pytest.fixture
def two_points(kunugi):
    player = factories.player()
    penalties.penalise_player(player_id=player.pk, actor=kunugi, category="abuse", reason="x", now=timezone.now())
    return player


def test_how_many_change_level_is_said_before(chief, two_points):
    assert "A → B 1 player" in text_of(chief.post(URL, sent(b_from=2)))
    assert "Nobody changes level" in text_of(chief.post(URL, sent(abuse=9)))
    assert (FairPlayPolicy.objects.get().b_from, Player.objects.get(pk=two_points.pk).level) == (3, "A")


def test_policy_is_put_in_force(chief, sakaki, two_points):
    assert chief.post(URL, sent("put", b_from=2, abuse=5, leaves_cost="on")).url == URL
    policy = FairPlayPolicy.objects.get()
    assert (policy.b_from, policy.abuse, policy.leaves_cost, policy.changed_by) == (2, 5, True, sakaki)
    assert Player.objects.get(pk=two_points.pk).level == "B"
    assert "by sakaki" in text_of(chief.get(URL))


@pytest.mark.parametrize(
    ("values", "field"), [({"c_from": 3}, "d_from"), ({"lasts_days": 0}, "lasts_days"), ({"abuse": "x"}, "abuse")]
)
def test_what_cannot_be_is_said_at_its_field(chief, values, field):
    page = chief.post(URL, sent("put", **values))
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {field}
    assert FairPlayPolicy.objects.get().changed_by is None


def test_moderators_neither_read_nor_change_it(mod):
    assert mod.get(URL).status_code == 403
    assert mod.post(URL, sent("put", b_from=1)).status_code == 403
    assert "Fair-play policy" not in text_of(mod.get(reverse("admin:index")))
