"""Parts of `scripts/survive.py`.

site.py       the real site, started by the real supervisor; its processes, to be killed
players.py    programs that play through the API, and remember what they were told
stories.py    matches that stand in every state when the kill comes, and how each has to end
bots.py       players who never stop clicking, also while the site is gone
watchers.py   pages that are open: they know only what the event stream tells them to look at
truth.py      the database afterwards, against the rules and against what players were told
scenarios.py  what is killed, and when
"""
