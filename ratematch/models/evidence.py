"""Screenshots."""

from __future__ import annotations

import uuid
from pathlib import PurePath

from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratematch.models.matches import Match


def private_storage() -> Storage:
    """Where evidence lies: outside anything that a web server gives out by itself."""
    return storages["private"]


def picture_path(picture: Picture, filename: str) -> str:
    """A random name, so that a path says nothing; what the player's file was called is not kept."""
    return f"evidence/{uuid.uuid4().hex}{PurePath(filename).suffix}"


class PictureQuerySet(models.QuerySet["Picture"]):
    def evidence(self) -> PictureQuerySet:
        """Those handed in as evidence of a match, not with a report or a contest."""
        return self.filter(report=None, contest=None)


class Picture(models.Model):
    """A screenshot: evidence of a match, or belonging to a report or to a contest of its result.

    NEW until a check has decoded it and written a clean copy; GONE when it has been kept long enough: what tells
    whether another picture is the same stays.
    """

    NEW, READY, REFUSED, GONE = "new", "ready", "refused", "gone"
    STATUSES = {
        NEW: pgettext_lazy("status of a picture", "being checked"),
        READY: pgettext_lazy("status of a picture", "checked"),
        REFUSED: pgettext_lazy("status of a picture", "refused"),
        GONE: pgettext_lazy("status of a picture", "deleted"),
    }

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="pictures", verbose_name=_("match"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    report = models.ForeignKey("Report", null=True, blank=True, on_delete=models.CASCADE, related_name="pictures")
    contest = models.ForeignKey("Contest", null=True, blank=True, on_delete=models.CASCADE, related_name="pictures")
    status = models.CharField(_("status"), max_length=7, choices=list(STATUSES.items()), default=NEW)
    refusal = models.CharField(_("refused because"), max_length=30, blank=True)
    file = models.FileField(storage=private_storage, upload_to=picture_path, blank=True)
    received_at = models.DateTimeField(_("received"), default=timezone.now)
    width = models.PositiveIntegerField(_("width"), null=True)
    height = models.PositiveIntegerField(_("height"), null=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True, db_index=True)  # of the file as it was handed in
    likeness = models.CharField(_("likeness"), max_length=256, blank=True)  # difference hash, to find near copies

    objects = PictureQuerySet.as_manager()

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(report=None) | Q(contest=None), name="a_picture_has_one_use"),
        ]
        indexes = [models.Index(fields=["received_at"], condition=Q(status="new"), name="picture_unchecked")]

    def __str__(self) -> str:
        return f"picture {self.pk} of match {self.match_id}"
