"""What people write, made fit to be kept and shown."""

import pytest

from ratematch.rules.texts import plain


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Good game \n", "Good game"),
        ("対局 ありがとう", "対局 ありがとう"),
        ("a\0b", "ab"),
        ("evil \u202egnp.exe", "evil gnp.exe"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("\u200b\u2060\ufeff", ""),
        (" \u3000\t", ""),
        ("", ""),
    ],
)
def test_text_is_kept_as_far_as_it_can_be_seen(text, kept):
    assert plain(text) == kept
