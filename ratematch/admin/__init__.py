"""The moderators' door: the queue and the cases (views.py), and lists to look things up in (lists.py)."""

from ratematch.admin import lists

__all__ = ["lists"]
