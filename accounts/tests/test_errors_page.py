"""docs/errors.md lists every code that a program can meet, and none that there isn't."""

import re

import pytest
from django.conf import settings
from rest_framework import exceptions

from common import problems

ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
SECTION_OF_INPUTS = "## Codes of single inputs"


def drf_codes(kind=exceptions.APIException):
    """The codes of DRF's own exceptions; `invalid` is always told as `invalid_input`."""
    own = {kind.default_code} if kind.__module__ == exceptions.__name__ else set()
    return own.union(*map(drf_codes, kind.__subclasses__())) - {"invalid"}


@pytest.fixture
def listed():
    page = (settings.BASE_DIR / "docs" / "errors.md").read_text()
    calls, _, inputs = page.partition(SECTION_OF_INPUTS)
    return ROW.findall(calls), ROW.findall(inputs)


def test_every_code_is_listed_once(listed):
    calls, inputs = listed
    assert problems.registered() | drf_codes() <= set(calls)
    assert len(calls + inputs) == len(set(calls + inputs))


def test_nothing_is_listed_that_there_isnt(listed):
    elsewhere = {"token_expired", "unavailable"}  # accounts.api.auth, config.live
    assert set(listed[0]) == problems.registered() | drf_codes() | elsewhere
