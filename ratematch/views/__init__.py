"""Players' pages. Each parses, calls one service, and prints; what it prints, selectors and wording have made."""
