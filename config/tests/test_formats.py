"""How dates read in each language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

MOMENT = datetime(2026, 6, 3, 9, 5, tzinfo=UTC)
NAMES = ("DATETIME_FORMAT", "SHORT_DATE_FORMAT", "MONTH_DAY_FORMAT")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["3 June 2026, 09:05", "3 Jun 2026", "3 Jun"]),
        ("ja", ["2026年6月3日 09:05", "2026/6/3", "6/3"]),
        ("zh-hans", ["2026年6月3日 09:05", "2026/6/3", "6/3"]),
    ],
)
def test_dates_are_written_as_readers_write_them(code, expected):
    with translation.override(code):
        assert [date_format(MOMENT, name) for name in NAMES] == expected
