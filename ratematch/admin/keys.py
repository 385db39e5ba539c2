"""The keys of the moderators' pages, for the help that "?" opens. What a key does, its element says itself, with
`aria-keyshortcuts`; here are only the words.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Keys = list[tuple[str, Promise]]

EVERYWHERE: Keys = [
    ("g", _("To the queue")),
    ("Esc", _("Out of a text field, so that keys work again")),
    ("?", _("These keys")),
]
QUEUE: Keys = [
    ("j", _("Next line")),
    ("k", _("Line before")),
    ("Enter", _("Open the line")),
    ("e", _("Next case that is free")),
]
_CASE: Keys = [
    ("r", _("To the reason")),
    ("t", _("Choose a template; Enter puts it into the reason")),
    ("s", _("Send the form; Ctrl+Enter does it from a text field")),
    ("e", _("Next case that is free")),
    ("w", _("Take the case, or give it back")),
    ("j", _("Next section")),
    ("k", _("Section before")),
]
MATCH: Keys = [
    ("1", _("Player 1 won")),
    ("2", _("Player 2 won")),
    ("3", _("A draw")),
    ("4", _("Void")),
    ("p", _("To the penalty for Player 1")),
    ("o", _("To the penalty for Player 2")),
    *_CASE,
]
CONFIRM: Keys = [("s", _("Rule")), ("b", _("Back, to change it"))]
VERDICT: Keys = [
    ("1", _("Penalise, or confirm the penalty")),
    ("2", _("Dismiss")),
    ("p", _("To what the penalty is for")),
    ("n", _("To the note")),
    *_CASE,
]
FORM: Keys = [("r", _("To the reason")), ("s", _("Send the form; Ctrl+Enter does it from a text field"))]
PLAYER: Keys = [
    ("p", _("To what the penalty is for")),
    *FORM,
    ("t", _("Choose a template; Enter puts it into the reason")),
    ("j", _("Next section")),
    ("k", _("Section before")),
]
