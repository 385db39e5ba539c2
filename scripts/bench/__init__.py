"""`make bench`: what the site costs. docs/performance.md has its table.

Each part runs in a process of its own, on a fresh SQLite file or a fresh PostgreSQL database, and reports figures.
"""
