"""Five minutes of made-up calls to the whole API of a real site: no server error, and nothing that the schema doesn't
say. accounts/tests/test_api_schema.py is the short form of it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_every_answer_is_as_the_schema_says(own_database: list[str]) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "fuzz_api.py"), "--seconds", "300", *own_database]
    seen = subprocess.run(script, check=False, capture_output=True, text=True, timeout=600)  # noqa: S603
    assert seen.returncode == 0, f"{seen.stdout[-6000:]}\n{seen.stderr[-3000:]}"
