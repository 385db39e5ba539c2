"""The moderators' own pages.

They aren't Django's change forms, because those wrap a POST in a transaction and what moderators do are durable
commands. frame.py has what they share; the others are a page each.
"""
