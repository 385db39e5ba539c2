"""Refusals in words, and every error of the API as `application/problem+json` (RFC 9457)."""

from collections.abc import Mapping

from django.utils.functional import Promise

_texts: dict[str, Promise] = {}


def register(texts: Mapping[str, Promise]) -> None:
    """Add an app's sentences; called once, from its `AppConfig.ready`."""
    _texts.update(texts)
