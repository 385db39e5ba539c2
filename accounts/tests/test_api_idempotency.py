"""The same call again gets the same answer, whatever comes in between."""

import threading
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import include, path
from django.utils import timezone
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.models import Block, IdempotentAnswer
from accounts.services import blocks
from accounts.tests.factories import UserFactory, api_client
from common.errors import Conflict

runs = []
inside, go_on = threading.Event(), threading.Event()


class Counted(ApiView):
    """Counts how often it really ran."""

    write_scope = "play"
    parser_classes = [JSONParser, MultiPartParser]

    def post(self, request):
        runs.append(1)
        if "fail" in request.GET:
            raise RuntimeError
        if "refuse" in request.GET:
            raise Conflict("too_many_tokens", most=20)
        if "wait" in request.GET:
            inside.set()
            assert go_on.wait(20)
        return Response({"run": len(runs)}, status=201, headers={"Location": "/somewhere"})


urlpatterns = [path("counted", Counted.as_view()), path("api/v1/", include("config.api"))]


@pytest.fixture(autouse=True)
def _counted(settings):
    settings.ROOT_URLCONF = __name__
    runs.clear()
    inside.clear()
    go_on.clear()


def post(client, address="/counted", body=None, key="k", **more):
    return client.post(address, body or {}, headers={"idempotency-key": key}, **more)


@pytest.mark.django_db
def test_the_answer_is_given_again():
    client = api_client(UserFactory())
    first, again = post(client), post(client)
    assert len(runs) == 1
    assert (again.status_code, again.content, again["Location"]) == (201, first.content, "/somewhere")
    assert again["Content-Type"] == first["Content-Type"]
    assert again["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first
    assert "RateLimit-Limit" in again


@pytest.mark.django_db
def test_a_refusal_is_an_answer_too():
    client = api_client(UserFactory())
    answers = [post(client, "/counted?refuse") for _ in range(2)]
    assert len(runs) == 1
    assert [answer.status_code for answer in answers] == [409, 409]
    assert answers[0].content == answers[1].content
    assert answers[1]["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_keys_belong_to_a_user():
    for _ in range(2):
        post(api_client(UserFactory()))
    assert len(runs) == 2


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "body"), [("/counted?other", {}), ("/counted", {"other": 1})])
def test_a_key_is_for_one_call(address, body):
    client = api_client(UserFactory())
    post(client)
    other = post(client, address, body)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert len(runs) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "k" * 256])
def test_keys_that_are_none(key):
    answer = post(api_client(UserFactory()), key=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")
    assert not runs


@pytest.mark.django_db
def test_a_failure_of_ours_may_be_tried_again():
    client = api_client(UserFactory())
    client.raise_request_exception = False
    assert [post(client, "/counted?fail").status_code for _ in range(2)] == [500, 500]
    assert len(runs) == 2
    assert not IdempotentAnswer.objects.exists()


@pytest.mark.django_db
def test_no_key_and_no_token_leave_no_trace():
    client = api_client(UserFactory())
    client.post("/counted")
    client.post("/counted")
    assert post(api_client()).status_code == 401
    assert len(runs) == 2
    assert not IdempotentAnswer.objects.exists()


@pytest.mark.django_db
def test_files_are_compared_by_content_not_by_boundary():
    client = api_client(UserFactory())

    def upload(content):
        form = {"note": "seen", "file": SimpleUploadedFile("a.png", content)}
        return post(client, body=form, format="multipart").status_code

    assert [upload(b"one"), upload(b"one"), upload(b"two")] == [201, 201, 422]
    assert len(runs) == 1


@pytest.mark.django_db
def test_what_a_dead_process_left_is_taken_over_after_a_while():
    client = api_client(UserFactory())
    post(client)
    row = IdempotentAnswer.objects.filter(key="k")
    row.update(status=None, at=timezone.now() - timedelta(seconds=19))
    waiting = post(client)
    assert (waiting.status_code, waiting.json()["code"]) == (409, "idempotency_in_progress")
    assert waiting["Retry-After"] == "1"
    row.update(at=timezone.now() - timedelta(seconds=20))
    assert post(client).status_code == 201
    assert len(runs) == 2
    assert post(client)["Idempotent-Replayed"] == "true"


def in_thread(call, results):
    def run():
        try:
            results.append(call())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_second_of_two_at_once_hears_that_the_first_still_runs():
    user, results = UserFactory(), []
    first, second = api_client(user), api_client(user)
    thread = in_thread(lambda: post(first, "/counted?wait"), results)
    assert inside.wait(20)
    early = post(second, "/counted?wait")
    go_on.set()
    thread.join()
    assert (early.status_code, early.json()["code"]) == (409, "idempotency_in_progress")
    assert [answer.status_code for answer in results] == [201]
    assert post(second, "/counted?wait")["Idempotent-Replayed"] == "true"
    assert len(runs) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_runs():
    user, other, results = UserFactory(), UserFactory(), []
    clients = [api_client(user) for _ in range(8)]
    together = threading.Barrier(len(clients))

    def call(client):
        together.wait()
        return post(client, "/api/v1/blocks", {"user": other.pk})

    for thread in [in_thread(lambda client=client: call(client), results) for client in clients]:
        thread.join()
    fresh = [answer for answer in results if answer.status_code == 201 and "Idempotent-Replayed" not in answer]
    assert len(fresh) == 1
    assert {answer.status_code for answer in results} <= {201, 409}
    assert Block.objects.count() == 1
    assert blocks.between({user.pk, other.pk}).keys() == {user.pk, other.pk}
