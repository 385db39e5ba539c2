"""Call the API with made-up data for some minutes, and hold every answer against the schema.

Starts the real site (`python -m config.run`) with the demo data on a database of its own, makes a token for a demo
player, and lets schemathesis call all that the schema has: right data and wrong data, one call and chains of calls. The
exit code is 1 if an answer was a server error or isn't what the schema says, and afterwards if something doesn't hold
that must (`check_integrity`).

    .venv/bin/python scripts/fuzz_api.py [--seconds 300] [--database postgres://…]
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from survival import site as sites

NOT_HELD = "positive_data_acceptance"
"""Data that the schema allows may well be refused: one can't block oneself."""
NEVER_ENDS = "^/api/v1/events$"


def main() -> int:
    """Run it. Answers the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=300, help="how long to call")
    parser.add_argument("--database", default="", help="address of an empty PostgreSQL database, in place of SQLite")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, stack: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="banzuke-fuzz-"))
    sites.configure(folder, asked.database)
    site = sites.Site(folder)
    try:
        return _run(site, folder, asked.seconds)
    finally:
        site.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _run(site: sites.Site, folder: Path, seconds: int) -> int:
    import django

    usual = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.development"}  # the demo's players take their time
    for words in (["migrate", "--verbosity=0"], ["demo"]):
        subprocess.run(
            [sys.executable, "manage.py", *words], cwd=sites.ROOT, env=usual, check=True, capture_output=True
        )
    site.start()
    django.setup()
    start = time.monotonic()
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", f"{site.url}/api/v1/schema/"]
    command += ["--max-time", str(seconds), "--checks", "all", "--exclude-checks", NOT_HELD, "--workers", "1"]
    command += ["--exclude-path-regex", NEVER_ENDS, "--request-timeout", "20", "--no-color"]
    command += ["--header", f"Authorization: Bearer {_token()}"]
    done = subprocess.run(command, cwd=folder, check=False)
    print(f"{time.monotonic() - start:.0f} s of calls")
    held = subprocess.run([sys.executable, "manage.py", "check_integrity"], cwd=sites.ROOT, check=False)
    return 1 if done.returncode or held.returncode else 0


def _token() -> str:
    from django.utils import timezone

    from accounts.models import ApiToken, User
    from accounts.services import tokens
    from ratematch.demo import people

    user = User.objects.get(email=people.PEOPLE[0].email)
    scopes = list(ApiToken.SCOPES)
    return tokens.create(actor=user, name="fuzz", scopes=scopes, days=1, now=timezone.now())[1]


if __name__ == "__main__":
    sys.exit(main())
