"""What is refused before any view: too much, and NUL."""

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.tests.factories import UserFactory
from accounts.tests.staff import staff_client

pytestmark = pytest.mark.django_db
NUL_COOKIE = '"a\\000b"'


@pytest.fixture
def chief():
    return staff_client(UserFactory(is_staff=True, is_superuser=True))


@pytest.mark.parametrize(
    "address", ["/admin/ratematch/match/?state=%00", "/accounts/tokens/%00/revoke/", "/players/1/?a=%00", "/%00"]
)
def test_nul_in_an_address_is_a_page_that_says_no(chief, address):
    answer = chief.get(address)
    assert answer.status_code == 400
    assert "This request can't be read" in answer.content.decode()
    assert answer["Content-Security-Policy"]


def test_nul_in_a_cookie_is_no_error_of_ours(client):
    assert client.get("/", headers={"cookie": f"{settings.SESSION_COOKIE_NAME}={NUL_COOKIE}"}).status_code == 400


def test_programs_hear_of_nul_as_a_problem(client):
    answer = client.get("/api/v1/ratematch/ladder?q=%00")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert answer["Content-Type"] == "application/problem+json"


def test_what_is_no_token_has_no_address_to_revoke_it(chief):
    assert chief.post("/accounts/tokens/xyz/revoke/").status_code == 404
    assert chief.post(reverse("revoke_token", args=["0f" * 64])).status_code == 302


def test_a_body_that_is_too_large_is_refused_unread(client, settings):
    settings.BODY_MAX_BYTES = 1024 * 1024
    size = str(1024 * 1024 + 1)
    page = client.post("/accounts/signup/", b"", content_type="multipart/form-data; boundary=x", CONTENT_LENGTH=size)
    assert page.status_code == 413
    assert page.content.decode().startswith("The file is larger than 1 MB.")
    japanese = client.post("/", b"", CONTENT_LENGTH=size, content_type="a/b", headers={"accept-language": "ja"})
    assert "1 MB" in japanese.content.decode()
    assert "larger" not in japanese.content.decode()
    program = client.post("/api/v1/ratematch/queue", b"", content_type="application/json", CONTENT_LENGTH=size)
    assert (program.status_code, program.json()["code"]) == (413, "too_large")
    assert program["Content-Type"] == "application/problem+json"
    assert not User.objects.exists()


@pytest.mark.parametrize("length", ["", "many", "-1", "²"])
def test_a_length_that_is_no_number_is_none(client, length):
    assert client.get("/fair-play/", CONTENT_LENGTH=length).status_code == 200
