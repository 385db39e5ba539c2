"""The user and what every game shares about one: profile, notices, presence, tokens."""
