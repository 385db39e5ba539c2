"""A record's text cut into tokens. Every character is looked at a bounded number of times, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from xiangqi.rules.notation import chinese, wxf

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SHOWN = 20
"""How many characters of something unreadable an error quotes."""

CUT = 16
"""How many characters at the end of a text may be a move that was cut off."""


class Is(Enum):
    """What a token is. Move numbers, annotation glyphs and variations aren't told at all."""

    TAG = "tag"
    COMMENT = "comment"
    MOVE = "move"
    RESULT = "result"
    JUNK = "junk"
    BREAK = "break"  # the text ends within a comment, a variation, a tag or a move
    END = "end"


class Token(NamedTuple):
    """A token; a tag has its name too."""

    kind: Is
    text: str = ""
    name: str = ""


_TOKEN = re.compile(
    rf"""
    (?P<space> \s+ | \ufeff )
  | (?P<escape> ^%[^\n]* )
  | \[\s* (?P<name> \w+ ) \s* "(?P<tag> (?: [^"\\\n] | \\. )* )" \s*\]
  | (?P<rest> ;[^\n]* )
  | (?P<brace> \{{ )
  | (?P<variation> \( )
  | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?! [\w/] ) )
  | (?P<move> {chinese.PATTERN} | [A-Ia-i][0-9]-?[A-Ia-i][0-9] | (?i: {wxf.PATTERN} ) (?! [0-9=.+-] ) )
  | (?P<skip> \d+ \s* [.…．、]+ | [.…,，。；]+ | \$\d+ | [!?！？]+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_JUNK = re.compile(r"[^\s{}();\[\]]+|.", re.DOTALL)
_BRACES = re.compile(r"[{}]")
_IN_VARIATION = re.compile(r"[(){]|;[^\n]*")
_TAG_LINE = re.compile(r'^\[\s*\w+\s*"', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")


class Reader:
    """The tokens of a text, one at a time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._nested = True

    def __iter__(self) -> Iterator[Token]:
        while self._at < len(self._text):
            token = self._next()
            if token:
                yield token
        yield Token(Is.END)

    @property
    def share(self) -> float:
        """How much of the text has been read, 0 to 1."""
        return self._at / (len(self._text) or 1)

    def skip_to_tags(self) -> None:
        """Go on at the next line that is a tag, or at the end: what stands before belongs to a broken record."""
        line = _TAG_LINE.search(self._text, self._at)
        self._at = line.start() if line else len(self._text)

    def _next(self) -> Token | None:
        match = _TOKEN.match(self._text, self._at)
        if not match:
            return self._junk()
        self._at = match.end()
        group = match.lastgroup
        if group == "tag":
            return Token(Is.TAG, _ESCAPED.sub(r"\1", match["tag"]), match["name"])
        if group == "rest":
            return Token(Is.COMMENT, match["rest"][1:].strip())
        if group == "brace":
            return self._comment()
        if group == "variation":
            return self._variation()
        if group == "result":
            return Token(Is.RESULT, match["result"])
        return Token(Is.MOVE, match["move"]) if group == "move" else None

    def _junk(self) -> Token:
        start = self._at
        if self._text[start] == "[":
            self._at = self._text.find("\n", start) + 1 or len(self._text)
            cut = self._at == len(self._text)
        else:
            junk = _JUNK.match(self._text, start)
            assert junk
            self._at = junk.end()
            cut = self._at == len(self._text) and self._at - start <= CUT
        return Token(Is.BREAK if cut else Is.JUNK, self._text[start : min(self._at, start + SHOWN)].strip())

    def _comment(self) -> Token:
        """A comment in braces. Braces inside count if all of them close; else it ends with the first that does."""
        start = self._at
        end = self._closing(start) if self._nested else -1
        if end < 0:
            self._nested = False  # so that the text isn't searched to its end again and again
            end = self._text.find("}", start)
        if end < 0:
            self._at = len(self._text)
            return Token(Is.BREAK, self._text[start : start + SHOWN])
        self._at = end + 1
        return Token(Is.COMMENT, self._text[start:end].strip())

    def _closing(self, start: int) -> int:
        depth = 1
        for brace in _BRACES.finditer(self._text, start):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                return brace.start()
        return -1

    def _variation(self) -> Token | None:
        """Variations within variations, and comments in them, are passed over."""
        start, depth = self._at, 1
        while depth:
            found = _IN_VARIATION.search(self._text, self._at)
            if not found:
                self._at = len(self._text)
                return Token(Is.BREAK, self._text[start : start + SHOWN])
            self._at = found.end()
            if found[0] == "{":
                comment = self._comment()
                if comment.kind is Is.BREAK:
                    return comment
            else:
                depth += {"(": 1, ")": -1}.get(found[0], 0)
        return None
