"""docs/api/openapi.yaml is what the code says."""

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the ranges of integers are those of the database")
def test_the_schema_that_is_checked_in_is_fresh(tmp_path):
    generated = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(generated), validate=True, fail_on_warn=True)
    kept = settings.BASE_DIR / "docs" / "api" / "openapi.yaml"
    assert generated.read_text() == kept.read_text(), "the API has changed: run `make schema`"
