"""The environment, read once and checked: a wrong value stops the start with one clear line."""

import os
import re
import secrets
import sys
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import environ
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured

BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def stop(name: str, problem: str) -> NoReturn:
    """End the process, naming the variable that is wrong and why."""
    sys.exit(f"banzuke: {name}: {problem} (see the configuration table in README.md)")


class Env(environ.Env):
    """`environ.Env` whose complaints are one line."""

    def get_value(self, var, *args, **kwargs):  # the library's own loose signature
        try:
            return super().get_value(var, *args, **kwargs)
        except ImproperlyConfigured as error:
            stop(var, str(error))
        except ValueError as error:
            stop(var, f"can't be read: {error}")

    def bool(self, var, default=environ.Env.NOTSET):  # the library takes a typo for no
        value = str(self.str(var, default="")).strip().lower()
        if value not in BOOLEANS and value:
            stop(var, f"must be 1 or 0, not {value!r}")
        return BOOLEANS.get(value, default)

    def email_url(self, var, default=environ.Env.NOTSET):
        try:
            return super().email_url(var, default)
        except (ImproperlyConfigured, ValueError) as error:
            stop(var, f"can't be read: {error}")

    def database(self, var: str, default: str) -> dict[str, Any]:
        """The database of a URL, as Django's settings have it."""
        url = str(self.str(var, default="")) or default
        try:
            if urlsplit(url).scheme not in ("postgres", "postgresql", "sqlite"):
                stop(var, "must start with postgres:// or sqlite://")
            return self.db_url_config(url)
        except (ImproperlyConfigured, ValueError) as error:
            stop(var, f"can't be read: {error}")

    def at_least_one(self, var: str, default: int) -> int:
        """A whole number from 1."""
        number = int(self.int(var, default=default))
        if number < 1:
            stop(var, f"must be at least 1, not {number}")
        return number

    def hosts(self, var: str, default: Collection[str]) -> list[str]:
        """Names of hosts, comma-separated."""
        hosts = list(self.list(var, default=list(default)))
        for host in hosts:
            if "/" in host:
                stop(var, f"must be names alone, without https:// or a path, not {host!r}")
        return hosts

    def origins(self, var: str) -> list[str]:
        """Schemes with hosts, comma-separated; none by default."""
        origins = list(self.list(var, default=[]))
        for origin in origins:
            if not origin.startswith(("http://", "https://")):
                stop(var, f"must start with https:// or http://, not {origin!r}")
        return origins

    def site_url(self, var: str, default: str) -> str:
        """Scheme and host by which the site is reached, without a slash at the end."""
        url = str(self.str(var, default=default)).rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query:
            stop(var, f"must be https:// and a host, without a path, not {url!r}")
        return url

    def vapid_key(self, var: str) -> str:
        """A private key as `new_vapid_key` makes it; empty if there is none."""
        key = str(self.str(var, default=""))
        if key and not re.fullmatch(r"[A-Za-z0-9_-]{43}=?", key):
            stop(var, "must be 43 characters, as `manage.py vapid_key` makes them")
        return key.rstrip("=")

    def one_of(self, var: str, choices: Collection[str], default: str) -> str:
        """A word out of a closed list."""
        value = str(self.str(var, default=default))
        if value not in choices:
            some = ", ".join(list(choices)[:5]) + (", …" if len(choices) > 5 else "")
            stop(var, f"{value!r} is none of {some}")
        return value


def own_secret(
    folder: Path, name: str = "secret_key", make: Callable[[], str] = lambda: secrets.token_urlsafe(50)
) -> str:
    """A secret made once and kept in `folder`, so that one command is enough and sessions outlive a restart.

    Raises OSError. The file is there as a whole or not at all, whenever we are killed; an empty one is made anew.
    """
    path = folder / name
    if path.exists() and (kept := path.read_text().strip()):
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(prefix=f".{name}-", dir=folder)  # for nobody else to read
    with os.fdopen(handle, "w") as file:
        file.write(make())
        file.flush()
        os.fsync(file.fileno())
    Path(unfinished).replace(path)
    return path.read_text()


def new_vapid_key() -> str:
    """A private key for web push (P-256), in base64url without padding."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")
