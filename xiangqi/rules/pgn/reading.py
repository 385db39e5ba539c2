"""Records read: leniently in form, strictly in moves.

Moves may be in any notation whatever `[Format]` says, with or without numbers and spaces between them. Variations and
annotation glyphs are passed over.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from xiangqi.rules.board import Board
from xiangqi.rules.errors import AmbiguousMove, BadFen, BadMove, BadRecord, IllegalMove, NoSuchPiece
from xiangqi.rules.pgn.record import UNKNOWN, Record
from xiangqi.rules.pgn.tokens import RESULTS, Is, Reader, Token


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 with a mark, or else GB 18030, in which most Chinese records are.

    A file that breaks off within a character gives all before it.

    Raises:
        BadRecord: it is none of these.
    """
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            return codecs.getincrementaldecoder(encoding)().decode(data)
        except UnicodeDecodeError:
            continue
    raise BadRecord("record_encoding", 0)


def read(text: str) -> Record:
    """The first record in `text`; one that holds none is a record with an error."""
    return next(read_all(text), Record(error=BadRecord("record_empty", 0)))


def read_all(text: str) -> Iterator[Record]:
    """Every record in `text`. After a broken one, reading goes on at the next line of tags."""
    return records(Reader(text))


def records(reader: Reader) -> Iterator[Record]:
    """As `read_all`, for those who want to know how far the reader is."""
    game = _Game()
    for token in reader:
        if token.kind is Is.TAG and game.has_moves:
            yield game.without_result()
            game = _Game()
        fault = game.take(token)
        if fault:
            reader.skip_to_tags()
            yield game.finish(fault)
            game = _Game()
        elif token.kind is Is.RESULT:
            yield game.finish()
            game = _Game()
        elif token.kind is Is.END and game.begun:
            yield game.without_result()


class _Game:
    """A record as far as it has been read, and the board as it stands there."""

    def __init__(self) -> None:
        self.record = Record()
        self.begun = False
        self.has_moves = False
        self._board = Board()
        self._comments: dict[int, list[str]] = {}
        self._tagged_result: str | None = None

    def take(self, token: Token) -> BadRecord | None:
        """Add a token; answers what is wrong with it, if something is."""
        self.begun = self.begun or token.kind in (Is.TAG, Is.MOVE, Is.RESULT)
        if token.kind is Is.TAG:
            return self._tag(token.name, token.text)
        if token.kind is Is.COMMENT:
            self._comments.setdefault(len(self.record.moves), []).append(token.text)
        elif token.kind is Is.MOVE:
            return self._move(token.text)
        elif token.kind is Is.RESULT:
            self.record.result = token.text
        elif token.kind is Is.BREAK and self.begun:
            return BadRecord("record_breaks_off", self._next_ply)
        elif token.kind in (Is.BREAK, Is.JUNK):
            return BadRecord("record_junk", self._next_ply, text=token.text)
        return None

    def finish(self, error: BadRecord | None = None) -> Record:
        """The record; a result that stands only in its tag counts too."""
        if self.record.result == UNKNOWN:
            self.record.result = self._tagged_result or UNKNOWN
        self.record.comments = {ply: "\n".join(texts) for ply, texts in self._comments.items()}
        self.record.error = error
        return self.record

    def without_result(self) -> Record:
        """The record when no result follows: it breaks off if it has no moves, or if its tags have a result [ours]."""
        broken = self._tagged_result or not self.has_moves
        return self.finish(BadRecord("record_breaks_off", self._next_ply) if broken else None)

    @property
    def _next_ply(self) -> int:
        return len(self.record.moves) + 1

    def _tag(self, name: str, text: str) -> BadRecord | None:
        if name == "FEN":
            try:
                self._board = Board(text)
            except BadFen as cause:
                return _because(cause, BadRecord("record_fen", 0, reason=cause.code))
            self.record.fen = self._board.fen()
        elif name == "Result":
            self._tagged_result = text if text in RESULTS else UNKNOWN
        elif name != "Format":
            self.record.tags[name] = text
        return None

    def _move(self, text: str) -> BadRecord | None:
        self.has_moves = True
        try:
            move = self._board.parse(text)
        except (BadMove, NoSuchPiece, AmbiguousMove, IllegalMove) as cause:
            return _because(cause, BadRecord("record_move", self._next_ply, text=text, reason=cause.code))
        self._board.push(move)
        self.record.moves.append(move)
        return None


def _because(cause: Exception, error: BadRecord) -> BadRecord:
    error.__cause__ = cause
    return error
