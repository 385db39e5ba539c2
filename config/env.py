"""The environment, read once and checked: a wrong value stops the start with one clear line."""

import sys
from collections.abc import Collection
from typing import NoReturn

import environ
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
        except ImproperlyConfigured as error:
            stop(var, str(error))

    def one_of(self, var: str, choices: Collection[str], default: str) -> str:
        """A word out of a closed list."""
        value = str(self.str(var, default=default))
        if value not in choices:
            some = ", ".join(list(choices)[:5]) + (", …" if len(choices) > 5 else "")
            stop(var, f"{value!r} is none of {some}")
        return value
