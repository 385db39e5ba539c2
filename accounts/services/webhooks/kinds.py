"""Which events there are. Accounts knows none itself but the ping; games register theirs when they start."""

from collections.abc import Mapping

from django.utils.functional import Promise

PING = "ping"
"""Sent when its owner tries an endpoint out; it can't be ordered or left out."""

_labels: dict[str, Promise] = {}


def register(labels: Mapping[str, Promise]) -> None:
    """Add kinds, `app.thing.what_happened`, each with words for whoever chooses. Called from `AppConfig.ready`."""
    _labels.update(labels)


def registered() -> dict[str, Promise]:
    """All kinds that an endpoint can ask for, with their words."""
    return dict(_labels)
