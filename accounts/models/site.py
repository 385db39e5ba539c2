"""The site's own pulse."""

from django.db import models


class Heartbeat(models.Model):
    """When a part of the site last said that it lives: `web` decides what an outage is, `worker` is watched."""

    part = models.CharField(max_length=20, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.part} {self.beat_at:%H:%M:%S}"
