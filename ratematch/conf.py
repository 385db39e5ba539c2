"""The settings, as the rules want them."""

from datetime import timedelta

from django.conf import settings

from ratematch.rules import free
from ratematch.rules.lifecycle import Durations


def durations() -> Durations:
    """The lengths of time of rules §3, with what RATEMATCH["DURATIONS_S"] says otherwise."""
    changed = settings.RATEMATCH["DURATIONS_S"]
    return Durations(**{name: timedelta(seconds=seconds) for name, seconds in changed.items()})


def free_durations() -> free.Durations:
    """The lengths of time of a free match, with what RATEMATCH["FREE_DURATIONS_S"] says otherwise."""
    changed = settings.RATEMATCH["FREE_DURATIONS_S"]
    return free.Durations(**{name: timedelta(seconds=seconds) for name, seconds in changed.items()})
