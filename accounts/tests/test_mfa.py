"""Second factors: authenticator apps, recovery codes, passkeys; and that the admin needs one."""

import re
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.tests import staff
from accounts.tests.factories import UserFactory

pytestmark = pytest.mark.django_db
ADMIN = reverse("admin:index")


def sign_in(client, user):
    return client.post("/accounts/login/", {"login": user.email, "password": "password"})


def confirm_password(client, then):
    return client.post(f"/accounts/reauthenticate/?next={then}", {"password": "password", "next": then})


def set_up_app(client):
    """Set an authenticator app up on the page, whose key is SECRET."""
    page = client.get(reverse("mfa_activate_totp"))
    if page.status_code == 302:
        confirm_password(client, reverse("mfa_activate_totp"))
        client.get(reverse("mfa_activate_totp"))
    session = client.session
    session["mfa.totp.secret"] = staff.SECRET
    session.save()
    return client.post(reverse("mfa_activate_totp"), {"code": staff.code()})


class TestPlayers:
    def test_an_app_is_set_up_and_asked_for_at_sign_in(self, client):
        user = UserFactory()
        client.force_login(user)
        assert set_up_app(client)["Location"] == reverse("mfa_view_recovery_codes")
        assert len(re.findall(r"<li>\d{8}</li>", client.get(reverse("mfa_view_recovery_codes")).content.decode())) == 10

        other = Client()
        assert sign_in(other, user)["Location"] == reverse("mfa_authenticate")
        assert other.get("/accounts/settings/").status_code == 302
        wrong = other.post(reverse("mfa_authenticate"), {"code": "000000"})
        assert "This code doesn&#x27;t fit" in wrong.content.decode()
        assert other.post(reverse("mfa_authenticate"), {"code": staff.code(periods=1)})["Location"] == "/"
        assert other.get("/accounts/settings/").status_code == 200

    def test_the_owner_is_told_by_mail(self, client, transactional_db):
        user = UserFactory(language="en")
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        client.force_login(user)
        set_up_app(client)
        client.post(reverse("mfa_deactivate_totp"))
        new = {"oldpassword": "password", "password1": "a new long one", "password2": "a new long one"}
        client.post("/accounts/password/change/", new)
        assert [message.subject for message in mail.outbox] == [
            "An authenticator app was set up", "The authenticator app was removed", "Your password was changed"
        ]  # fmt: skip
        assert "from the network address 127.0.0.1" in mail.outbox[0].body

    def test_a_code_opens_once(self, client):
        user = UserFactory()
        staff.with_app(user)
        one, two = Client(), Client()
        sign_in(one, user)
        sign_in(two, user)
        code = staff.code()
        assert one.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302
        assert two.post(reverse("mfa_authenticate"), {"code": code}).status_code == 200

    def test_a_recovery_code_opens_once(self, client):
        user = UserFactory()
        client.force_login(user)
        set_up_app(client)
        code = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()[0]
        one, two = Client(), Client()
        for browser, status in ((one, 302), (two, 200)):
            sign_in(browser, user)
            assert browser.post(reverse("mfa_authenticate"), {"code": code}).status_code == status

    def test_what_changes_it_asks_for_the_password_first(self, client):
        user = UserFactory()
        client.force_login(user)
        for name in ("mfa_activate_totp", "mfa_add_webauthn"):
            assert client.get(reverse(name))["Location"].startswith("/accounts/reauthenticate/")
        staff.with_app(user)
        for name in ("mfa_deactivate_totp", "mfa_generate_recovery_codes"):
            assert client.get(reverse(name))["Location"].startswith("/accounts/reauthenticate/")

    def test_removing_the_app_removes_the_recovery_codes(self, client):
        user = UserFactory()
        client.force_login(user)
        set_up_app(client)
        assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
        assert not Authenticator.objects.filter(user=user).exists()

    def test_not_before_the_address_is_confirmed(self, client):
        user = UserFactory()
        EmailAddress.objects.create(user=user, email=user.email, verified=False, primary=True)
        client.force_login(user)
        answer = client.get(reverse("mfa_activate_totp"), follow=True)
        assert answer.request["PATH_INFO"] == reverse("mfa_index")
        assert "Confirm your e-mail address first" in answer.content.decode()


class TestStaff:
    def test_every_page_of_the_admin_asks_for_a_second_factor(self, client):
        user = UserFactory(is_staff=True, is_superuser=True)
        client.force_login(user)
        pages = [reverse(f"admin:{m._meta.app_label}_{m._meta.model_name}_changelist") for m in admin.site._registry]
        for page in [ADMIN, reverse("admin:ratematch_review"), *pages]:
            answer = client.get(page)
            assert (page, answer.status_code) == (page, 302)
            assert answer["Location"].startswith(reverse("admin:login"))

    def test_who_has_none_is_led_to_set_one_up_and_back(self, client):
        user = UserFactory(is_staff=True)
        wanted = reverse("admin:ratematch_review")
        client.force_login(user)
        page = client.get(wanted, follow=True)
        assert page.request["PATH_INFO"] == reverse("mfa_index")
        assert "Moderators sign in with a second factor" in page.content.decode()
        set_up_app(client)
        codes = client.get(reverse("mfa_view_recovery_codes")).content.decode()
        assert f'href="{wanted}"' in codes
        assert client.get(ADMIN).status_code == 200

    def test_who_has_one_but_did_not_use_it_is_asked(self, client):
        user = UserFactory(is_staff=True)
        staff.with_app(user)
        client.force_login(user)
        page = client.get(ADMIN, follow=True)
        assert page.request["PATH_INFO"] == reverse("mfa_reauthenticate")
        assert client.post(reverse("mfa_reauthenticate"), {"code": staff.code(), "next": ADMIN})["Location"] == ADMIN
        assert client.get(ADMIN).status_code == 200

    def test_the_password_once_more_is_not_enough(self, client):
        user = UserFactory(is_staff=True)
        staff.with_app(user)
        client.force_login(user)
        confirm_password(client, ADMIN)
        assert client.get(ADMIN).status_code == 302

    def test_signing_in_with_the_app_is_enough(self, client):
        user = UserFactory(is_staff=True)
        staff.with_app(user)
        sign_in(client, user)
        client.post(reverse("mfa_authenticate"), {"code": staff.code()})
        assert client.get(ADMIN).status_code == 200

    def test_a_factor_that_was_removed_opens_nothing_any_more(self):
        user = UserFactory(is_staff=True)
        client = staff.staff_client(user)
        assert client.get(ADMIN).status_code == 200
        Authenticator.objects.all().delete()
        assert client.get(ADMIN).status_code == 302

    def test_who_has_lost_it_gets_in_again_by_a_command(self):
        user = UserFactory(is_staff=True)
        client = staff.staff_client(user)
        client.get("/inbox/")
        call_command("remove_second_factor", user.email, stdout=StringIO())
        assert client.get("/inbox/").status_code == 302
        assert sign_in(client, user)["Location"] == "/"
        assert client.get(ADMIN, follow=True).request["PATH_INFO"] == reverse("mfa_index")
        with pytest.raises(CommandError):
            call_command("remove_second_factor", "nobody@example.org")

    def test_secrets_of_second_factors_are_no_page_of_the_admin(self):
        assert Authenticator not in admin.site._registry


@pytest.mark.browser
def test_a_passkey_is_made_and_signs_in_without_a_password(browser, live_site):
    user = UserFactory()
    context = browser.new_context(base_url=live_site.replace("127.0.0.1", "localhost"), locale="en")
    page = context.new_page()
    keys = context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto("/accounts/login/")
    page.fill("[name=login]", user.email)
    page.fill("[name=password]", "password")
    page.click("main >> button:text-is('Sign in')")
    page.wait_for_url("/")

    page.goto("/accounts/2fa/webauthn/add/")
    page.fill("[name=password]", "password")
    page.click("main button")
    page.fill("[name=name]", "My phone")
    page.click("text=Add the passkey")
    page.wait_for_url("**/recovery-codes/")
    assert Authenticator.objects.get(user=user, type="webauthn").wrap().name == "My phone"

    context.clear_cookies()
    page.goto("/accounts/login/?next=/fair-play/")
    page.click("text=Sign in with a passkey")
    page.wait_for_url(re.compile(r":\d+/fair-play/$"))
    page.goto("/accounts/2fa/")
    assert "Passkey: signs you in without the password." in page.inner_text("main")

    page.goto("/accounts/2fa/recovery-codes/")  # asks once more who it is: by passkey, too
    page.click("text=Passkey")
    page.click("main >> text=Use a passkey")
    page.wait_for_selector("#codes li")
    context.close()
