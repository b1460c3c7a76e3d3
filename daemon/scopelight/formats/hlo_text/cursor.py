"""A place in the text of a program, and the few moves that its reader makes from there.

Every move is linear in what it passes: patterns are possessive where they repeat, and brackets are counted, never
recursed into.
"""

import re
from typing import Final, NoReturn

from scopelight.formats.errors import FormatError, Kind
from scopelight.phrase import Phrase

_SPACE: Final = re.compile(r"(?:[ \t\r\n]++|/\*(?:[^*]|\*(?!/))*+\*/|//[^\n]*+)*+")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_IN_BRACKETS: Final = re.compile(r'[()\[\]{}"]')
_IN_VALUE: Final = re.compile(r'[()\[\]{}",\n]')
_LONGEST_QUOTED: Final = 40


class TextCursor:
    """A position in ``text``; ``where`` and ``kind`` name the text in errors."""

    def __init__(self, text: str, *, where: str, kind: Kind) -> None:
        self.text = text
        self.position = 0
        self._where = where
        self._kind = kind

    @property
    def at_end(self) -> bool:
        """Whether nothing follows."""
        return self.position >= len(self.text)

    def fail(self, cause: str, position: int | None = None, **values: object) -> NoReturn:
        """Raise a `FormatError` for what stands here, or at ``position``, naming its line.

        ``cause`` is a clause, or the template of one for ``values``.
        """
        line = self.text.count("\n", 0, self.position if position is None else position) + 1
        clause = Phrase(cause, **values)
        raise FormatError("in line {line} {cause}", path=self._where, kind=self._kind, line=line, cause=clause)

    def fail_expecting(self, what: str) -> NoReturn:
        """Raise a `FormatError` for ``what`` should stand here and does not."""
        found = self.text[self.position : self.position + _LONGEST_QUOTED].partition("\n")[0].strip()
        if found:
            self.fail("{what} should stand where {found!r} stands", what=Phrase(what), found=found)
        self.fail("{what} is missing", what=Phrase(what))

    def skip_space(self) -> None:
        """Pass white space and comments."""
        found = _SPACE.match(self.text, self.position)
        if found is not None:
            self.position = found.end()

    def follows(self, start: str) -> bool:
        """Whether ``start`` stands here; if so, pass it."""
        if not self.text.startswith(start, self.position):
            return False
        self.position += len(start)
        return True

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches ``pattern`` here, passed; None where nothing does."""
        found = pattern.match(self.text, self.position)
        if found is not None:
            self.position = found.end()
        return found

    def take_bracketed(self) -> str:
        """The text between the bracket that stands here and the one that closes it, both passed."""
        start = self.position
        self._pass_bracketed()
        return self.text[start + 1 : self.position - 1]

    def take_value(self) -> str:
        """The value of an attribute: up to a comma, the line's end or a closing bracket outside of its own brackets."""
        start = self.position
        while (found := _IN_VALUE.search(self.text, self.position)) is not None:
            mark = found.group()
            self.position = found.start()
            if mark in ",\n)]}":
                return self.text[start : self.position].strip()
            if mark == '"':
                self._pass_string()
            else:
                self._pass_bracketed()
        self.position = len(self.text)
        return self.text[start:].strip()

    def _pass_bracketed(self) -> None:
        start = self.position
        depth = 0
        while (found := _IN_BRACKETS.search(self.text, self.position)) is not None:
            mark = found.group()
            if mark == '"':
                self.position = found.start()
                self._pass_string()
                continue
            self.position = found.end()
            depth += 1 if mark in "([{" else -1
            if depth == 0:
                return
        self.fail("a bracket is not closed", start)

    def _pass_string(self) -> None:
        found = _STRING.match(self.text, self.position)
        if found is None:
            self.fail("a quotation mark is not closed")
        self.position = found.end()
