"""How a screenshot leaves the site: as a picture and nothing else, to one viewer, kept by nobody on the way."""

from pathlib import PurePath

from django.http import FileResponse

from common.errors import Missing
from ratematch.models import Picture

CONTENT_TYPES = {".png": "image/png", ".jpg": "image/jpeg"}
"""What a check writes (ratematch/pictures.py), by suffix."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}


def picture_response(picture: Picture) -> FileResponse:
    """The bytes of a checked screenshot, under a name that says nothing. Ask `evidence.picture_for` first.

    Raises:
        Missing: the file isn't there any more.
    """
    suffix = PurePath(str(picture.file.name)).suffix
    try:
        file = picture.file.open("rb")
    except FileNotFoundError:
        raise Missing("no_such_picture") from None
    name = f"picture-{picture.pk}{suffix}"
    return FileResponse(file, filename=name, content_type=CONTENT_TYPES[suffix], headers=HEADERS)
