"""Celery: what runs outside requests.

Nothing here is the truth about time: deadlines are columns, and the sweep only looks at them each second
(docs/architecture.md). A lost, late or doubled sweep does no harm, so a tick that waited is thrown away.
"""

import os

from celery import Celery
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun

from config import tracing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")

app = Celery("banzuke")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_ours(**_signal: object) -> None:
    """Celery leaves logging alone when somebody says that it is set up; Django's settings do."""


before_task_publish.connect(tracing.send_along)
task_prerun.connect(tracing.take_over)
task_postrun.connect(tracing.let_go)
