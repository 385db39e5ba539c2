"""The rules of dan certification: ranks, rates, what a hand is worth, opponents, a table's history.

Plain Python. Nothing here knows a database, a request or a language, and everything can be read beside the rules page
(docs/certification.md), whose section numbers stand in the comments.
"""

from certification.rules.history import recompute

__all__ = ["recompute"]
