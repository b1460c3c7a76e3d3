"""Where the entries of a TOML text stand: its tables and keys with their positions, which `tomllib` does not tell.

It reads texts that `tomllib` has read without an error. Of another it tells what it can make out, and ends.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Final

import attrs

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACES: Final = re.compile(r"[ \t]*")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BASIC: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL: Final = re.compile(r"'[^'\n]*'")
_LONG_BASIC: Final = re.compile(r'"""(?:[^\\]|\\.)*?"""(?!")"{0,2}', re.DOTALL)
_LONG_LITERAL: Final = re.compile(r"'''.*?'''(?!')'{0,2}", re.DOTALL)
_PLAIN: Final = re.compile(r"[^,\]}#\r\n]+")
_DEEPEST: Final = 50
"""Of arrays and tables in each other; `tomllib` itself ends where Python's stack does."""


@attrs.frozen
class Entry:
    """A key with its value: ``path`` is that of all tables around it. Positions are indices of the text's characters.

    ``key`` is where the key begins, or the header of a table, which has no value: ``start`` and ``end`` are then those
    of the header.
    """

    path: tuple[str, ...]
    key: int
    start: int
    end: int
    is_table: bool = False


def toml_entries(text: str) -> list[Entry]:
    """The entries of a text, in their order; those of an inline table follow on it."""
    scan = _Scan(text)
    try:
        return list(scan.document())
    except _UnreadableError as ended:
        return ended.found


class _UnreadableError(Exception):
    """The text is no TOML from here on."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Entry] = []


class _Scan:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> Iterator[Entry]:
        found: list[Entry] = []
        table: tuple[str, ...] = ()
        try:
            while not self._ends():
                begin = self._at
                if self._take("["):
                    is_array = self._take("[")
                    table = self._key()
                    self._expect("]]" if is_array else "]")
                    found.append(Entry(table, begin, begin, self._at, is_table=True))
                else:
                    found.extend(self._pair(table, 0))
        except _UnreadableError as ended:
            ended.found = found
            raise
        return iter(found)

    def _ends(self) -> bool:
        self._skip(_BLANK)
        return self._at >= len(self._text)

    def _pair(self, table: tuple[str, ...], depth: int) -> Iterator[Entry]:
        begin = self._at
        path = table + self._key()
        self._expect("=")
        self._skip(_SPACES)
        start = self._at
        inside = list(self._value(path, depth))
        yield Entry(path, begin, start, self._at)
        yield from inside

    def _key(self) -> tuple[str, ...]:
        parts = []
        while True:
            self._skip(_SPACES)
            quoted = self._skip(_BASIC) or self._skip(_LITERAL)
            parts.append(_unquoted(quoted) if quoted else self._wanted(_BARE))
            self._skip(_SPACES)
            if not self._take("."):
                return tuple(parts)

    def _value(self, path: tuple[str, ...], depth: int) -> Iterator[Entry]:
        """The entries inside of the value that begins here, which is passed over."""
        if depth > _DEEPEST:
            raise _UnreadableError
        begins = self._text[self._at : self._at + 1]
        if begins == "{":
            yield from self._inline_table(path, depth + 1)
        elif begins == "[":
            self._array(path, depth + 1)
        elif begins in ('"', "'"):
            for kind in (_LONG_BASIC, _LONG_LITERAL, _BASIC, _LITERAL):
                if self._skip(kind):
                    return
            raise _UnreadableError
        else:
            plain = self._wanted(_PLAIN)
            self._at -= len(plain) - len(plain.rstrip())

    def _inline_table(self, path: tuple[str, ...], depth: int) -> Iterator[Entry]:
        self._expect("{")
        while True:
            self._skip(_BLANK)
            if self._take("}"):
                return
            yield from self._pair(path, depth)
            self._skip(_BLANK)
            if not self._take(","):
                self._expect("}")
                return

    def _array(self, path: tuple[str, ...], depth: int) -> None:
        self._expect("[")
        while True:
            self._skip(_BLANK)
            if self._take("]"):
                return
            # Tables in arrays have no path.
            list(self._value(path, depth))
            self._skip(_BLANK)
            if not self._take(","):
                self._expect("]")
                return

    def _skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def _wanted(self, what: re.Pattern[str]) -> str:
        found = self._skip(what)
        if not found:
            raise _UnreadableError
        return found

    def _take(self, what: str) -> bool:
        if not self._text.startswith(what, self._at):
            return False
        self._at += len(what)
        return True

    def _expect(self, what: str) -> None:
        self._skip(_SPACES)
        if not self._take(what):
            raise _UnreadableError


def _unquoted(quoted: str) -> str:
    if quoted.startswith("'"):
        return quoted[1:-1]
    try:
        value = tomllib.loads(f"value = {quoted}")["value"]
    except tomllib.TOMLDecodeError as error:
        raise _UnreadableError from error
    return str(value)
