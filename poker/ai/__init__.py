"""The computer players: how they choose, how strong they are, and how that is measured. docs/battle-poker-ai.md.

A choice is made from a seat's view and nothing else. numpy is used here and nowhere else on the site.
"""

import os

# What is multiplied here is small: threads of the algebra library would only stand in each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
