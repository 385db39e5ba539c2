"""Events for users' own programs, signed as Standard Webhooks says (docs/webhooks.md).

kinds.py      which events there are; each game registers its own
endpoints.py  where a user wants them: add, change, rotate, delete, ping, resend
outbox.py     `emit` writes what is to be sent, in the transaction that it tells of; claim and finish
sending.py    one request, signed, bounded, to nobody's private network
delivery.py   the loop that a task runs
"""

from accounts.services.webhooks.kinds import register
from accounts.services.webhooks.outbox import emit

__all__ = ["emit", "register"]
