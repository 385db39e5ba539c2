"""As in production, on either database and without TLS: static files collected, templates cached."""

from config.settings.base import *  # noqa: F403
from config.settings.base import LOGGING

ROOT_URLCONF = "scripts.bench.urls"
API_RATE = {"user": (10_000_000, 60), "anon": (10_000_000, 60)}  # counted as always, never reached
LOGGING["root"]["level"] = "WARNING"
