"""A site that looks lived in: a dozen players, five weeks of matches, one dispute that waits for a moderator.

people.py   who they are and how strong they really are
sitting.py  one match, driven through the services by a clock of its own
stories.py  the ways in which a match can go
screens.py  screenshots of a game that doesn't exist
load.py     all of it in order

Nothing here writes what a service writes: ratings, records, events and notices come out of real moves.
"""
