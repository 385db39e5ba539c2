"""Celery: what runs outside requests.

Nothing here is the truth about time: deadlines are columns, and the sweep only looks at them each second
(docs/architecture.md). A lost, late or doubled sweep does no harm, so a tick that waited is thrown away.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")

app = Celery("banzuke")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
