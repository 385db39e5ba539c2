"""A consistent copy of database and media in one file, and the way back (docs/operations.md).

archive.py   the file: a tar with a manifest that has a checksum of each member
database.py  SQLite by its backup interface, PostgreSQL by pg_dump and pg_restore
media.py     what the storages hold, and which of it the database names
"""
