"""One part of the bench on one database: `python -m scripts.bench.part NAME [--quick]`. Started by `__main__`."""

import sys
from importlib import import_module

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    name, *options = sys.argv[1:]
    import_module(f"scripts.bench.{name}").run(quick="--quick" in options)
