"""The building: settings, addresses, entry points. It imports every app; nobody imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
