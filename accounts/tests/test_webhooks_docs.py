"""docs/webhooks.md shows how to check a signature, and lists every kind of event."""

import re

import pytest
from django.conf import settings

from accounts.services.webhooks import kinds
from accounts.tests.receiver import receiving
from accounts.tests.test_webhooks_sending import send

PAGE = (settings.BASE_DIR / "docs" / "webhooks.md").read_text()
SECRET, OTHER = "whsec_" + "QUJD" * 8, "whsec_" + "WFla" * 8


@pytest.fixture
def is_ours():
    """The page's own function."""
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code
    names = {}
    exec(code[1], names)  # noqa: S102  # our own page
    return names["is_ours"]


def test_the_example_tells_ours_from_others(is_ours):
    with receiving() as receiver:
        send(receiver.url, (OTHER, SECRET))
    headers, body = receiver.came[0]
    assert is_ours(SECRET, headers, body)
    assert is_ours(OTHER, headers, body)
    assert not is_ours("whsec_" + "AAAA" * 8, headers, body)
    assert not is_ours(SECRET, headers, body + b" ")
    assert not is_ours(SECRET, headers | {"webhook-id": "msg_2"}, body)
    assert not is_ours(SECRET, headers | {"webhook-timestamp": "1700000000"}, body)


def test_every_kind_is_listed():
    assert set(re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE)) == set(kinds.registered()) | {kinds.PING}
