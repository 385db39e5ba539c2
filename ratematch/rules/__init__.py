"""The rules of rated matches: ratings, pairing, the life of a match.

Plain Python. Nothing here knows a database, a request or a language, and everything can be read beside the
rules page (docs/ratematch.md), whose section numbers stand in the comments.
"""
