"""The whole site on one machine with one command: `python -m config.run`, which `make run` calls."""
