"""What must hold of rated matches at all times; `manage.py check_integrity` runs it.

Each check reads its rows as a stream, ordered so that what belongs together comes together: memory is bounded by one
player's or one match's rows. A new table gets a check beside those that it is nearest to, and a line in CHECKS.
"""

from accounts.integrity import Check
from ratematch.integrity import evidence, fairness, histories, matches, records, rulings

CHECKS: dict[str, Check] = {
    "ratings": histories.ratings,
    "changes of ratings": histories.changes,
    "corrections of ratings": histories.corrections,
    "records": records.records,
    "sides": matches.sides,
    "rating rows of matches": matches.rating_rows,
    "who is needed": matches.engagements,
    "clocks": matches.clocks,
    "logs": matches.logs,
    "rulings": rulings.rulings,
    "pictures": evidence.pictures,
    "files": evidence.files,
    "levels": fairness.standings,
    "changes of levels": fairness.level_changes,
    "cases": fairness.cases,
    "rooms": fairness.rooms,
}
