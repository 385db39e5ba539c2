"""Settings: base, and what development, test and production change in it."""
