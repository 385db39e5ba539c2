"""Appointing and dismissing moderators (rules §5)."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission

from accounts.models import User
from common.errors import Conflict, Forbidden, Missing
from ratematch.models import Case, CaseLook
from ratematch.policies import can_appoint, can_change_policy, can_moderate, can_overturn
from ratematch.services import cases, rulings, staff
from ratematch.services.staff import Role
from ratematch.tests import factories
from ratematch.tests.desk import reported
from ratematch.tests.factories import NOW, in_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def hinoki():
    return factories.user("hinoki")


def appoint(actor, user, role=Role.MODERATOR):
    staff.appoint(actor=actor, user_id=user.pk, role=role, now=NOW)
    return User.objects.get(pk=user.pk)


def dismiss(actor, user):
    staff.dismiss(actor=actor, user_id=user.pk, now=NOW)
    return User.objects.get(pk=user.pk)


def test_a_moderator_rules_and_nothing_else(sakaki, hinoki):
    user = appoint(sakaki, hinoki)
    assert user.is_staff
    assert [may(user) for may in (can_moderate, can_overturn, can_change_policy, can_appoint)] == [True, *[False] * 3]


def test_a_chief_may_all_and_one_has_one_role(sakaki, hinoki):
    appoint(sakaki, hinoki)
    user = appoint(sakaki, hinoki, Role.CHIEF)
    assert all(may(user) for may in (can_moderate, can_overturn, can_change_policy, can_appoint))
    assert user.groups.count() == 1
    assert not can_overturn(appoint(sakaki, hinoki, Role.MODERATOR))


def test_who_is_dismissed_is_no_staff_and_holds_no_case(sakaki, hinoki):
    user = appoint(sakaki, hinoki)
    case = reported()
    cases.take(case_id=case.pk, actor=user, now=NOW)
    rulings.look(match_id=in_review().id, moderator=user, now=NOW)
    user = dismiss(sakaki, hinoki)
    assert not user.is_staff
    assert not can_moderate(user)
    assert Case.objects.get(pk=case.pk).taken_by is None
    assert CaseLook.objects.count() == 0


def test_staff_for_other_reasons_stay_staff(sakaki):
    admin = factories.user(is_staff=True, is_superuser=True)
    clerk = factories.user(is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_user"))
    for user in (admin, clerk):
        appoint(sakaki, user)
        assert dismiss(sakaki, user).is_staff


def test_it_is_logged(sakaki, hinoki):
    appoint(sakaki, hinoki, Role.CHIEF)
    dismiss(sakaki, hinoki)
    rows = LogEntry.objects.order_by("pk").values_list("user", "object_repr", "change_message", "action_time")
    assert list(rows) == [
        (sakaki.pk, "hinoki", "appointed: chief", NOW),
        (sakaki.pk, "hinoki", "dismissed", NOW),
    ]


@pytest.mark.parametrize("command", [appoint, dismiss])
def test_refusals(kunugi, sakaki, hinoki, command):
    with pytest.raises(Forbidden, match="chief_appoints"):
        command(kunugi, hinoki)
    with pytest.raises(Forbidden, match="own_role"):
        command(sakaki, sakaki)
    with pytest.raises(Missing, match="no_such_user"):
        command(sakaki, User(pk=999_999))


def test_nothing_is_done_twice(sakaki, hinoki):
    with pytest.raises(Conflict, match="has_no_role"):
        dismiss(sakaki, hinoki)
    appoint(sakaki, hinoki)
    with pytest.raises(Conflict, match="has_role"):
        appoint(sakaki, hinoki)


def test_accounts_that_are_closed_are_not_appointed(sakaki, hinoki):
    User.objects.filter(pk=hinoki.pk).update(is_active=False)
    with pytest.raises(Missing, match="no_such_user"):
        appoint(sakaki, hinoki)
