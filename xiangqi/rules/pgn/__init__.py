"""Game records in PGN, with moves in ICCS, WXF or Chinese.

A record that can't be read to its end still gives its tags and the moves before the fault, and says what the fault is.
"""

from xiangqi.rules.pgn.reading import decode, read, read_all
from xiangqi.rules.pgn.record import Format, Record
from xiangqi.rules.pgn.writing import write

__all__ = ["Format", "Record", "decode", "read", "read_all", "write"]
