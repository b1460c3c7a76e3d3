"""Writing budgets into the text of a ``pyproject.toml``, whose other lines, comments and order stay as they are."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from scopelight.budgets.reading import TABLE
from scopelight.budgets.toml_entries import Entry, toml_entries
from scopelight.phrase import Phrase

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


@attrs.frozen
class NewBudget:
    """A budget to be written: its limit as a value of TOML, of a place or of the whole run."""

    name: str
    limit: str
    place: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """Of its key below the table of budgets."""
        return (self.name,) if self.place is None else (self.place, self.name)


@attrs.frozen
class Replacement:
    """New text for the characters of a text from ``start`` to before ``end``."""

    start: int
    end: int
    text: str


class NotWritableError(Exception):
    """The text cannot be given a budget; the message is a sentence."""


def replacements(text: str, budgets: Sequence[NewBudget]) -> Sequence[Replacement]:
    """What makes a text have these budgets: limits that are there are replaced, others added where they belong.

    Raises `NotWritableError` where the text is no TOML, or has a form of tables that nothing can be added to.
    """
    _parsed(text)
    entries = toml_entries(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    there = {each.path: each for each in entries if not each.is_table}
    found: list[Replacement] = []
    added: dict[int, list[str]] = {}
    absent: list[NewBudget] = []
    for budget in budgets:
        entry = there.get(TABLE + budget.path)
        if entry is not None:
            found.append(Replacement(entry.start, entry.end, budget.limit))
        elif (inserted := _insertion(text, entries, budget)) is not None:
            added.setdefault(inserted[0], []).append(inserted[1])
        else:
            absent.append(budget)
    found.extend(_joined(added, line_end))
    if absent:
        found.append(_table(text, absent, line_end))
    found.sort(key=lambda each: each.start)
    _check(replaced(text, found), budgets)
    return found


def replaced(text: str, edits: Sequence[Replacement]) -> str:
    """A text with replacements made, which do not overlap."""
    for each in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def _insertion(text: str, entries: Sequence[Entry], budget: NewBudget) -> tuple[int, str] | None:
    """Where a budget is added, and as what: in the nearest table that is there for it; None where none is."""
    for depth in range(len(budget.path) - 1, -1, -1):
        table, key = TABLE + budget.path[:depth], budget.path[depth:]
        inline = next((each for each in entries if each.path == table and text.startswith("{", each.start)), None)
        if inline is not None:
            # Behind what is in it, before its end.
            at = inline.end - 1 - _spaces_before(text, inline.end - 1)
            comma = "" if text[inline.start + 1 : inline.end - 1].strip() == "" else ","
            return at, f"{comma} {_key(key)} = {budget.limit}"
        own = next((each for each in entries if each.is_table and each.path == table), None)
        if own is not None:
            return _line_end(text, _last_of(entries, own)), f"{_key(key)} = {budget.limit}"
        dotted = [each for each in entries if not each.is_table and each.path[: len(table)] == table]
        if depth == 0 and dotted:
            around = _header_of(entries, dotted[-1])
            return _line_end(text, dotted[-1].end), f"{_key(TABLE[len(around) :] + key)} = {budget.limit}"
    return None


def _last_of(entries: Sequence[Entry], table: Entry) -> int:
    """Where the last entry of a table ends, or its header."""
    end = table.end
    for each in entries[entries.index(table) + 1 :]:
        if each.is_table:
            break
        end = max(end, each.end)
    return end


def _header_of(entries: Sequence[Entry], entry: Entry) -> tuple[str, ...]:
    before = [each.path for each in entries[: entries.index(entry)] if each.is_table]
    return before[-1] if before else ()


def _joined(added: Mapping[int, Sequence[str]], line_end: str) -> Iterator[Replacement]:
    for at, parts in added.items():
        if parts[0][:1] in (",", " "):
            yield Replacement(
                at, at, "".join(part if part[0] == "," or not place else f",{part}" for place, part in enumerate(parts))
            )
        else:
            # At the end of a line, which the last one may lack.
            yield Replacement(at, at, "".join(f"{line_end}{part}" for part in parts))


def _table(text: str, budgets: Sequence[NewBudget], line_end: str) -> Replacement:
    """The table with budgets, behind everything that is there."""
    lines = [f"[{'.'.join(TABLE)}]", *(f"{_key(each.path)} = {each.limit}" for each in budgets), ""]
    before = "" if not text.strip() else line_end if text.endswith("\n") else line_end * 2
    return Replacement(len(text), len(text), before + line_end.join(lines))


def _line_end(text: str, at: int) -> int:
    """The end of the line that a position is on, before what ends it."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > 0 and text[end - 1] == "\r" else end


def _spaces_before(text: str, at: int) -> int:
    return len(text[:at]) - len(text[:at].rstrip(" \t\r\n"))


def _key(path: Sequence[str]) -> str:
    return ".".join(each if _BARE.fullmatch(each) else _quoted(each) for each in path)


def _quoted(name: str) -> str:
    inside = "".join(
        f"\\u{ord(each):04x}" if ord(each) < 32 or ord(each) == 127 else f"\\{each}" if each in '"\\' else each
        for each in name
    )
    return f'"{inside}"'


def _parsed(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotWritableError(
            Phrase("The file of budgets is no TOML ({error}): mend it first.", error=str(error))
        ) from error


def _check(text: str, budgets: Sequence[NewBudget]) -> None:
    document = _parsed(text)
    for each in budgets:
        found: object = document
        for name in TABLE + each.path:
            found = found.get(name) if isinstance(found, dict) else None
        if found != tomllib.loads(f"value = {each.limit}")["value"]:
            raise NotWritableError(
                Phrase("The table of budgets has a form that {key} cannot be added to.", key=_key(each.path))
            )
