"""What people write, made fit to be kept and shown."""

from __future__ import annotations

import unicodedata

OVERRIDES = dict.fromkeys(map(ord, "\0\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
"""NUL, which databases refuse, and the marks that turn the direction of what stands around a text."""

INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")


def plain(text: str) -> str:
    """The text without such marks and without blanks around it; nothing at all if nothing of it can be seen."""
    text = text.translate(OVERRIDES).strip()
    return text if any(unicodedata.category(letter) not in INVISIBLE for letter in text) else ""
