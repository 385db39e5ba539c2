"""Where a Chromium is, if there is one."""

import os
import shutil
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
HOW_TO_GET_ONE = (
    "no Chromium was found. Install your system's package (Debian: apt install chromium fonts-noto-cjk), "
    "or run .venv/bin/python -m playwright install chromium, or set CHROMIUM to its path"
)
FLAGS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@cache
def find() -> str | None:
    """Its path: CHROMIUM's, one that is installed, or the one that playwright has downloaded."""
    if named := os.environ.get("CHROMIUM"):
        return named if shutil.which(named) else None
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    downloads = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    downloaded = sorted(downloads.glob("chromium-*/chrome-linux*/chrome"))
    return installed or (str(downloaded[-1]) if downloaded else None)
