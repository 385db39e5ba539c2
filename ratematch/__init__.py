"""Rated one-on-one matches of a game that is played elsewhere."""
