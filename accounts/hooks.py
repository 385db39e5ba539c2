"""What games tell accounts about themselves, in modules of a given name that are found like Django's own.

| module | what is in it | who asks |
| --- | --- | --- |
| `<app>/notice_kinds.py` | `GROUPS`: group by kind of notice, where that isn't "matches" | notification settings |
| `<app>/export.py` | `export(user)`: the `Part`s of the user's data | the export of one's data |
| `<app>/leaving.py` | `holds`, `keep`, `restore`, `erase`: see services/leaving.py | deletion of an account |
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from django.apps import apps
from django.conf import settings
from django.utils.module_loading import module_has_submodule


@cache
def modules(name: str) -> dict[str, ModuleType]:
    """The modules of that name, by the label of the app that they belong to."""
    found = {}
    for app in apps.get_app_configs():
        ours = app.module is not None and Path(app.path).parent == settings.BASE_DIR
        if ours and module_has_submodule(app.module, name):
            found[app.label] = import_module(f"{app.name}.{name}")
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a data export: `name` with its folder; what `data` is as JSON, or what `open` gives, byte by byte."""

    name: str
    data: Any = None
    open: Callable[[], BinaryIO] | None = None
