"""The only writers of ratematch's tables. A command is one durable transaction; a step is called by commands.

queue.py      join, leave, pair
ladder.py     count a very long ladder
play.py       the players' moves in a match
evidence.py   screenshots: attach, take back, hand in
screening.py  screenshots: check
contests.py   a loss by silence, contested
upload_links.py  evidence from the phone
retention.py  screenshots that have been kept long enough
free.py       free matches
chat.py       what the two say to each other; hiding and muting
watches.py    "notify me"
rulings.py    the moderators' word on a match
reports.py    what players report of each other
cases.py      reports and flags: who works on them, what came of it
penalties.py  points given and withdrawn, and the patterns that give them
levels.py     fair-play levels, and the policy behind them
deadlines.py  clocks that ran out, warnings before they do, and outages
transition.py the step that all of these share: write a match's new state, and what follows from it
ratings.py    the step that moves ratings
hooks.py      the step that tells players' own programs of an end
"""
