"""The computer players: how they choose, how strong they are, and how that is measured. docs/battle-poker-ai.md.

A choice is made from a seat's view and nothing else. numpy is used here and nowhere else on the site.
"""
