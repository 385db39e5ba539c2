"""What these tests share."""

import re
from functools import cache

import pytest
import requests
import schemathesis
from celery import current_app
from celery.contrib.testing.worker import start_worker
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from accounts.models import User
from accounts.tests.staff import staff_client
from ratematch.tests import factories


@cache
def _operations():
    """The schema's operations by path, without the names of parameters."""
    with translation.override("en"):
        schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    return {re.sub(r"{\w+}", "{}", path): schema[path] for path in schema}


def _check(method: str, answer: HttpResponseBase) -> None:
    path = re.sub(r"<\w+:\w+>", "{}", f"/{answer.resolver_match.route}")
    headers = {name.lower(): [value] for name, value in answer.items()}
    content = b"" if answer.streaming else answer.content  # a picture is read by whoever asked for it
    request = requests.Request(method, f"http://testserver{path}").prepare()
    _operations()[path][method].validate_response(
        schemathesis.Response(answer.status_code, headers, content, request=request, elapsed=0.0, verify=False)
    )


@pytest.fixture
def answers_fit_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer that the test gets from the API is held against the schema."""
    ask = APIClient.request

    def asked(self, **request):
        answer = ask(self, **request)
        if answer.status_code != 405:
            _check(request["REQUEST_METHOD"], answer)
        return answer

    monkeypatch.setattr(APIClient, "request", asked)


@pytest.fixture
def worker(live_site):
    """A real Celery worker on the real broker."""
    with start_worker(current_app, perform_ping_check=False, loglevel="WARNING", shutdown_timeout=20):
        yield


@pytest.fixture
def kunugi() -> User:
    """A moderator."""
    return factories.moderator("kunugi")


@pytest.fixture
def mod(kunugi: User) -> Client:
    """The moderator's browser."""
    return staff_client(kunugi)


@pytest.fixture
def sakaki() -> User:
    """A chief moderator."""
    return factories.chief("sakaki")


@pytest.fixture
def chief(sakaki: User) -> Client:
    """The chief moderator's browser."""
    return staff_client(sakaki)
