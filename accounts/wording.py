"""What notices say, as plain text."""

from html import unescape

from django.template.loader import render_to_string
from django.utils.html import strip_tags

from accounts.models import Notice


def notice_text(notice: Notice) -> str:
    """What `notice` says, on one line, in the active language and time zone."""
    page = render_to_string(notice.template, {"notice": notice, "facts": notice.words})
    return " ".join(unescape(strip_tags(page)).split())
