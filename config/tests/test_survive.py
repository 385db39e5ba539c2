"""Any part of the site may die in the middle of matches: the script that kills them all, on a real site."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_all_matches_come_to_their_right_end_whatever_is_killed(own_database: list[str]) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "survive.py"), *own_database]
    seen = subprocess.run(script, check=False, capture_output=True, text=True, timeout=400)  # noqa: S603
    assert seen.returncode == 0, f"{seen.stdout}\n{seen.stderr[-3000:]}"
