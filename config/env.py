"""The environment, read once and checked: a wrong value stops the start with one clear line."""

import sys
from typing import NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured


def stop(name: str, problem: str) -> NoReturn:
    """End the process, naming the variable that is wrong and why."""
    sys.exit(f"banzuke: {name}: {problem} (see the configuration table in README.md)")


class Env(environ.Env):
    """`environ.Env` whose complaints are one line."""

    def get_value(self, var, *args, **kwargs):  # type: ignore[no-untyped-def]  # the library's own loose signature
        try:
            return super().get_value(var, *args, **kwargs)
        except ImproperlyConfigured as error:
            stop(var, str(error))
        except ValueError as error:
            stop(var, f"can't be read: {error}")
