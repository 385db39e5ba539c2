"""Modules of one name that apps may have, such as `integrity`. Config asks them; they don't know of each other."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from django.apps import apps


def modules(name: str) -> Iterator[tuple[str, ModuleType]]:
    """The label of each app that has a module `name`, and that module."""
    for app in apps.get_app_configs():
        if find_spec(f"{app.name}.{name}"):
            yield app.label, import_module(f"{app.name}.{name}")
