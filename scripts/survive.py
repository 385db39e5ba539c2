"""Kill the worker, beat, the Redis server, the web process, and all of them, each in the middle of matches.

Starts the real site (`python -m config.run`) on a database of its own, lets players play through the API, kills, and
then proves from the database, the log of each match and what players were told that every match came to its right
end and that nobody lost anything. Clocks are made to run out by moving stored deadlines, so that a busy machine changes
nothing. One line for each kill; the exit code is 1 if anything was wrong.

    .venv/bin/python scripts/survive.py [--only worker] [--database postgres://…] [--keep]
"""

import argparse
import logging
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from survival import site as sites

LIMIT_S = 300


def main() -> int:
    """Run the scenarios. Answers the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="only scenarios whose name has this in it")
    parser.add_argument("--database", default="", help="address of an empty PostgreSQL database, in place of SQLite")
    parser.add_argument("--keep", action="store_true", help="keep the folder with database and logs")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, stack: sys.exit(1))
    signal.signal(signal.SIGALRM, lambda number, stack: sys.exit(f"not done within {LIMIT_S} s"))
    signal.alarm(LIMIT_S)
    folder = Path(tempfile.mkdtemp(prefix="banzuke-survive-"))
    sites.configure(folder, asked.database)
    site = sites.Site(folder)
    try:
        return _run(site, asked.only)
    finally:
        site.stop()
        if asked.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _run(site: sites.Site, only: str) -> int:
    import django

    start = time.monotonic()
    site.start()
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from survival.scenarios import SCENARIOS, Run

    run, failed = Run(site), 0
    try:
        for turn, scenario in enumerate(SCENARIOS):
            if only in scenario.name:
                failed += bool(run.play(turn, scenario))
    except RuntimeError as error:
        print(f"FAIL  {error}", *site.log[-10:], sep="\n      ")
        failed += 1
    finally:
        run.stop()
    print(f"{'FAIL' if failed else 'PASS'}  in {time.monotonic() - start:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
