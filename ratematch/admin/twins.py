"""Pictures that were handed in before, for another match (rules §9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ratematch.models import Picture
from ratematch.pictures import HASH_BITS, differing_bits

ALIKE_BITS = 18
"""Two pictures whose difference hashes differ in at most this many bits are shown as alike."""
COMPARED = 5_000
"""How many of the newest pictures a new one is compared with; the very same file is found however old it is."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A picture of another match that is the same as, or much like, one of this match."""

    picture_id: int
    match_id: int
    received_at: datetime
    percent: int
    same_file: bool


def twins_of(pictures: Iterable[Picture]) -> dict[int, list[Twin]]:
    """For pictures of one match, by id: those of other matches that are the same or alike, the most alike first."""
    pictures = [picture for picture in pictures if picture.status == Picture.READY]
    if not pictures:
        return {}
    columns = ("pk", "match_id", "received_at", "sha256", "likeness")
    others = Picture.objects.filter(status__in=(Picture.READY, Picture.GONE)).exclude(match=pictures[0].match_id)
    newest = others.order_by("-pk").values_list(*columns, named=True)[:COMPARED]
    same = others.filter(sha256__in={picture.sha256 for picture in pictures}).values_list(*columns, named=True)
    rows = {row.pk: row for row in (*newest, *same)}.values()
    found: dict[int, list[Twin]] = {}
    for picture in pictures:
        twins = []
        for row in rows:
            same_file = row.sha256 == picture.sha256
            bits = 0 if same_file else differing_bits(row.likeness, picture.likeness)
            if bits <= ALIKE_BITS:
                percent = round(100 * (HASH_BITS - bits) / HASH_BITS)
                twins.append(Twin(row.pk, row.match_id, row.received_at, percent, same_file))
        found[picture.pk] = sorted(twins, key=lambda twin: (not twin.same_file, -twin.percent, twin.picture_id))
    return found
